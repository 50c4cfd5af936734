"""The report of an arena: in words, as tables for a spreadsheet, as a page with plots."""
