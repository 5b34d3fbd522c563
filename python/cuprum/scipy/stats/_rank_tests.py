"""Tests that look at the order of numbers alone: of Kendall, of Mann and Whitney, of Wilcoxon."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import cuprum as cp

from ..._convert import as_array
from ..._core import ndarray
from ..._errors import names_itself
from .. import special
from ._along_axis import along_axis
from ._documentation import documented
from ._hypotheses import SignificanceResult
from ._ranks import rankdata
from ._samples import ALTERNATIVES, check_choice

if TYPE_CHECKING:
    from ..._typing import ArrayLike

__all__ = ["kendalltau", "mannwhitneyu", "ranksums", "wilcoxon"]


class MannwhitneyuResult(NamedTuple):
    """What `mannwhitneyu` returns."""

    statistic: ndarray
    pvalue: ndarray


def _group_sizes(*columns: ndarray) -> ndarray:
    """Return how often each row of sorted columns occurs."""
    n = columns[0].size
    differs = cp.zeros(n - 1, bool)
    for column in columns:
        differs = differs | (column[1:] != column[:-1])
    starts = cp.concatenate((cp.zeros(1, np.int64), cp.nonzero(differs)[0] + 1, cp.full(1, n)))
    return cp.diff(starts)


def _dense_ranks(values: ndarray) -> ndarray:
    ranks: ndarray = cp.unique(values, return_inverse=True)[1].ravel()
    return ranks


def _inversions(ranks: ndarray) -> ndarray:
    """Return the number of pairs in falling order, by merging ever longer stretches."""
    n, places = ranks.size, cp.arange(ranks.size)
    total = cp.zeros((), np.int64)
    width = 1
    while width < n:
        # By pairs of stretches and then by rank; of equal ones the left stretch comes first.
        pair = places // (2 * width)
        order = cp.argsort(pair * n + ranks, kind="stable")
        is_left = (places // width) % 2 == 0
        lefts = is_left[order].astype(np.int64)
        before = cp.cumsum(lefts)
        ends = cp.minimum((pair + 1) * (2 * width), n) - 1
        # Left elements of the same pair that come after an element of the right stretch.
        total = total + ((before[ends] - before) * (1 - lefts)).sum()
        width *= 2
    return total


def _chance_of_order(n: int, concordant: int, alternative: str) -> float:
    """Return the chance of so many pairs in order among permutations, or of a number farther out."""
    pairs = n * (n - 1) // 2
    is_high = concordant >= pairs - concordant
    few = min(concordant, pairs - concordant)
    # The share of permutations of j with k inversions, for k up to `few`.
    share = np.zeros(few + 1)
    share[:2] = 0.5
    for j in range(3, n + 1):
        sums = np.cumsum(share) / j
        share = sums.copy()
        share[j:] -= sums[: max(few + 1 - j, 0)]
    tail = float(share.sum())
    if alternative == "two-sided":
        return min(2 * tail, 1.0)
    return tail if is_high == (alternative == "greater") else 1 - tail + float(share[-1])


@names_itself
@documented
@along_axis("x", "y", paired=True, vectors=True)
def kendalltau(
    x: ArrayLike,
    y: ArrayLike,
    *,
    nan_policy: str = "propagate",
    method: str = "auto",
    variant: str = "b",
    alternative: str = "two-sided",
    axis: int | None = None,
    keepdims: bool = False,
) -> SignificanceResult:
    """Return Kendall's correlation of two samples, and test whether there is any.

    Parameters
    ----------
    x, y : array_like
        The samples, of one size.
    {nans}
    method : {"auto", "asymptotic", "exact"}, optional
        How the chance is computed; exactly for few numbers without ties, by default.
    variant : {"b", "c"}, optional
        Which correlation: "b" allows for ties, "c" for tables that are not square.
    {alternative}
    axis : int or None, optional
        The axis along which a sample runs; all numbers by default.
    {keepdims}

    Returns
    -------
    SignificanceResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.kendalltau(cp.array([12, 2, 1, 12, 2]), cp.array([1, 4, 7, 1, 0])).statistic.round(6)
    array(-0.471405)
    """
    check_choice("kendalltau", "alternative", alternative, ALTERNATIVES)
    check_choice("kendalltau", "variant", variant, ("b", "c"))
    check_choice("kendalltau", "method", method, ("auto", "asymptotic", "exact"))
    x, y = as_array(x), as_array(y)
    nothing = SignificanceResult(cp.full((), cp.nan), cp.full((), cp.nan))
    if min(x.size, y.size) == 0:
        return nothing
    if x.size != y.size:
        raise ValueError(
            f"kendalltau: Array shapes are incompatible for broadcasting: {x.size} and {y.size} elements"
        )
    n = x.size
    if n < 2 or bool((cp.isnan(x) | cp.isnan(y)).any()):
        return nothing
    x, y = _dense_ranks(x), _dense_ranks(y)
    order = cp.argsort(x * n + y, kind="stable")
    x, y = x[order], y[order]
    groups = _group_sizes(x), _group_sizes(cp.sort(y)), _group_sizes(x, y)
    sums = [(g * (g - 1) // 2).sum() for g in groups]
    sums += [f(g).sum() for g in groups[:2] for f in (_thirds, _weighted)]
    x_ties, y_ties, ties, x0, x1, y0, y1, falling, *classes = cp.stack(
        [*sums, _inversions(y), cp.asarray(groups[0].size), cp.asarray(groups[1].size)]
    ).tolist()
    pairs = n * (n - 1) // 2
    if pairs in (x_ties, y_ties):
        return nothing
    excess = pairs - x_ties - y_ties + ties - 2 * falling
    if variant == "b":
        tau = excess / math.sqrt(pairs - x_ties) / math.sqrt(pairs - y_ties)
    else:
        fewest = min(classes)
        tau = 2 * excess / (n**2 * (fewest - 1) / fewest)
    tau = min(1.0, max(-1.0, tau))
    if method == "exact" and (x_ties or y_ties):
        raise ValueError("kendalltau: Ties found, exact method cannot be used.")
    is_small = n <= 33 or min(falling, pairs - falling) <= 1
    if method == "exact" or method == "auto" and not (x_ties or y_ties) and is_small:
        chance = _chance_of_order(n, pairs - falling, alternative)
        return SignificanceResult(cp.asarray(tau), cp.asarray(chance))
    m = n * (n - 1.0)
    variance = (m * (2 * n + 5) - x1 - y1) / 18 + 2 * x_ties * y_ties / m
    variance += x0 * y0 / (9 * m * (n - 2)) if n > 2 else 0.0
    z = cp.asarray(excess / math.sqrt(variance))
    return SignificanceResult(cp.asarray(tau), _normal(z, alternative))


def _thirds(g: ndarray) -> ndarray:
    return g * (g - 1) * (g - 2)


def _weighted(g: ndarray) -> ndarray:
    return g * (g - 1) * (2 * g + 5)


def _normal(z: ndarray, alternative: str) -> ndarray:
    """Return the chance of a normal number at least as far out."""
    if alternative == "two-sided":
        return 2 * special.ndtr(-cp.abs(z))
    return special.ndtr(z if alternative == "less" else -z)


@lru_cache(maxsize=8)
def _rank_sum_tails(m: int, n: int) -> np.ndarray:
    """Return the chance of each rank sum of `m` among `m + n` numbers, less the least, or of a larger one."""
    ways = np.zeros(m * n + 1, object)
    ways[0] = 1
    for i in range(1, min(m, n) + 1):
        top = max(m, n) + i
        # Times 1 - q^top, and divided by 1 - q^i.
        if top <= m * n:
            ways[top:] = ways[top:] - ways[: m * n + 1 - top]
        for start in range(i):
            ways[start::i] = np.cumsum(ways[start::i])
    total = math.comb(m + n, m)
    return np.array([int(v) / total for v in np.cumsum(ways[::-1])[::-1]])


@names_itself
@documented
@along_axis("x", "y")
def mannwhitneyu(
    x: ArrayLike,
    y: ArrayLike,
    use_continuity: bool = True,
    alternative: str = "two-sided",
    axis: int | None = 0,
    method: str = "auto",
    *,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> MannwhitneyuResult:
    """Test whether numbers of one sample tend to be larger than those of another.

    Parameters
    ----------
    x, y : array_like
        The samples; their shapes are equal but for `axis`.
    use_continuity : bool, optional
        Take one half from the statistic where the normal distribution is used.
    alternative : {"two-sided", "less", "greater"}, optional
        The other hypothesis: how `x` is beside `y`.
    axis : int or None, optional
        The axis along which samples run.
    method : {"auto", "asymptotic", "exact"}, optional
        How the chance is computed: exactly where one sample has at most eight numbers and none are equal, by
        default.
    {nans}
    {keepdims}

    Returns
    -------
    MannwhitneyuResult
        With `statistic`, that of `x`, and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.mannwhitneyu(cp.array([19.0, 22, 16, 29, 24]), cp.array([20.0, 11, 17, 12]))
    MannwhitneyuResult(statistic=array(17.), pvalue=array(0.11111111))
    """
    check_choice("mannwhitneyu", "alternative", alternative, ALTERNATIVES)
    check_choice("mannwhitneyu", "method", method, ("auto", "asymptotic", "exact"))
    x, y = as_array(x), as_array(y)
    m, n = x.shape[-1], y.shape[-1]
    if m == 0 or n == 0:
        return MannwhitneyuResult(*(cp.full(x.shape[:-1], cp.nan) for _ in range(2)))
    ranks = rankdata(cp.concatenate((x, y), axis=-1), axis=-1)
    first = ranks[..., :m].sum(axis=-1) - m * (m + 1) / 2
    other = m * n - first
    tail = {"greater": first, "less": other}.get(alternative)
    tail = cp.maximum(first, other) if tail is None else tail
    ordered = cp.sort(ranks, axis=-1)
    has_ties = bool((ordered[..., 1:] == ordered[..., :-1]).any()) if method == "auto" else False
    if method == "exact" or method == "auto" and min(m, n) <= 8 and not has_ties:
        tails = cp.asarray(_rank_sum_tails(m, n))
        is_known = ~cp.isnan(tail)
        chance = cp.where(is_known, tails[cp.where(is_known, tail, 0).astype(np.int64)], cp.nan)
    else:
        # The sum of t^3 - t over groups of t equal numbers is 12 times what their ranks' squares lack.
        square = (cp.arange(1.0, m + n + 1) ** 2).sum()
        ties = 12 * (square - (ranks**2).sum(axis=-1))
        total = m + n
        deviation = cp.sqrt(m * n / 12 * ((total + 1) - ties / (total * (total - 1))))
        off = tail - m * n / 2
        if use_continuity:
            # At the middle both tails are as long; equal samples, without a deviation, have no chance then.
            off = off - (cp.where(off == 0, 0.0, 0.5) if alternative == "two-sided" else 0.5)
        chance = special.ndtr(-off / deviation)
    if alternative == "two-sided":
        chance = 2 * chance
    return MannwhitneyuResult(first, cp.clip(chance, 0.0, 1.0))


class WilcoxonResult(NamedTuple):
    """What `wilcoxon` returns."""

    statistic: ndarray
    pvalue: ndarray


class RanksumsResult(NamedTuple):
    """What `ranksums` returns."""

    statistic: ndarray
    pvalue: ndarray


@lru_cache(maxsize=32)
def _sign_tails(n: int) -> np.ndarray:
    """Return the chance of each sum of the positive ones among 1 to `n`, or of a larger one."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for i in range(1, n + 1):
        ways[i:] = ways[i:] + ways[:-i]
        ways *= 0.5
    return np.cumsum(ways[::-1])[::-1]


def _all_signs(ranks: ndarray, zeros: ndarray) -> ndarray:
    """Return the sum of positive ranks for every choice of signs, along a new last axis."""
    n = ranks.shape[-1]
    signs = (cp.arange(2**n)[:, None] >> cp.arange(n)) & 1
    held = cp.where(zeros, 0.0, ranks)
    result: ndarray = (held[..., None, :] * signs).sum(axis=-1)
    return result


@names_itself
@documented
@along_axis("x", "y", paired=True)
def wilcoxon(
    x: ArrayLike,
    y: ArrayLike | None = None,
    zero_method: str = "wilcox",
    correction: bool = False,
    alternative: str = "two-sided",
    method: str = "auto",
    *,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> WilcoxonResult:
    """Test whether differences are symmetric about zero, by ranks and signs.

    Parameters
    ----------
    x : array_like
        The differences, or the first numbers of pairs.
    y : array_like, optional
        The second ones.
    zero_method : {"wilcox", "pratt", "zsplit"}, optional
        What differences of zero do: are left out, have ranks that do not count, or count half to both
        sides.
    correction : bool, optional
        Take one half from the statistic where the normal distribution is used.
    {alternative}
    method : {"auto", "exact", "asymptotic"}, optional
        How the chance is computed: exactly for up to 50 differences that are all unequal and not zero, by all
        choices of signs for up to 13 others, by default.
    axis : int, optional
        The axis along which samples run.
    {nans}
    {keepdims}

    Returns
    -------
    WilcoxonResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.wilcoxon(cp.array([6.0, 8, 14, 16, 23, 24, -2]))
    WilcoxonResult(statistic=array(1.), pvalue=array(0.03125))
    """
    check_choice("wilcoxon", "zero_method", zero_method, ("wilcox", "pratt", "zsplit"))
    check_choice("wilcoxon", "alternative", alternative, ALTERNATIVES)
    method = "asymptotic" if method == "approx" else method
    check_choice("wilcoxon", "method", method, ("auto", "exact", "asymptotic"))
    d = as_array(x) if y is None else as_array(x) - as_array(y)
    if d.dtype.kind == "c":
        raise ValueError("wilcoxon: `x` (and `y`, if provided) must be an array of real numbers.")
    n = d.shape[-1]
    if d.size == 0:
        return WilcoxonResult(*(cp.full(d.shape[:-1], cp.nan) for _ in range(2)))
    zeros, nans = d == 0, cp.isnan(d)
    # Zeros come first among the sizes; where they are left out, the ranks of the others begin after them.
    ranks = rankdata(cp.where(nans, cp.inf, cp.abs(d)), axis=-1)
    zero_count = zeros.sum(axis=-1).astype(np.float64)
    if zero_method == "wilcox":
        ranks = cp.where(zeros, 0.0, ranks - zero_count[..., None])
    count = n - nans.sum(axis=-1) - (zero_count if zero_method == "wilcox" else 0)
    plus = cp.where(d > 0, ranks, 0.0).sum(axis=-1)
    minus = cp.where(d < 0, ranks, 0.0).sum(axis=-1)
    if zero_method == "zsplit":
        half = cp.where(zeros, ranks, 0.0).sum(axis=-1) / 2
        plus, minus = plus + half, minus + half
    if bool(nans.any()):
        hole = nans.any(axis=-1)
        plus, minus = cp.where(hole, cp.nan, plus), cp.where(hole, cp.nan, minus)
    ordered = cp.sort(cp.abs(d), axis=-1)
    has_ties = bool(((ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] != 0)).any())
    if method == "auto":
        if n > 50:
            method = "asymptotic"
        elif not has_ties and not bool(zeros.any()):
            method = "exact"
        else:
            method = "signs" if n <= 13 else "asymptotic"
    if method == "exact":
        chance = cp.full(plus.shape, cp.nan)
        for size in {int(v) for v in cp.unique(count).tolist()}:
            tails = cp.asarray(np.append(_sign_tails(size), 0.0))
            top = size * (size + 1) // 2
            up = tails[cp.clip(cp.floor(cp.nan_to_num(plus)), 0, top).astype(np.int64)]
            down = tails[cp.clip(top - cp.ceil(cp.nan_to_num(plus)), 0, top).astype(np.int64)]
            both = cp.clip(2 * cp.minimum(up, down), 0.0, 1.0)
            wanted = {"greater": up, "less": down, "two-sided": both}[alternative]
            chance = cp.where((count == size) & ~cp.isnan(plus), wanted, chance)
    elif method == "signs":
        sums = _all_signs(ranks, zeros)
        base = cp.where(zeros, ranks, 0.0).sum(axis=-1) / 2 if zero_method == "zsplit" else 0.0
        mine = (plus - base)[..., None]
        up, down = (sums >= mine - 1e-9).mean(axis=-1), (sums <= mine + 1e-9).mean(axis=-1)
        both = cp.clip(2 * cp.minimum(up, down), 0.0, 1.0)
        chance = {"greater": up, "less": down, "two-sided": both}[alternative]
    else:
        mean = count * (count + 1.0) * 0.25
        square = count * (count + 1.0) * (2.0 * count + 1.0)
        if zero_method == "pratt":
            mean = mean - zero_count * (zero_count + 1) * 0.25
            square = square - zero_count * (zero_count + 1) * (2 * zero_count + 1)
        # The sum of t^3 - t over groups of t equal sizes; zeros are a group only where they are split.
        held = ranks if zero_method != "pratt" else cp.where(zeros, 0.0, ranks)
        least = zero_count if zero_method == "pratt" else 0 * zero_count
        most = count if zero_method != "pratt" else count + 0.0
        whole = (most * (most + 1) * (2 * most + 1) - least * (least + 1) * (2 * least + 1)) / 6
        ties = 12 * (whole - (cp.where(nans, 0.0, held) ** 2).sum(axis=-1))
        deviation = cp.sqrt((square - ties / 2) / 24)
        z = (plus - mean) / deviation
        if correction:
            sign = {"greater": 1.0, "less": -1.0}.get(alternative)
            z = z - (cp.sign(z) if sign is None else sign) * 0.5 / deviation
        chance = _normal(z, alternative)
    statistic = cp.minimum(plus, minus) if alternative == "two-sided" else plus
    return WilcoxonResult(statistic, chance)


@names_itself
@documented
@along_axis("x", "y", narrow=False)
def ranksums(
    x: ArrayLike,
    y: ArrayLike,
    alternative: str = "two-sided",
    *,
    axis: int | None = 0,
    nan_policy: str = "propagate",
    keepdims: bool = False,
) -> RanksumsResult:
    """Test whether two samples have one distribution, by the sum of ranks, as a normal number.

    Parameters
    ----------
    x, y : array_like
        The samples.
    {alternative}
    axis : int, optional
        The axis along which samples run.
    {nans}
    {keepdims}

    Returns
    -------
    RanksumsResult
        With `statistic` and `pvalue`.

    Examples
    --------
    >>> from cuprum.scipy import stats
    >>> stats.ranksums(cp.array([1.0, 2.0, 3.0]), cp.array([2.5, 3.5, 4.5])).statistic.round(6)
    array(-1.527525)
    """
    check_choice("ranksums", "alternative", alternative, ALTERNATIVES)
    x, y = as_array(x), as_array(y)
    m, n = x.shape[-1], y.shape[-1]
    if m == 0 or n == 0:
        return RanksumsResult(*(cp.full(x.shape[:-1], cp.nan) for _ in range(2)))
    ranks = rankdata(cp.concatenate((x, y), axis=-1), axis=-1)
    z = (ranks[..., :m].sum(axis=-1) - m * (m + n + 1) / 2.0) / math.sqrt(m * n * (m + n + 1) / 12.0)
    return RanksumsResult(z, _normal(z, alternative))
