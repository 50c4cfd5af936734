"""A game master's own rules: numbers put in the place of shipped ones, modifiers with conditions, and one file of Python.

What a rule may look at and what it may say stands here; where the rules of the game ask for it is :mod:`opfor.rules.own`.
"""
