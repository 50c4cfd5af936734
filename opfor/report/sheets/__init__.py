"""Record sheets as pictures and text."""
