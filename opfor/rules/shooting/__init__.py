"""Weapon attacks: frames, guns, target numbers, their resolution. Rule: S-4, S-5."""
