# Written by `make stubs` from the extension's own signatures. Do not edit.

from ..._core import _Binary, _Ternary, _Unary

__all__ = [
    "agm",
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "binom",
    "boxcox",
    "boxcox1p",
    "cosdg",
    "cosm1",
    "cotdg",
    "dawsn",
    "digamma",
    "ellipe",
    "ellipeinc",
    "ellipk",
    "ellipkinc",
    "ellipkm1",
    "elliprc",
    "elliprd",
    "elliprf",
    "elliprg",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfi",
    "erfinv",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_legendre",
    "exp1",
    "exp10",
    "expi",
    "expit",
    "expn",
    "exprel",
    "fdtr",
    "fdtrc",
    "fdtri",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "gammasgn",
    "hankel1",
    "hankel1e",
    "hankel2",
    "hankel2e",
    "huber",
    "hyp0f1",
    "hyp1f1",
    "hyperu",
    "i0e",
    "i1",
    "i1e",
    "inv_boxcox",
    "inv_boxcox1p",
    "iv",
    "ive",
    "j0",
    "j1",
    "jn",
    "jv",
    "jve",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kl_div",
    "kn",
    "kv",
    "kve",
    "log_expit",
    "log_ndtr",
    "loggamma",
    "logit",
    "lpmv",
    "ndtr",
    "ndtri",
    "poch",
    "pseudo_huber",
    "psi",
    "radian",
    "rel_entr",
    "rgamma",
    "sindg",
    "spence",
    "stdtr",
    "stdtrit",
    "tandg",
    "voigt_profile",
    "wofz",
    "wright_bessel",
    "xlog1py",
    "xlogy",
    "y0",
    "y1",
    "yn",
    "yv",
    "yve",
    "zetac",
]

agm: _Binary
beta: _Binary
betainc: _Ternary
betaincc: _Ternary
betainccinv: _Ternary
betaincinv: _Ternary
betaln: _Binary
binom: _Binary
boxcox: _Binary
boxcox1p: _Binary
cosdg: _Unary
cosm1: _Unary
cotdg: _Unary
dawsn: _Unary
digamma: _Unary
ellipe: _Unary
ellipeinc: _Binary
ellipk: _Unary
ellipkinc: _Binary
ellipkm1: _Unary
elliprc: _Binary
elliprd: _Ternary
elliprf: _Ternary
elliprg: _Ternary
entr: _Unary
erf: _Unary
erfc: _Unary
erfcinv: _Unary
erfcx: _Unary
erfi: _Unary
erfinv: _Unary
eval_chebyt: _Binary
eval_chebyu: _Binary
eval_gegenbauer: _Ternary
eval_genlaguerre: _Ternary
eval_hermite: _Binary
eval_hermitenorm: _Binary
eval_legendre: _Binary
exp1: _Unary
exp10: _Unary
expi: _Unary
expit: _Unary
expn: _Binary
exprel: _Unary
fdtr: _Ternary
fdtrc: _Ternary
fdtri: _Ternary
gamma: _Unary
gammainc: _Binary
gammaincc: _Binary
gammainccinv: _Binary
gammaincinv: _Binary
gammaln: _Unary
gammasgn: _Unary
hankel1: _Binary
hankel1e: _Binary
hankel2: _Binary
hankel2e: _Binary
huber: _Binary
hyp0f1: _Binary
hyp1f1: _Ternary
hyperu: _Ternary
i0e: _Unary
i1: _Unary
i1e: _Unary
inv_boxcox: _Binary
inv_boxcox1p: _Binary
iv: _Binary
ive: _Binary
j0: _Unary
j1: _Unary
jn: _Binary
jv: _Binary
jve: _Binary
k0: _Unary
k0e: _Unary
k1: _Unary
k1e: _Unary
kl_div: _Binary
kn: _Binary
kv: _Binary
kve: _Binary
log_expit: _Unary
log_ndtr: _Unary
loggamma: _Unary
logit: _Unary
lpmv: _Ternary
ndtr: _Unary
ndtri: _Unary
poch: _Binary
pseudo_huber: _Binary
psi: _Unary
radian: _Ternary
rel_entr: _Binary
rgamma: _Unary
sindg: _Unary
spence: _Unary
stdtr: _Binary
stdtrit: _Binary
tandg: _Unary
voigt_profile: _Ternary
wofz: _Unary
wright_bessel: _Ternary
xlog1py: _Binary
xlogy: _Binary
y0: _Unary
y1: _Unary
yn: _Binary
yv: _Binary
yve: _Binary
zetac: _Unary
