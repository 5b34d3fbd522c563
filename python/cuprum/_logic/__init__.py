"""Logic functions."""
