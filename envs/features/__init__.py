"""The parts of an observation, a module a group, and what they share: geometry, lines of fire, expected damage."""
