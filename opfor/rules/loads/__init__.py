"""Special missiles. Rule: E-32, E-33, E-33a."""
