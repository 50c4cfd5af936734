"""Units: what they are (specs, immutable and shared) and how they stand (state, small and cheap to copy)."""
