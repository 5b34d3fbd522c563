"""Statistics of samples, under the names of `scipy.stats`."""

from __future__ import annotations

from . import _density, _distributions, _hypotheses, _rank_tests, _ranks, _scores, _summaries
from ._density import *
from ._distributions import *
from ._hypotheses import *
from ._rank_tests import *
from ._ranks import *
from ._scores import *
from ._summaries import *

_PARTS = (_density, _distributions, _hypotheses, _rank_tests, _ranks, _scores, _summaries)

__all__ = sorted({name for part in _PARTS for name in part.__all__})
