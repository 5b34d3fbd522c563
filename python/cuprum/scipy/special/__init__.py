"""Special functions, under the names of `scipy.special`.

Most are ufuncs: rows of the table of ops, which are deferred and fused with other elementwise work. The
others are made of them.
"""

from __future__ import annotations

from ... import _core
from ..._math.elementwise import round, sinc
from ..._ufuncs import cbrt, exp2, expm1, log1p
from ._bessel import (
    airy,
    ivp,
    jve,
    jvp,
    kvp,
    spherical_in,
    spherical_jn,
    spherical_kn,
    spherical_yn,
    yve,
    yvp,
)
from ._counting import comb, factorial, factorial2, multigammaln, perm, polygamma, zeta
from ._distributions import (
    bdtr,
    bdtrc,
    bdtri,
    btdtr,
    btdtri,
    chdtr,
    chdtrc,
    chdtri,
    fdtr,
    fdtrc,
    fdtri,
    gdtr,
    gdtrc,
    gdtrix,
    nbdtr,
    nbdtrc,
    nbdtri,
    pdtr,
    pdtrc,
    pdtri,
)
from ._integrals import ellipj, fresnel, i0, lambertw, shichi, sici
from ._polynomials import (
    eval_chebyc,
    eval_chebys,
    eval_jacobi,
    eval_laguerre,
    eval_sh_chebyt,
    eval_sh_chebyu,
    eval_sh_jacobi,
    eval_sh_legendre,
    sph_harm,
    sph_harm_y,
    sph_legendre_p,
)
from ._sums import log_softmax, logsumexp, softmax, softplus

_UFUNCS = _core.ufuncs("special")
globals().update(_UFUNCS)

__all__ = [
    "airy",
    "bdtr",
    "bdtrc",
    "bdtri",
    "btdtr",
    "btdtri",
    "cbrt",
    "chdtr",
    "chdtrc",
    "chdtri",
    "comb",
    "ellipj",
    "eval_chebyc",
    "eval_chebys",
    "eval_jacobi",
    "eval_laguerre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_jacobi",
    "eval_sh_legendre",
    "exp2",
    "expm1",
    "factorial",
    "factorial2",
    "fdtr",
    "fdtrc",
    "fdtri",
    "fresnel",
    "gdtr",
    "gdtrc",
    "gdtrix",
    "i0",
    "ivp",
    "jve",
    "jvp",
    "kvp",
    "lambertw",
    "log1p",
    "log_softmax",
    "logsumexp",
    "multigammaln",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "pdtr",
    "pdtrc",
    "pdtri",
    "perm",
    "polygamma",
    "round",
    "shichi",
    "sici",
    "sinc",
    "softmax",
    "softplus",
    "sph_harm",
    "sph_harm_y",
    "sph_legendre_p",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "yve",
    "yvp",
    "zeta",
    *sorted(_UFUNCS),
]
