"""Windows: weights that taper off towards both ends, under the names of `scipy.signal.windows`."""

from __future__ import annotations

from ._cosines import (
    blackman,
    blackmanharris,
    flattop,
    general_cosine,
    general_hamming,
    hamming,
    hann,
    nuttall,
)
from ._names import get_window
from ._shapes import (
    barthann,
    bartlett,
    bohman,
    boxcar,
    chebwin,
    cosine,
    exponential,
    gaussian,
    general_gaussian,
    kaiser,
    kaiser_bessel_derived,
    lanczos,
    parzen,
    taylor,
    triang,
    tukey,
)
from ._slepian import dpss

__all__ = [
    "barthann",
    "bartlett",
    "blackman",
    "blackmanharris",
    "bohman",
    "boxcar",
    "chebwin",
    "cosine",
    "dpss",
    "exponential",
    "flattop",
    "gaussian",
    "general_cosine",
    "general_gaussian",
    "general_hamming",
    "get_window",
    "hamming",
    "hann",
    "kaiser",
    "kaiser_bessel_derived",
    "lanczos",
    "nuttall",
    "parzen",
    "taylor",
    "triang",
    "tukey",
]
