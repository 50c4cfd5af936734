"""Battles made for what random ones seldom reach, and units made for them."""
