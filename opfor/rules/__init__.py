"""The rules, one module a family, named as the rulebook names them. Each function cites its ledger id.

Functions that only answer take a :class:`~opfor.state.State`; functions that change it take a
:class:`~opfor.rules.play.Play`, which carries the state, the dice and the events that happen.
"""
