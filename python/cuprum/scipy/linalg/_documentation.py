"""What the docstrings of linear algebra have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "finite_a": """check_finite : bool, optional
        Raise ValueError where `a` is not finite.""",
        "finite": """check_finite : bool, optional
        Raise ValueError where an argument is not finite.""",
        "overwrite_a": """overwrite_a : bool, optional
        Taken for compatibility; `a` is not overwritten.""",
        "overwrite_b": """overwrite_b : bool, optional
        Taken for compatibility; `b` is not overwritten.""",
        "overwrite": """overwrite_a, overwrite_b : bool, optional
        Taken for compatibility; neither is overwritten.""",
        "select": """select : {"a", "v", "i"}, optional
        All eigenvalues, those in an interval, or those at indices.
    select_range : pair, optional
        The interval, open below, or the first and the last index.""",
        "right_sides": """b : (M,) or (..., M, K) array_like
        One right-hand side, or one a column.""",
        "square": """a : (N, N) array_like
        The matrix.""",
        "upper_square": """A : (N, N) array_like
        The matrix.""",
        "rectangle": """a : (M, N) array_like
        The matrix.""",
        "rectangles": """a : (..., M, N) array_like
        The matrix.""",
        "squares": """a : (..., M, M) array_like
        The matrix.""",
        "rcond": """rcond : float, optional
        Singular values up to so much of the largest count as zero.""",
        "apart": """atol, rtol : float, optional
        How far elements may be apart; not at all by default.""",
        "return_rank": """return_rank : bool, optional
        Return the rank too.""",
        "binomial_kind": """kind : {"symmetric", "lower", "upper"}, optional
        How the triangle lies in it.""",
        "binomial_exact": """exact : bool, optional
        Return integers, which go to a size of 34; floats otherwise.""",
    }
)
