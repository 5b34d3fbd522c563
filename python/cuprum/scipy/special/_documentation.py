"""What the docstrings of special functions have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "out": """out : ndarray, optional
        Where the result goes.""",
        "outs": """out : tuple of ndarray, optional
        Where the results go.""",
        "values": """Returns
    -------
    result : ndarray
        The values.""",
        "derivative_value": """Returns
    -------
    result : ndarray
        The derivative.""",
        "x": """x : array_like
        The argument.""",
        "z": """z : array_like
        The argument.""",
        "order": """v : array_like
        The order.""",
        "which": """n : int, optional
        Which derivative.""",
        "degree": """n : array_like
        The degree.""",
    }
)
