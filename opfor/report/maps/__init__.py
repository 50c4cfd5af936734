"""Maps as pictures, pages and text."""
