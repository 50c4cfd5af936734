"""The game master's table: asking a policy by name for a side's orders, and keeping the battle."""
