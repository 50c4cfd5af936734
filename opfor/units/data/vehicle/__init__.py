"""Ground vehicles that come with the program, one ``CHASSIS MODEL.yaml`` a record sheet; see :mod:`opfor.units.catalogue`."""
