"""Steps along a direction that satisfy Wolfe's conditions, by the method of Moré and Thuente."""

from __future__ import annotations

import math
from collections.abc import Callable

Along = Callable[[float], tuple[float, float]]


class _Trial:
    """A step with the value and the slope there."""

    def __init__(self, step: float, value: float, slope: float) -> None:
        self.step, self.value, self.slope = step, value, slope

    def less(self, slope: float) -> _Trial:
        """The same of the function without a line of a slope."""
        return _Trial(self.step, self.value - self.step * slope, self.slope - slope)


def _cubic(a: _Trial, b: _Trial, clipped: bool = False) -> tuple[float, float]:
    """Return where the cubic through two trials has its minimum, as a share of the way from b to a."""
    theta = 3.0 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    scale = max(abs(theta), abs(a.slope), abs(b.slope))
    if scale == 0:
        return math.nan, 0.0
    square = (theta / scale) ** 2 - a.slope / scale * (b.slope / scale)
    root = scale * math.sqrt(max(0.0, square) if clipped or square > 0 else 0.0)
    if b.step > a.step:
        root = -root
    bottom = root - b.slope + root + a.slope
    return ((root - b.slope + theta) / bottom if bottom else math.nan), root


def _next_step(
    best: _Trial, other: _Trial, trial: _Trial, bracketed: bool, low: float, high: float
) -> tuple[float, bool]:
    """Return the next step, and whether a minimum lies between two known ones from now on."""
    x, t = best, trial
    opposite = t.slope * (x.slope / abs(x.slope)) < 0 if x.slope else False
    if t.value > x.value:
        share, _ = _cubic(t, x)
        cubic = x.step + share * (t.step - x.step)
        fall = (x.value - t.value) / (t.step - x.step) + x.slope
        quadratic = x.step + x.slope / fall / 2.0 * (t.step - x.step)
        if abs(cubic - x.step) < abs(quadratic - x.step):
            return cubic, True
        return cubic + (quadratic - cubic) / 2.0, True
    if opposite:
        share, _ = _cubic(x, t)
        cubic = t.step + share * (x.step - t.step)
        secant = t.step + t.slope / (t.slope - x.slope) * (x.step - t.step)
        return (cubic if abs(cubic - t.step) > abs(secant - t.step) else secant), True
    if abs(t.slope) < abs(x.slope):
        share, root = _cubic(x, t, clipped=True)
        if share < 0 and root != 0:
            cubic = t.step + share * (x.step - t.step)
        else:
            cubic = high if t.step > x.step else low
        secant = t.step + t.slope / (t.slope - x.slope) * (x.step - t.step)
        if bracketed:
            found = cubic if abs(cubic - t.step) < abs(secant - t.step) else secant
            limit = t.step + 0.66 * (other.step - t.step)
            return (min(limit, found) if t.step > x.step else max(limit, found)), True
        found = cubic if abs(cubic - t.step) > abs(secant - t.step) else secant
        return min(max(found, low), high), False
    if bracketed:
        share, _ = _cubic(other, t)
        return t.step + share * (other.step - t.step), True
    return (high if t.step > x.step else low), False


def wolfe_step(
    along: Along,
    value: float,
    slope: float,
    first: float,
    c1: float,
    c2: float,
    least: float = 1e-100,
    most: float = 1e100,
    xtol: float = 1e-14,
    rounds: int = 100,
) -> tuple[float, bool] | None:
    """Return a step with enough decrease and a flat enough slope.

    `along` gives the value and the slope at a step. The second value tells whether both conditions hold; None
    where there is no such step.
    """
    if slope >= 0 or not least <= first <= most:
        return None
    test = c1 * slope
    best, other = _Trial(0.0, value, slope), _Trial(0.0, value, slope)
    bracketed, shifted = False, True
    low, high = 0.0, 5.0 * first
    width, width_before = most - least, 2 * (most - least)
    step = first
    for _ in range(rounds):
        if not math.isfinite(step):
            return None
        trial = _Trial(step, *along(step))
        enough = value + step * test
        if shifted and trial.value <= enough and trial.slope >= 0:
            shifted = False
        if trial.value <= enough and abs(trial.slope) <= c2 * -slope:
            return step, True
        stuck = bracketed and (step <= low or step >= high or high - low <= xtol * high)
        at_most = step == most and trial.value <= enough and trial.slope <= test
        at_least = step == least and (trial.value > enough or trial.slope >= test)
        if stuck or at_most or at_least or math.isnan(trial.value):
            return None
        if shifted and trial.value <= best.value and trial.value > enough:
            parts = best.less(test), other.less(test), trial.less(test)
        else:
            parts = best, other, trial
        new, brackets = _next_step(*parts, bracketed, low, high)
        rises = parts[2].value > parts[0].value
        turned = parts[2].slope * parts[0].slope < 0
        if rises:
            other = trial
        else:
            if turned:
                other = best
            best = trial
        bracketed = bracketed or brackets
        if bracketed:
            if abs(other.step - best.step) >= 0.66 * width_before:
                new = best.step + 0.5 * (other.step - best.step)
            width_before, width = width, abs(other.step - best.step)
            low, high = min(best.step, other.step), max(best.step, other.step)
        else:
            low, high = new + 1.1 * (new - best.step), new + 4.0 * (new - best.step)
        new = min(max(new, least), most)
        if bracketed and (new <= low or new >= high or high - low <= xtol * high):
            new = best.step
        step = new
    return None
