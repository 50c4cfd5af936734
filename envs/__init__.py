"""Learning environments over the waist, and what they see and ask of it, which a policy that has learnt uses as well.

Importing it registers the environments' ids with gymnasium (:mod:`envs.registration`), where that is installed.
"""

try:
    from envs.registration import register_all
except ModuleNotFoundError as missing:
    if missing.name != "gymnasium":
        raise
else:
    register_all()
