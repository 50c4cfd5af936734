"""The report of rules that were turned: in words, as tables for a spreadsheet, as a page with plots."""
