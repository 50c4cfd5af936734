"""Infantry and battle armour. Rule: S-9."""
