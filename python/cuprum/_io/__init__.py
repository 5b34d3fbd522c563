"""Input and output: files and text."""
