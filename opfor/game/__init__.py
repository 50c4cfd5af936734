"""The waist: what may be decided (:meth:`Game.decision`), and the one way a battle changes (:meth:`Game.apply`)."""
