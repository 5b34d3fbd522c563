"""What `cuprum.scipy` has, what it says about what it lacks, and its Hankel transforms."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect, fresh_python

import cuprum as cp
import cuprum.scipy


def test_array_modules():
    import scipy

    assert cuprum.scipy.get_array_module(np.ones(2)) is scipy
    assert cuprum.scipy.get_array_module(np.ones(2), cp.ones(2)) is cuprum.scipy


def test_missing_modules_name_what_exists():
    with pytest.raises(AttributeError, match="nothing.*fft.*signal"):
        cuprum.scipy.nothing  # noqa: B018
    code = """
    import cuprum.compat
    cuprum.compat.install()
    import cupyx.scipy.signal.windows
    try:
        import cupyx.scipy.nothing
    except ModuleNotFoundError as error:
        print(error, error.name)
    try:
        from cupyx.scipy import nothing
    except ImportError as error:
        print("import error")
    """
    said = fresh_python(code)
    assert "cupyx.scipy.nothing" in said and "signal" in said and "import error" in said


def test_hankel_transforms():
    r = np.logspace(-3, 3, 61)
    a, dln = r * np.exp(-(r**2) / 2), float(np.log(r[1] / r[0]))
    with collect() as failures:
        for n in (60, 61):
            for mu, offset, bias in [
                (0.0, 0.0, 0.0),
                (1.5, 0.3, 0.2),
                (0.5, -0.2, -0.4),
                (2.0, 0.0, 3.0),
                (-0.5, 0.1, 0.5),
            ]:
                for name in ("fht", "ifht"):
                    with failures:
                        check(
                            lambda xp, sp: getattr(sp, name)(xp.array(a[:n]), dln, mu, offset, bias),  # noqa: B023
                            "fft",
                            1e5,
                            label=f"{name} {n} {mu} {offset} {bias}",
                        )
        for name, bias in [("fht", 0.0), ("ifht", 0.0), ("fht", 0.2)]:
            with failures:
                check(
                    lambda xp, sp: getattr(sp, name)(xp.array(a.astype("f4")), dln, 0.5, 0.0, bias),  # noqa: B023
                    "fft",
                    1e5,
                    label=f"{name} of float32, bias {bias}",
                )
        for mu, bias in [(0.0, 0.0), (1.5, 0.3)]:
            with failures:
                check(lambda xp, sp: sp.fhtoffset(0.1, mu, 0.2, bias), "fft", 1e4)  # noqa: B023


def test_names_that_are_missing_are_answered():
    from cuprum.scipy import linalg, optimize, stats

    for module, name, answer in (
        (linalg, "qr_multiply", "use qr, and @"),
        (linalg, "svdd", r"did you mean svd\?"),
        (linalg, "blas", "no attribute 'blas'$"),
        (stats, "binned_statistic", "use cuprum.histogram with weights"),
        (stats, "pearson", "did you mean pearsonr or "),
        (optimize, "fsolve", "use root$"),
        (optimize, "linprog", "it has Bounds, "),
    ):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'.*{answer}|{answer}"):
            getattr(module, name)
