"""Posts: one document, one writer a markup, pieces that fit."""
