"""What the docstrings of samples and tests have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "nans": """nan_policy : {"propagate", "raise", "omit"}, optional
        What NaNs do.""",
        "sample_axis": """axis : int or None, optional
        The axis along which a sample runs.""",
        "axis": """axis : int or None, optional
        The axis along which they run.""",
        "its_axis": """axis : int or None, optional
        The axis along which it runs.""",
        "alternative": """alternative : {"two-sided", "less", "greater"}, optional
        The other hypothesis.""",
        "keepdims": """keepdims : bool, optional
        Keep the axis, with length one.""",
        "numbers": """a : array_like
        The numbers.""",
        "ddof": """ddof : int, optional
        What is taken from the number of elements when the variance is divided by it.""",
        "shape_result": """Returns
    -------
    ShapeResult
        With `statistic` and `pvalue`.""",
        "t_result": """Returns
    -------
    TtestResult
        With `statistic` and `pvalue`.""",
        "kolmogorov_result": """Returns
    -------
    KstestResult
        With `statistic`, `pvalue`, `statistic_location` and `statistic_sign`.""",
    }
)
