"""The folly list: positions in which a sensible player does, or leaves, something; run for every policy worth judging."""
