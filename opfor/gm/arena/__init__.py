"""Policies against each other: sets of battles, mirrored games, results kept as they come, and what they say.

``sets`` draws the battles, ``entrants`` are the policies, ``match`` plays one game, ``running`` many of them in processes,
``store`` keeps them in a folder, ``statistics`` has the intervals and ratings, ``summary`` makes the report of them.
"""
