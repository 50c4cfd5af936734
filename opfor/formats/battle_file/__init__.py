"""The battle file: read, checked, written, kept."""
