"""Rules tested by self-play: do they hold, are they met, what do they change, and is this battle fair."""
