"""Data the project reads: see the YAML files beside this one."""
