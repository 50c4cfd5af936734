"""The Op Force's orders with their working, and everything that is handed out."""
