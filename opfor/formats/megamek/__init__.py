"""Files of MegaMek: units, boards, forces, saved games."""
