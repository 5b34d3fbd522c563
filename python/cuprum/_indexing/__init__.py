"""Indexing: reading, writing and walking over elements."""
