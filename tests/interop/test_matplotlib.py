"""Plots of arrays on the CPU: what Matplotlib draws of NumPy's, it draws of Cuprum's."""

import io

import numpy as np
import pytest

import cuprum as cp

pytestmark = pytest.mark.cpu

PLOTS = {
    "plot": lambda ax, x, y, m, n: ax.plot(x, y),
    "plot of one": lambda ax, x, y, m, n: ax.plot(y, "ro-"),
    "plot of columns": lambda ax, x, y, m, n: ax.plot(m),
    "scatter": lambda ax, x, y, m, n: ax.scatter(x, y, c=y, s=y * 20),
    "bar": lambda ax, x, y, m, n: ax.bar(x, y),
    "bar of names": lambda ax, x, y, m, n: ax.bar(list("abc"), y, bottom=y, width=y / 4),
    "bar of values": lambda ax, x, y, m, n: ax.bar(y, y, yerr=y / 10),
    "barh": lambda ax, x, y, m, n: ax.barh(x, y, left=y),
    "bar labels": lambda ax, x, y, m, n: ax.bar_label(ax.bar(x, y)),
    "hist": lambda ax, x, y, m, n: ax.hist(n, bins=10),
    "hist of edges": lambda ax, x, y, m, n: ax.hist(n, bins=m[0] * 4 - 2, weights=n * n),
    "hist of columns": lambda ax, x, y, m, n: ax.hist(m, bins=4),
    "hist2d": lambda ax, x, y, m, n: ax.hist2d(n, n[::-1]),
    "imshow": lambda ax, x, y, m, n: ax.imshow(m),
    "pcolormesh": lambda ax, x, y, m, n: ax.pcolormesh(m),
    "contour": lambda ax, x, y, m, n: ax.contour(m, levels=m[:, 1]),
    "contourf": lambda ax, x, y, m, n: ax.contourf(m[0], m[0], m),
    "errorbar": lambda ax, x, y, m, n: ax.errorbar(x, y, yerr=y / 10, xerr=y / 20),
    "fill_between": lambda ax, x, y, m, n: ax.fill_between(x, y, y + 1, where=y > 1),
    "errorbar of pairs": lambda ax, x, y, m, n: ax.errorbar(m[0], m[1], yerr=m[2:4]),
    "stackplot of rows": lambda ax, x, y, m, n: ax.stackplot(m[0], m[1:3]),
    "eventplot of rows": lambda ax, x, y, m, n: ax.eventplot(m),
    "boxplot": lambda ax, x, y, m, n: ax.boxplot(n),
    "boxplot of columns": lambda ax, x, y, m, n: ax.boxplot(m),
    "violinplot": lambda ax, x, y, m, n: ax.violinplot(m),
    "stem": lambda ax, x, y, m, n: ax.stem(x, y),
    "pie": lambda ax, x, y, m, n: ax.pie(y, explode=y / 20),
    "hexbin": lambda ax, x, y, m, n: ax.hexbin(n, n, gridsize=8),
    "step": lambda ax, x, y, m, n: ax.step(x, y),
    "stackplot": lambda ax, x, y, m, n: ax.stackplot(x, y, y),
    "stairs": lambda ax, x, y, m, n: ax.stairs(y),
    "quiver": lambda ax, x, y, m, n: ax.quiver(x, y, y, x),
    "lines": lambda ax, x, y, m, n: (ax.vlines(x, 0, y), ax.hlines(y, 0, x), ax.axhline(y[0])),
    "eventplot": lambda ax, x, y, m, n: ax.eventplot(y),
    "ticks and limits": lambda ax, x, y, m, n: (ax.set_xticks(x), ax.set_ylim(y.min(), y.max())),
    "text": lambda ax, x, y, m, n: ax.annotate("a", (y[0], y[1]), (y[1], y[2])),
    "semilogy": lambda ax, x, y, m, n: ax.semilogy(x, y),
}


def drawn(plot, xp):
    """Return the pixels of a plot of these arrays."""
    from matplotlib.figure import Figure

    x, y = xp.asarray([0, 1, 2]), xp.asarray([3.0, 1.0, 2.0])
    m = xp.linspace(0, 1, 36).reshape(6, 6)
    n = xp.asarray(np.random.default_rng(0).standard_normal(200))
    figure = Figure(figsize=(2, 2), dpi=50)
    plot(figure.subplots(), x, y, m, n)
    file = io.BytesIO()
    figure.savefig(file, format="rgba")
    return np.frombuffer(file.getvalue(), np.uint8)


@pytest.mark.parametrize("name", PLOTS)
def test_plots_of_arrays_are_those_of_numpys(name):
    pytest.importorskip("matplotlib")
    assert np.array_equal(drawn(PLOTS[name], cp), drawn(PLOTS[name], np))
