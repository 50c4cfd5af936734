"""Ground that fights back and can be fought: buildings, fire, mines, woods, ice. Rule: S-10."""
