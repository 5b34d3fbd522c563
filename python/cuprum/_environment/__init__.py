"""What the library runs on, and what it offers."""
