"""Orders, results, hexes and dice in words, as people write them."""
