"""Damage of 'Mechs: locations, criticals, explosions. Rule: S-5."""
