"""What an order does, one module a kind of order. The only code besides the rules that changes a state."""
