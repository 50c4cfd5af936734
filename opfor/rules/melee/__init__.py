"""Physical attacks. Rule: S-8, E-7, E-10, E-11."""
