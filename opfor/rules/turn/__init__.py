"""Who acts when, and what a unit may do in a turn."""
