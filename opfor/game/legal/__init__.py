"""What may be ordered, one module a kind of decision. Enumeration never changes the state."""
