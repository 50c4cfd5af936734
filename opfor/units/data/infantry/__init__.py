"""Platoons of infantry that come with the program, one ``CHASSIS MODEL.yaml`` each; see :mod:`opfor.units.catalogue`."""
