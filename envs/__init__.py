"""Learning environments over the waist, and what they see and ask of it, which a policy that has learnt uses as well.

Importing it registers the environments' ids with gymnasium (:mod:`envs.registration`), where that is installed.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from envs.registration import register_all

    register_all()
