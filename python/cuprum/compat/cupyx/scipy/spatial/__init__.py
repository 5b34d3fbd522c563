"""The module that `import cupyx.scipy.spatial` gives: SciPy's functions, and trees that list arrays."""

from __future__ import annotations

from typing import Any as _Any

import cuprum.scipy.spatial as _spatial
from cuprum.scipy.spatial import *  # noqa: F403

__all__ = [*_spatial.__all__]  # noqa: PLE0604


class KDTree(_spatial.KDTree):  # type: ignore[no-redef]
    """Find neighbours of points; their indices are arrays on the device, where SciPy has Python's lists.

    Parameters
    ----------
    data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize : optional
        As in `cuprum.scipy.spatial.KDTree`.

    Examples
    --------
    >>> from cuprum.compat.cupyx.scipy.spatial import KDTree
    >>> tree = KDTree(cp.asarray([[0.0, 0], [1, 0], [5, 5]]))
    >>> tree.query_ball_point(cp.asarray([[0.0, 0.0], [5.0, 5.0]]), 2.0)
    [array([0, 1]), array([2])]
    """

    def query_ball_point(
        self,
        x: _Any,
        r: _Any,
        p: float = 2.0,
        eps: float = 0,
        workers: int = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> _Any:
        """Return the indices of all points within a distance, an array for each query point.

        Examples
        --------
        >>> from cuprum.compat.cupyx.scipy.spatial import KDTree
        >>> KDTree(cp.asarray([[0.0], [1.0], [5.0]])).query_ball_point(cp.asarray([0.5]), 1.0)
        [array([0, 1])]
        """
        if return_length:
            return super().query_ball_point(x, r, p, eps, workers, return_sorted, True)
        in_order = True if return_sorted is None else return_sorted
        _, start, index = self._lists_within(x, r, p, eps, in_order)
        bounds = start.tolist()
        return [index[first:last] for first, last in zip(bounds[:-1], bounds[1:], strict=True)]


cKDTree = KDTree  # type: ignore[misc]


def __getattr__(name: str) -> _Any:
    """Find what is not in the list of names: submodules."""
    # The path above all stays this package's: another would give second copies of modules.
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_spatial, name)


def __dir__() -> list[str]:
    return sorted({*dir(_spatial), *globals()})
