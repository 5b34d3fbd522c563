"""Polynomials by their coefficients, the highest power first."""
