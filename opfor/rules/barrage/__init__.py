"""Indirect fire, spotting, artillery and bombs. Rule: E-4, E-30, E-31, E-34, E-35."""
