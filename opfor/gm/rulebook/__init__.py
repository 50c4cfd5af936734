"""The rules by id: where they are played, tested and exercised."""
