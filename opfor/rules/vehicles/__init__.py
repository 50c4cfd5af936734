"""Vehicles and VTOLs. Rule: E-15 to E-29."""
