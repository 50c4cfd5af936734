"""Dice at the table: roll sheets, pasted results, seeds that can be checked."""
