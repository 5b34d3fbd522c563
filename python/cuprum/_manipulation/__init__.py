"""Manipulation of arrays: shape, order, joining and splitting."""
