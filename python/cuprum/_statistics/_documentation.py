"""What the docstrings of reductions over axes have in common."""

from __future__ import annotations

from .._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "a": """a : array_like
        The array.""",
        "real_a": """a : array_like of real numbers
        The array.""",
        "axes": """axis : int or tuple of int, optional
        The axes to reduce; all when None.""",
        "axis": """axis : int, optional
        The axis; the flattened array when None.""",
        "dtype": """dtype : dtype, optional
        The dtype to compute in and of the result.""",
        "out": """out : ndarray, optional
        Where to put the result.""",
        "ddof": """ddof : float, optional
        The divisor is the number of elements less this.""",
        "keepdims": """keepdims : bool, optional
        Whether reduced axes stay, with length one.""",
        "initial": """initial : scalar, optional
        The value to start from.""",
        "where": """where : array_like of bool, optional
        Which elements to include.""",
        "mean": """mean : ndarray, optional
        The mean, computed before with `keepdims=True`.""",
        "correction": """correction : float, optional
        Another name for `ddof`.""",
        "overwrite_input": """overwrite_input : bool, optional
        Accepted for compatibility: the array is never changed.""",
        "method": """method : str, optional
        How to estimate, as in `quantile`.""",
        "weights": """weights : array_like, optional
        The weight of each element, for the method "inverted_cdf".""",
        "interpolation": """interpolation : str, optional
        An old name of `method`.""",
    }
)
