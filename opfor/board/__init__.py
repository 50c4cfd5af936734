"""The ground: boards of hexes, and who sees whom across them."""
