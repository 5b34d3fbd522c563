"""What the docstrings of distributions have in common."""

from __future__ import annotations

from .._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "size": """size : int or tuple of int, optional
        The shape; that of the parameters broadcast together when None.""",
        "float_dtype": """dtype : dtype, optional
        float64 or float32.""",
        "int_dtype": """dtype : dtype, optional
        The dtype of the result, int64 by default.""",
        "draws": """Returns
    -------
    ndarray
        The draws.""",
        "counts": """Returns
    -------
    ndarray
        The counts.""",
    }
)
