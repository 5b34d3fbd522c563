"""Statistics of samples, under the names of `scipy.stats`."""

from __future__ import annotations

from .._missing import explained as _explained
from . import (
    _anderson,
    _contingency,
    _density,
    _distributions,
    _group_tests,
    _hypotheses,
    _kolmogorov,
    _rank_tests,
    _ranks,
    _scores,
    _shape_tests,
    _spread,
    _summaries,
)
from ._anderson import *
from ._contingency import *
from ._density import *
from ._distributions import *
from ._group_tests import *
from ._hypotheses import *
from ._kolmogorov import *
from ._rank_tests import *
from ._ranks import *
from ._scores import *
from ._shape_tests import *
from ._spread import *
from ._summaries import *

_PARTS = (
    _anderson,
    _contingency,
    _density,
    _distributions,
    _group_tests,
    _hypotheses,
    _kolmogorov,
    _rank_tests,
    _ranks,
    _scores,
    _shape_tests,
    _spread,
    _summaries,
)

__all__ = sorted({name for part in _PARTS for name in part.__all__})

__getattr__ = _explained(
    __name__,
    {
        "binned_statistic": "use cuprum.histogram with weights, or cuprum.bincount of cuprum.digitize",
        "binned_statistic_2d": "use cuprum.histogram2d with weights",
        "binned_statistic_dd": "use cuprum.histogramdd with weights",
        "circmean": "use cuprum.angle(cuprum.exp(1j * samples).mean())",
    },
)
