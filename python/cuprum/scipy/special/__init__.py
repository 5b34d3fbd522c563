"""Special functions, under the names of `scipy.special`.

Most are ufuncs: rows of the table of ops, which are deferred and fused with other elementwise work. The
others are made of them.
"""

from __future__ import annotations

from ..._math.elementwise import round, sinc
from . import _ufuncs
from ._bessel import (
    airy,
    h1vp,
    h2vp,
    ivp,
    jvp,
    kvp,
    spherical_in,
    spherical_jn,
    spherical_kn,
    spherical_yn,
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
from ._elementary import cbrt, exp2, expm1, log1p
from ._integrals import ellipj, fresnel, i0, lambertw, shichi, sici
from ._packed import elliprj, hyp2f1
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
from ._ufuncs import *

# In the place of the ufuncs of these names.
from ._elementary import expn, kn, yn  # type: ignore[assignment]  # isort: skip
from ._polynomials import (  # type: ignore[assignment]  # isort: skip
    eval_chebyt,
    eval_chebyu,
    eval_gegenbauer,
    eval_genlaguerre,
    eval_hermite,
    eval_hermitenorm,
    eval_legendre,
)

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
    "elliprj",
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
    "fresnel",
    "gdtr",
    "gdtrc",
    "gdtrix",
    "h1vp",
    "h2vp",
    "hyp2f1",
    "i0",
    "ivp",
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
    "yvp",
    "zeta",
]
__all__ += _ufuncs.__all__
