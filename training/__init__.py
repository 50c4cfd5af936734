"""Training, leagues and rule testing: the top layer."""
