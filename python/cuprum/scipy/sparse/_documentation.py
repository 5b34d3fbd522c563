"""What the docstrings of functions that make sparse matrices have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "format": """format : str, optional
        The format of the result.""",
        "dtype": """dtype : dtype, optional
        The dtype of the elements.""",
    }
)
