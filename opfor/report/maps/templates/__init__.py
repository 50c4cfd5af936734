"""Pages that are filled in: Jinja templates."""
