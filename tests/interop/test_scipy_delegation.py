"""SciPy's own functions under `SCIPY_ARRAY_API=1`: with Cuprum's arrays they reach Cuprum's.

SciPy looks for special functions in the namespace of the arrays. Those of `signal` and `ndimage` it hands on
to `cupyx.scipy` alone, which is Cuprum's once `cuprum.compat` is installed. Each program runs in a process
of its own: SciPy reads the variable when it is imported.
"""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("scipy")

HEAD = """
import numpy as np
import cuprum as cp
INSTALL
import scipy.fft, scipy.linalg, scipy.ndimage, scipy.signal, scipy.special, scipy.stats

passed_on = []
plain = np.asarray

def watched(a, *args, **kwargs):
    if isinstance(a, cp.ndarray):
        passed_on.append(type(a))
    return plain(a, *args, **kwargs)

np.asarray = watched
x = cp.asarray(np.random.default_rng(0).random((8, 8)))
v = x[0]
def host(value):
    return value.get() if isinstance(value, cp.ndarray) else value

def check(name, *args, **kwargs):
    module, function = name.split(".")
    call = getattr(getattr(scipy, module), function)
    passed_on.clear()
    got = call(*args, **kwargs)
    assert not passed_on, name + " reads arrays on the host"
    want = call(*[host(a) for a in args], **kwargs)
    several = isinstance(want, tuple)
    for g, w in zip(*(tuple(r) if several else (r,) for r in (got, want))):
        if isinstance(w, (np.ndarray, np.generic)):
            assert isinstance(g, cp.ndarray) or np.ndim(w) == 0, (name, type(g))
        np.testing.assert_allclose(plain(host(g)), w, rtol=1e-9, atol=1e-12, err_msg=name)
"""


def ran(text, install=""):
    program = HEAD.replace("INSTALL", install) + textwrap.dedent(text)
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_special_functions_transforms_and_statistics():
    ran(
        """
        for name in ("gammaln", "erf", "ndtri", "psi", "i0e", "expit", "entr"):
            check("special." + name, x)
        for name in ("xlogy", "beta", "gammainc", "stdtr", "chdtr"):
            check("special." + name, x, x)
        check("special.betainc", x, x, x)
        check("special.logsumexp", x, axis=0)
        check("special.softmax", x, axis=1)
        check("fft.fft", x)
        check("fft.irfft", x, axis=0)
        check("signal.fftconvolve", v, v)
        check("signal.hilbert", v)
        check("stats.skew", x)
        check("stats.zscore", x)
        check("stats.entropy", x)
        check("stats.ttest_ind", x, x + 0.1)
        check("stats.pearsonr", v, x[1])
        """
    )


def test_filters_and_images_under_the_name_of_cupy():
    ran(
        """
        check("ndimage.gaussian_filter", x, 1.0)
        check("ndimage.median_filter", x, 3)
        check("ndimage.zoom", x, 2)
        check("ndimage.label", x > 0.5)
        check("ndimage.distance_transform_edt", x > 0.5)
        check("signal.lfilter", cp.asarray([1.0, 0.5]), cp.asarray([1.0, 0.2]), v)
        check("signal.sosfilt", cp.asarray(scipy.signal.butter(4, 0.3, output="sos")), v)
        check("signal.resample_poly", v, 3, 2)
        check("signal.welch", v, nperseg=4)
        check("signal.detrend", v)
        check("special.jv", x, x)
        check("stats.spearmanr", v, x[1])
        """,
        install="import cuprum.compat; cuprum.compat.install(); import cupy",
    )
