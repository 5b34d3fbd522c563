"""What the docstrings of windows have in common."""

from __future__ import annotations

from ...._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "points": """M : int
        The number of points.""",
        "sym": """sym : bool, optional
        Whether the window is symmetric, for filters, or one period, for spectra.""",
        "window": """Returns
    -------
    ndarray of float64
        The window.""",
    }
)
