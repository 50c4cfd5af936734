"""Mission actions: objectives that units carry out. Rule: A-1 to A-8."""
