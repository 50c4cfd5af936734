"""Those inside, and what they keep going: piloting, falls, wounds, heat."""
