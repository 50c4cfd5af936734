"""How fast it is: ``python -m benchmarks`` measures and prints a table. See docs/benchmarks.md for what the figures mean."""
