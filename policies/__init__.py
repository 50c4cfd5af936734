"""Who decides: policies, one a file, found by name through entry points."""
