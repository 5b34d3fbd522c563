"""Tests of tables of counts. Sums run on the device; chances of small tables depend on these alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._along_axis import along_axis
from ._documentation import documented
from ._samples import Sample, check_choice

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["chi2_contingency", "fisher_exact", "power_divergence"]

_POWERS = {
    "pearson": 1.0,
    "log-likelihood": 0.0,
    "freeman-tukey": -0.5,
    "mod-log-likelihood": -1.0,
    "neyman": -2.0,
    "cressie-read": 2 / 3,
}


class Chi2ContingencyResult(NamedTuple):
    """What `chi2_contingency` returns."""

    statistic: ndarray
    pvalue: ndarray
    dof: int
    expected_freq: ndarray


class Power_divergenceResult(NamedTuple):  # noqa: N801 - SciPy's name
    """What `power_divergence` returns."""

    statistic: ndarray
    pvalue: ndarray


class SignificanceResult(NamedTuple):
    """A statistic and the chance of one at least as far out."""

    statistic: ndarray
    pvalue: ndarray


def _divergence(op: str, observed: ndarray, expected: ndarray, lambda_: Any) -> ndarray:
    """Return the terms of a statistic of the family of Cressie and Read."""
    if isinstance(lambda_, str):
        if lambda_ not in _POWERS:
            raise ValueError(f"{op}: invalid string for lambda_: {lambda_!r}; it is one of {list(_POWERS)}")
        lambda_ = _POWERS[lambda_]
    power = 1.0 if lambda_ is None else float(lambda_)
    if power == 1:
        result: ndarray = (observed - expected) ** 2 / expected
        return result
    if power == 0:
        return 2 * special.xlogy(observed, observed / expected)
    if power == -1:
        return 2 * special.xlogy(expected, expected / observed)
    return observed * ((observed / expected) ** power - 1) / (0.5 * power * (power + 1))


@names_itself
@documented
@along_axis("f_obs", "f_exp", paired=True)
def power_divergence(
    f_obs: ArrayLike,
    f_exp: ArrayLike | None = None,
    ddof: int = 0,
    axis: int | None = 0,
    lambda_: Any = None,
    *,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Power_divergenceResult:
    """Test whether counts are as expected, by a statistic of the family of Cressie and Read.

    Parameters
    ----------
    f_obs : array_like
        The counts.
    f_exp : array_like, optional
        The expected ones; equal by default.
    ddof : int, optional
        What is taken from the degrees of freedom.
    axis : int or None, optional
        The axis along which counts run.
    lambda_ : float or str, optional
        The power, or its name: "pearson", "log-likelihood", "freeman-tukey", "mod-log-likelihood",
        "neyman" or "cressie-read".
    {nans}
    {keepdims}

    Returns
    -------
    Power_divergenceResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.power_divergence(cp.array([10.0, 12.0, 8.0]), lambda_="log-likelihood").pvalue.round(6)
    array(0.668506)
    """
    sample = Sample("power_divergence", f_obs, axis)
    observed = sample.values
    if f_exp is None:
        expected = observed.mean(axis=sample.axis, keepdims=True)
    else:
        expected = as_array(f_exp)
        sums = [values.sum(axis=sample.axis) for values in (observed, expected)]
        apart = cp.abs(sums[0] - sums[1]) / cp.minimum(*sums)
        if bool((apart > math.sqrt(np.finfo(np.float64).eps)).any()):
            raise ValueError(
                "power_divergence: the sum of the observed frequencies must agree with the sum of the "
                "expected frequencies to a relative tolerance of 1.4901161193847656e-08"
            )
    statistic = _divergence("power_divergence", observed, expected, lambda_).sum(axis=sample.axis)
    free = np.broadcast_shapes(observed.shape, expected.shape)[sample.axis] - 1 - ddof
    return Power_divergenceResult(statistic, special.chdtrc(float(free), statistic))


@names_itself
def chi2_contingency(
    observed: ArrayLike, correction: bool = True, lambda_: Any = None
) -> Chi2ContingencyResult:
    """Test whether the rows and columns of a table of counts are independent.

    Parameters
    ----------
    observed : array_like
        The counts, of any number of axes.
    correction : bool, optional
        Move counts by up to one half towards the expected ones where there is one degree of freedom (Yates).
    lambda_ : float or str, optional
        The statistic, as by `power_divergence`.

    Returns
    -------
    Chi2ContingencyResult
        With `statistic`, `pvalue`, `dof` and `expected_freq`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.chi2_contingency(cp.array([[10.0, 20.0], [20.0, 20.0]])).statistic.round(6)
    array(1.323438)
    """
    table = as_array(observed).astype(np.float64)
    if bool((table < 0).any()):
        raise ValueError("chi2_contingency: All values in `observed` must be nonnegative.")
    if table.size == 0:
        raise ValueError("chi2_contingency: No data; `observed` has size 0.")
    total = table.sum()
    expected = cp.ones((1,) * table.ndim)
    for axis in range(table.ndim):
        others = tuple(i for i in range(table.ndim) if i != axis)
        expected = expected * table.sum(axis=others, keepdims=True)
    expected = expected / total ** (table.ndim - 1)
    if bool((expected == 0).any()):
        where = tuple(int(i) for i in cp.argwhere(expected == 0)[0])
        raise ValueError(
            "chi2_contingency: The internally computed table of expected frequencies has a zero element at "
            f"{where}."
        )
    free = expected.size - sum(expected.shape) + expected.ndim - 1
    if free == 0:
        return Chi2ContingencyResult(cp.zeros(()), cp.ones(()), 0, expected)
    if free == 1 and correction:
        apart = expected - table
        table = table + cp.minimum(0.5, cp.abs(apart)) * cp.sign(apart)
    statistic = _divergence("chi2_contingency", table, expected, lambda_).sum()
    return Chi2ContingencyResult(statistic, special.chdtrc(float(free), statistic), free, expected)


@names_itself
def fisher_exact(table: ArrayLike, alternative: str = "two-sided") -> SignificanceResult:
    """Test whether the rows and columns of a table of two by two counts are independent, exactly.

    Parameters
    ----------
    table : (2, 2) array_like of int
        The counts.
    alternative : {"two-sided", "less", "greater"}, optional
        The other hypothesis: how the ratio of odds is beside one.

    Returns
    -------
    SignificanceResult
        With `statistic`, the ratio of odds, and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.fisher_exact(cp.array([[8, 2], [1, 5]])).pvalue.round(6)
    array(0.034965)
    """
    check_choice("fisher_exact", "alternative", alternative, ("two-sided", "less", "greater"))
    counts = as_array(table)
    if counts.shape != (2, 2):
        raise ValueError(f"fisher_exact: the table must be of shape (2, 2), got {counts.shape}")
    (a, b), (c, d) = ((int(v) for v in row) for row in counts.tolist())
    if min(a, b, c, d) < 0:
        raise ValueError("fisher_exact: all values in `table` must be nonnegative")
    if 0 in (a + b, c + d, a + c, b + d):
        return SignificanceResult(cp.full((), cp.nan), cp.ones(()))
    odds = a * d / (b * c) if b * c else math.inf
    drawn, marked, total = a + b, a + c, a + b + c + d
    low, high = max(0, drawn + marked - total), min(drawn, marked)
    # The chances of all tables with the same sums.
    k = np.arange(low, high + 1)

    def log_choose(n: int, among: np.ndarray) -> np.ndarray:
        return math.lgamma(n + 1) - np.array([math.lgamma(i + 1) + math.lgamma(n - i + 1) for i in among])

    logs = log_choose(marked, k) + log_choose(total - marked, drawn - k)
    weights = np.exp(logs - logs.max())
    chances = weights / math.fsum(weights)
    here = a - low
    if alternative == "less":
        chance = math.fsum(chances[: here + 1])
    elif alternative == "greater":
        chance = math.fsum(chances[here:])
    else:
        chance = math.fsum(chances[chances <= chances[here] * (1 + 1e-14)])
    return SignificanceResult(cp.asarray(odds, dtype=np.float64), cp.asarray(min(1.0, chance)))
