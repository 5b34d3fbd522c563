"""Random numbers: counter-based, the same for a seed with any number of threads and on any device.

`default_rng` gives NumPy's Generator on a Philox stream. `PCG64` and NumPy's other bit generators, by name or
for the whole program by `set_default("numpy")`, give NumPy's numbers for every distribution. The functions of
the module draw from one RandomState that the program shares, as in CuPy.
"""

from __future__ import annotations

from ._bit_generators import (
    XORWOW,
    BitGenerator,
    MRG32k3a,
    Philox,
    Philox4x3210,
)
from ._default import get_default, set_default
from ._generator import Generator, default_rng
from ._module import get_random_state, of_current, reset_states, set_random_state
from ._random_state import RandomState
from ._seeds import SeedSequence
from ._sequential import MT19937, PCG64, PCG64DXSM, SFC64

seed = of_current("seed")
get_state = of_current("get_state")
set_state = of_current("set_state")

rand = of_current("rand")
randn = of_current("randn")
random = of_current("random")
random_sample = of_current("random_sample")
ranf = of_current("ranf")
sample = of_current("sample")
randint = of_current("randint")
random_integers = of_current("random_integers")
bytes = of_current("bytes")

choice = of_current("choice")
permutation = of_current("permutation")
shuffle = of_current("shuffle")

beta = of_current("beta")
binomial = of_current("binomial")
chisquare = of_current("chisquare")
dirichlet = of_current("dirichlet")
exponential = of_current("exponential")
f = of_current("f")
gamma = of_current("gamma")
geometric = of_current("geometric")
gumbel = of_current("gumbel")
hypergeometric = of_current("hypergeometric")
laplace = of_current("laplace")
logistic = of_current("logistic")
lognormal = of_current("lognormal")
logseries = of_current("logseries")
multinomial = of_current("multinomial")
multivariate_normal = of_current("multivariate_normal")
negative_binomial = of_current("negative_binomial")
noncentral_chisquare = of_current("noncentral_chisquare")
noncentral_f = of_current("noncentral_f")
normal = of_current("normal")
pareto = of_current("pareto")
poisson = of_current("poisson")
power = of_current("power")
rayleigh = of_current("rayleigh")
standard_cauchy = of_current("standard_cauchy")
standard_exponential = of_current("standard_exponential")
standard_gamma = of_current("standard_gamma")
standard_normal = of_current("standard_normal")
standard_t = of_current("standard_t")
triangular = of_current("triangular")
uniform = of_current("uniform")
vonmises = of_current("vonmises")
wald = of_current("wald")
weibull = of_current("weibull")
zipf = of_current("zipf")

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "XORWOW",
    "BitGenerator",
    "Generator",
    "MRG32k3a",
    "Philox",
    "Philox4x3210",
    "RandomState",
    "SeedSequence",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_default",
    "get_random_state",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "reset_states",
    "sample",
    "seed",
    "set_default",
    "set_random_state",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]
