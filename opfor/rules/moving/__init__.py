"""Movement: points, ground, searches, paths, stacking, skids, flight, carriers. Rule: S-2."""
