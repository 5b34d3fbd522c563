"""Time every special function beside SciPy's on the CPU: one thread, and all of them.

    python benches/special.py                   every row, its section of benches/RESULTS.md
    python benches/special.py --only airy       the functions whose name contains the text, printed only
    python benches/special.py --quick           fewer elements and samples, printed only
    python benches/special.py --busy            the same by one thread, beside other work; its section
    python benches/special.py --child THREADS   the rows as JSON lines (what the table calls)

Operands are drawn from a domain that the function is typically asked for. Both libraries run by turns in one
process; the figure is the least of several samples: of the process's CPU time with one thread, of the clock
with all. SciPy has one thread. Results are compared first, loosely: accuracy is held by the tests.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from results import PAGE, available_threads, cpu_model, significant, write

Domain = tuple[Any, ...]
COUNT = 200_000
QUICK_COUNT = 20_000
SAMPLES = 7
SHORTEST_S = 0.2
"""Samples are taken until there are this many seconds of them, of each library."""

REAL_LINE = (-10.0, 10.0)
POSITIVE = (0.1, 50.0)
CHANCE = (0.001, 0.999)
NORMAL = ("normal",)
ORDER = (0.0, 20.0)
WHOLE = ("whole", 0, 12)
COUNTED = ("count", 0, 12)
SHAPE = (0.2, 30.0)
DEGREES = (-360.0, 360.0)
MODULUS = (0.0, 0.99)
INSIDE = (-0.99, 0.99)

DOMAINS: dict[str, tuple[Domain, ...]] = {
    "agm": (POSITIVE, POSITIVE),
    "airy": (REAL_LINE,),
    "bdtr": (WHOLE, ("count", 12, 60), CHANCE),
    "bdtrc": (WHOLE, ("count", 12, 60), CHANCE),
    "bdtri": (WHOLE, ("count", 13, 60), CHANCE),
    "beta": (SHAPE, SHAPE),
    "betainc": (SHAPE, SHAPE, CHANCE),
    "betaincc": (SHAPE, SHAPE, CHANCE),
    "betainccinv": (SHAPE, SHAPE, CHANCE),
    "betaincinv": (SHAPE, SHAPE, CHANCE),
    "betaln": (SHAPE, SHAPE),
    "binom": ((1.0, 60.0), (0.0, 30.0)),
    "boxcox": (POSITIVE, (-2.0, 2.0)),
    "boxcox1p": (POSITIVE, (-2.0, 2.0)),
    "cbrt": (REAL_LINE,),
    "chdtr": (SHAPE, POSITIVE),
    "chdtrc": (SHAPE, POSITIVE),
    "chdtri": (SHAPE, CHANCE),
    "cosdg": (DEGREES,),
    "cosm1": (REAL_LINE,),
    "cotdg": (DEGREES,),
    "dawsn": (REAL_LINE,),
    "digamma": (POSITIVE,),
    "ellipe": (MODULUS,),
    "ellipeinc": ((-3.0, 3.0), MODULUS),
    "ellipj": (REAL_LINE, MODULUS),
    "ellipk": (MODULUS,),
    "ellipkinc": ((-3.0, 3.0), MODULUS),
    "ellipkm1": (CHANCE,),
    "elliprc": (POSITIVE, POSITIVE),
    "elliprd": (POSITIVE, POSITIVE, POSITIVE),
    "elliprf": (POSITIVE, POSITIVE, POSITIVE),
    "elliprg": (POSITIVE, POSITIVE, POSITIVE),
    "elliprj": (POSITIVE, POSITIVE, POSITIVE, POSITIVE),
    "entr": (POSITIVE,),
    "erf": (NORMAL,),
    "erfc": (NORMAL,),
    "erfcinv": ((0.001, 1.999),),
    "erfcx": (REAL_LINE,),
    "erfi": (NORMAL,),
    "erfinv": (INSIDE,),
    "eval_chebyc": (COUNTED, (-2.0, 2.0)),
    "eval_chebys": (COUNTED, (-2.0, 2.0)),
    "eval_chebyt": (COUNTED, INSIDE),
    "eval_chebyu": (COUNTED, INSIDE),
    "eval_gegenbauer": (COUNTED, (0.1, 3.0), INSIDE),
    "eval_genlaguerre": (COUNTED, (0.1, 3.0), (0.0, 20.0)),
    "eval_hermite": (COUNTED, (-4.0, 4.0)),
    "eval_hermitenorm": (COUNTED, (-4.0, 4.0)),
    "eval_jacobi": (COUNTED, (0.1, 3.0), (0.1, 3.0), INSIDE),
    "eval_laguerre": (COUNTED, (0.0, 20.0)),
    "eval_legendre": (COUNTED, INSIDE),
    "eval_sh_chebyt": (COUNTED, CHANCE),
    "eval_sh_chebyu": (COUNTED, CHANCE),
    "eval_sh_jacobi": (COUNTED, (2.1, 3.0), (0.1, 1.0), CHANCE),
    "eval_sh_legendre": (COUNTED, CHANCE),
    "exp1": ((0.01, 20.0),),
    "exp10": (REAL_LINE,),
    "exp2": (REAL_LINE,),
    "expi": (REAL_LINE,),
    "expit": (REAL_LINE,),
    "expm1": (REAL_LINE,),
    "expn": (WHOLE, (0.01, 20.0)),
    "exprel": (REAL_LINE,),
    "fdtr": (SHAPE, SHAPE, (0.01, 10.0)),
    "fdtrc": (SHAPE, SHAPE, (0.01, 10.0)),
    "fdtri": (SHAPE, SHAPE, CHANCE),
    "fresnel": (REAL_LINE,),
    "gamma": (POSITIVE,),
    "gammainc": (SHAPE, POSITIVE),
    "gammaincc": (SHAPE, POSITIVE),
    "gammainccinv": (SHAPE, CHANCE),
    "gammaincinv": (SHAPE, CHANCE),
    "gammaln": (POSITIVE,),
    "gammasgn": (REAL_LINE,),
    "gdtr": ((0.1, 2.0), SHAPE, POSITIVE),
    "gdtrc": ((0.1, 2.0), SHAPE, POSITIVE),
    "gdtrix": ((0.1, 2.0), SHAPE, CHANCE),
    "hankel1": (ORDER, POSITIVE),
    "hankel1e": (ORDER, POSITIVE),
    "hankel2": (ORDER, POSITIVE),
    "hankel2e": (ORDER, POSITIVE),
    "huber": (POSITIVE, REAL_LINE),
    "hyp0f1": (SHAPE, REAL_LINE),
    "hyp1f1": ((0.1, 5.0), (0.1, 5.0), REAL_LINE),
    "hyp2f1": ((0.1, 5.0), (0.1, 5.0), (0.1, 5.0), INSIDE),
    "hyperu": ((0.1, 5.0), (0.1, 5.0), (0.1, 20.0)),
    "i0": (REAL_LINE,),
    "i0e": (REAL_LINE,),
    "i1": (REAL_LINE,),
    "i1e": (REAL_LINE,),
    "inv_boxcox": ((0.0, 5.0), (0.1, 2.0)),
    "inv_boxcox1p": ((0.0, 5.0), (0.1, 2.0)),
    "iv": (ORDER, POSITIVE),
    "ive": (ORDER, POSITIVE),
    "j0": (POSITIVE,),
    "j1": (POSITIVE,),
    "jn": (WHOLE, POSITIVE),
    "jv": (ORDER, POSITIVE),
    "jve": (ORDER, POSITIVE),
    "k0": (POSITIVE,),
    "k0e": (POSITIVE,),
    "k1": (POSITIVE,),
    "k1e": (POSITIVE,),
    "kl_div": (POSITIVE, POSITIVE),
    "kn": (WHOLE, POSITIVE),
    "kv": (ORDER, POSITIVE),
    "kve": (ORDER, POSITIVE),
    "log1p": (POSITIVE,),
    "log_expit": (REAL_LINE,),
    "log_ndtr": (REAL_LINE,),
    "loggamma": (POSITIVE,),
    "logit": (CHANCE,),
    "lpmv": (("whole", 0, 4), ("whole", 4, 12), INSIDE),
    "nbdtr": (COUNTED, ("count", 1, 30), CHANCE),
    "nbdtrc": (COUNTED, ("count", 1, 30), CHANCE),
    "nbdtri": (COUNTED, ("count", 1, 30), CHANCE),
    "ndtr": (NORMAL,),
    "ndtri": (CHANCE,),
    "pdtr": (WHOLE, SHAPE),
    "pdtrc": (WHOLE, SHAPE),
    "pdtri": (COUNTED, CHANCE),
    "poch": (SHAPE, (0.0, 10.0)),
    "pseudo_huber": (POSITIVE, REAL_LINE),
    "psi": (POSITIVE,),
    "radian": (DEGREES, (0.0, 60.0), (0.0, 60.0)),
    "rel_entr": (POSITIVE, POSITIVE),
    "rgamma": (POSITIVE,),
    "round": (REAL_LINE,),
    "shichi": (REAL_LINE,),
    "sici": (POSITIVE,),
    "sindg": (DEGREES,),
    "spence": ((0.0, 5.0),),
    "stdtr": (SHAPE, REAL_LINE),
    "stdtrit": (SHAPE, CHANCE),
    "tandg": (DEGREES,),
    "voigt_profile": (REAL_LINE, (0.1, 3.0), (0.1, 3.0)),
    "wright_bessel": ((0.1, 3.0), (0.1, 3.0), (0.0, 20.0)),
    "xlog1py": (POSITIVE, POSITIVE),
    "xlogy": (POSITIVE, POSITIVE),
    "y0": (POSITIVE,),
    "y1": (POSITIVE,),
    "yn": (WHOLE, POSITIVE),
    "yv": (ORDER, POSITIVE),
    "yve": (ORDER, POSITIVE),
    "zeta": ((1.1, 20.0), (0.1, 20.0)),
    "zetac": ((1.1, 20.0),),
    "sinc": (REAL_LINE,),
    "spherical_in": (COUNTED, POSITIVE),
    "spherical_jn": (COUNTED, POSITIVE),
    "spherical_kn": (COUNTED, POSITIVE),
    "spherical_yn": (COUNTED, POSITIVE),
    "lambertw": (POSITIVE,),
    "multigammaln": ((5.0, 50.0),),
    "polygamma": (("count", 1, 4), POSITIVE),
    "comb": (("count", 10, 40), COUNTED),
    "perm": (("count", 10, 40), COUNTED),
    "factorial": (("count", 0, 60),),
    "logsumexp": (NORMAL,),
    "softmax": (NORMAL,),
    "log_softmax": (NORMAL,),
    "sph_harm_y": (COUNTED, ("count", 0, 4), (0.0, 3.0), (0.0, 6.0)),
    "sph_legendre_p": (COUNTED, ("count", 0, 4), (0.0, 3.0)),
}
"""The functions, and what each argument is drawn from: two ends, whole numbers between two ends (floats, or
integers where it says "count"), or the normal distribution."""

COMPLEX = [
    *("airy", "dawsn", "digamma", "erf", "erfc", "erfcx", "erfi", "exp1", "expi", "fresnel", "gamma"),
    *("loggamma", "log_ndtr", "ndtr", "rgamma", "shichi", "sici", "spence", "wofz"),
    *("iv", "jv", "kv", "yv", "hyp0f1", "hyp2f1", "lambertw"),
]
"""The functions whose last argument is complex in rows of their own."""

# Numbers that these take for all elements.
CONSTANTS = {"multigammaln": (3,)}


def operands(name: str, dtype: str, count: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(20240229)
    complex_domain: tuple[Domain, ...] = (REAL_LINE,)
    found = []
    for domain in DOMAINS.get(name, complex_domain):
        if domain == NORMAL:
            values = rng.standard_normal(count)
        elif domain[0] == "whole":
            values = rng.integers(domain[1], domain[2] + 1, count).astype(np.float64)
        elif domain[0] == "count":
            found.append(rng.integers(domain[1], domain[2] + 1, count))
            continue
        else:
            values = domain[0] + (domain[1] - domain[0]) * rng.random(count)
        found.append(values.astype("f8" if dtype == "complex128" else dtype))
    if dtype == "complex128":
        found[-1] = found[-1] + 1j * 5 * rng.standard_normal(count)
    return tuple(found)


def row_names(only: str) -> list[tuple[str, str]]:
    rows = [(name, dtype) for name in sorted(DOMAINS) for dtype in ("float64", "float32")]
    rows += [(name, "complex128") for name in COMPLEX]
    return [row for row in rows if only.lower() in row[0]]


def agree(got: Any, want: Any, dtype: str) -> None:
    single = np.asarray(want[0] if isinstance(want, tuple) else want).dtype.char in "fF" or dtype == "float32"
    for g, w in zip(*((v if isinstance(v, tuple) else (v,)) for v in (got, want)), strict=True):
        w = np.asarray(w)
        g = np.asarray(g.get() if hasattr(g, "get") else g)
        usual = np.isfinite(w) & np.isfinite(g)
        # Where one of them has a convention or an overflow of its own, nothing is compared.
        assert usual.mean() > 0.3, "results are finite"
        scale = np.maximum(np.abs(w[usual]), np.median(np.abs(w[usual])) * 1e-3)
        assert np.median(np.abs(g[usual] - w[usual]) / scale) < (1e-5 if single else 1e-11)


def once(function: Callable[..., Any], values: tuple[Any, ...], clock: Callable[[], float]) -> float:
    """The seconds of one call, computed to its end."""
    from cuprum.testing import wait

    began = clock()
    made = function(*values)
    for array in made if isinstance(made, tuple) else (made,):
        wait(array)
    return clock() - began


def child(threads: int, only: str, quick: bool) -> None:
    os.environ["CUPRUM_THREADS"] = str(threads)
    import scipy.special

    import cuprum as cp
    from cuprum.scipy import special

    np.seterr(all="ignore")
    clock = time.process_time if threads == 1 else time.perf_counter
    for name, dtype in row_names(only):
        host = operands(name, dtype, QUICK_COUNT if quick else COUNT)
        device = tuple(cp.array(x) for x in host)
        more = CONSTANTS.get(name, ())
        theirs: Callable[..., Any] = getattr(scipy.special, name, None) or np.sinc
        ours: Callable[..., Any] = getattr(special, name)

        agree(ours(*device, *more), theirs(*host, *more), dtype)
        times: tuple[list[float], list[float]] = ([], [])
        while len(times[0]) < (3 if quick else SAMPLES) or sum(times[1]) < (0.02 if quick else SHORTEST_S):
            pair = once(theirs, (*host, *more), clock), once(ours, (*device, *more), clock)
            # A clock of CPU time may stand still for a sample.
            if min(pair) > 0:
                times[0].append(pair[0])
                times[1].append(pair[1])
        per_element = [min(found) * 1e9 / len(host[0]) for found in times]
        print(json.dumps([name, dtype, *per_element]), flush=True)


Figures = dict[tuple[str, str], tuple[float, float]]


def measured(threads: int, arguments: argparse.Namespace) -> Figures:
    command = [sys.executable, __file__, "--child", str(threads), "--only", arguments.only]
    command += ["--quick"] if arguments.quick or arguments.busy else []
    figures: Figures = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            name, dtype, theirs, ours = json.loads(line)
            print(
                f"{threads}: {name} {dtype} {theirs:.1f} {ours:.1f} {theirs / ours:.2f}",
                file=sys.stderr,
                flush=True,
            )
            figures[name, dtype] = (theirs, ours)
    if running.returncode:
        raise SystemExit(f"the run with {threads} threads ended with {running.returncode}")
    return figures


def table(one: Figures, all_of_them: Figures) -> list[str]:
    lines = [
        "| function | SciPy, ns | Cuprum, ns | one thread | all threads | float32: one | all |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for (name, dtype), (theirs, ours) in one.items():
        if dtype == "float32":
            continue
        cells = [f"`{name}`" + (" of complex numbers" if dtype == "complex128" else "")]
        cells += [significant(theirs), significant(ours)]
        for kind in (dtype, "float32") if dtype == "float64" else (dtype,):
            for figures in (one, all_of_them):
                peer, own = figures.get((name, kind), (0.0, 0.0))
                cells.append(f"{peer / own:.2f}" if own else "")
        lines.append("| " + " | ".join(cells + [""] * (7 - len(cells))) + " |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description="Time special functions beside SciPy's on the CPU.")
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help="only the functions whose name contains it"
    )
    parser.add_argument("--quick", action="store_true", help="fewer elements and samples, printed only")
    parser.add_argument("--busy", action="store_true", help="quickly, by one thread, beside other work")
    parser.add_argument("--child", type=int, metavar="THREADS", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(arguments.child, arguments.only, arguments.quick)
        return 0
    import scipy

    import cuprum as cp

    threads = available_threads()
    one = measured(1, arguments)
    several = {} if arguments.busy else measured(threads, arguments)
    slower = [
        f"{name} ({dtype}, {theirs / ours:.2f})"
        for (name, dtype), (theirs, ours) in one.items()
        if ours > theirs
    ]
    is_quick = arguments.quick or arguments.busy
    count = (
        f"{QUICK_COUNT} elements (`--busy`)"
        if arguments.busy
        else f"{QUICK_COUNT if is_quick else COUNT} elements"
    )
    load = ", under other load" if arguments.busy else ""
    met = sum(theirs / ours >= 1.5 for theirs, ours in one.values())
    text = "\n".join(
        [
            "## Special functions beside SciPy, on the CPU",
            "",
            f"- Machine: {cpu_model()}, {threads} threads, {platform.system()}{load}",
            f"- Cuprum {cp.__version__} ({cp.info()['simd']}), SciPy {scipy.__version__}, "
            f"NumPy {np.__version__}, Python {platform.python_version()}",
            f"- {count}; SciPy's time over Cuprum's, by turns in one process, the least of at least "
            f"{3 if is_quick else SAMPLES} samples; nanoseconds of float64 an element and one thread; "
            f"{datetime.date.today().isoformat()}",
            "- One thread: CPU time. "
            + (
                "All threads: not measured in this run."
                if arguments.busy
                else "All threads: the clock, beside other work. SciPy has one thread."
            ),
            f"- By one thread, 1.5 times as fast as SciPy or faster: {met} of {len(one)} rows; slower than "
            f"SciPy: {', '.join(slower) or 'none'}",
            "",
            *table(one, several),
            "",
        ]
    )
    print(text)
    if not arguments.only and not arguments.quick:
        write("special", text, PAGE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
