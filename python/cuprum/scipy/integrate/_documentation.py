"""What the docstrings of solvers of differential equations have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "problem": """fun : callable
        The right-hand side, ``fun(t, y)``.
    t0 : float
        The first time.
    y0 : (N,) array_like
        The state there; it may be complex.
    t_bound : float
        Where the integration ends.""",
        "steps": """max_step : float, optional
        The largest step.
    rtol, atol : float or (N,) array_like, optional
        Tolerances, relative and absolute: an error is to be less than ``atol + rtol * abs(y)``.""",
        "jacobian": """jac : callable or (N, N) array_like, optional
        The Jacobian, as a function of `t` and `y` or constant; by differences where it is None.
    jac_sparsity : (N, N) array_like, optional
        Where the Jacobian is not zero: columns without a common row are found by one difference.""",
        "states": """vectorized : bool, optional
        Whether `fun` takes states as the columns of a matrix.
    first_step : float, optional
        The first step; it is estimated by default.""",
    }
)
