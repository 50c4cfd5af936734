"""Renderings of a battle and its events: maps, posts, sheets."""
