"""Learning environments over the waist: this layer may import opfor and policies, never the other way round.

Importing it registers the environments' ids with gymnasium (:mod:`envs.registration`).
"""

from envs.registration import register_all

register_all()
