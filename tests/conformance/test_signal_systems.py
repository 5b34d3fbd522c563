"""Linear systems of ``cuprum.scipy.signal`` against ``scipy.signal``: forms, simulation, placed poles."""

import numpy as np
import pytest
from scipy_twin import check
from twin import collect

import cuprum as cp
from cuprum.scipy import signal

RNG = np.random.default_rng(23)
A = np.array([[0.0, 1.0, 0.2], [-2.0, -1.0, 0.1], [0.3, 0.0, -1.5]])
B, C, D = np.array([[0.0], [1.0], [0.5]]), np.array([[1.0, 0.0, 0.3]]), np.array([[0.1]])
B2, C2, D2 = np.hstack((B, 2 * B[::-1])), np.vstack((C, C[:, ::-1])), np.array([[0.1, 0.0], [0.2, 0.3]])
TF = ([1.0, 3.0], [1.0, 2.0, 5.0, 1.0])
ZPK = ([-1.0], [-2.0, -0.5 + 1j, -0.5 - 1j], 3.0)
T = np.linspace(0, 4, 41)


# Lists of bodies have bad input among the good.
MISTAKES = (ValueError, TypeError, np.linalg.LinAlgError, AttributeError, NotImplementedError)


def checks(bodies, units=1e5, may_raise=MISTAKES, **options):
    with collect() as failures:
        for i, body in enumerate(bodies):
            with failures:
                check(body, "signal", units, label=f"case {i}", may_raise=may_raise, **options)


def moved(xp, system):
    return tuple(xp.array(part) if np.ndim(part) else part for part in system)


def test_forms():
    checks(
        [
            lambda xp, sp: sp.tf2ss(*moved(xp, TF)),
            lambda xp, sp: sp.tf2ss(xp.array([[1.0, 2.0], [3.0, 4.0]]), xp.array([1.0, 2.0, 3.0])),
            lambda xp, sp: sp.tf2ss(xp.array([1.0, 2.0, 3.0]), xp.array([1.0, 2.0])),
            lambda xp, sp: sp.tf2ss(xp.array([2.0]), xp.array([4.0])),
            lambda xp, sp: sp.ss2tf(*moved(xp, (A, B, C, D))),
            lambda xp, sp: sp.ss2tf(*moved(xp, (A, B2, C2, D2)), input=1),
            lambda xp, sp: sp.ss2tf(*moved(xp, (A, B, C, D)), input=3),
            lambda xp, sp: sp.zpk2ss(*moved(xp, ZPK)),
            lambda xp, sp: [m.shape for m in sp.abcd_normalize(B=xp.array(B), C=xp.array(C), D=xp.array(D))],
            lambda xp, sp: sp.abcd_normalize(A=xp.array(A)),
            lambda xp, sp: sp.abcd_normalize(xp.array(A), xp.array(C), xp.array(C), xp.array(D)),
        ]
    )


@pytest.mark.parametrize(
    "method", ["zoh", "foh", "bilinear", "tustin", "euler", "backward_diff", "gbt", "impulse", "x"]
)
def test_discrete_systems(method):
    zero = np.zeros((1, 1))
    checks(
        [
            lambda xp, sp: sp.cont2discrete(
                moved(xp, (A, B, C, zero)), 0.1, method, 0.3 if method == "gbt" else None
            ),
            lambda xp, sp: sp.cont2discrete(moved(xp, TF), 0.1, method, 0.3 if method == "gbt" else None),
            lambda xp, sp: sp.cont2discrete(moved(xp, (A, B, C, D)), 0.1, method),
            lambda xp, sp: sp.lti(*moved(xp, TF)).to_discrete(0.2, method, 0.4).den,
            lambda xp, sp: sp.cont2discrete(moved(xp, TF)[:1], 0.1),
        ]
    )


def test_simulation_of_continuous_systems():
    u = np.sin(T)
    many = np.stack((np.sin(T), np.cos(T)), 1)
    checks(
        [
            lambda xp, sp: sp.lsim(moved(xp, TF), xp.array(u), xp.array(T)),
            lambda xp, sp: sp.lsim(moved(xp, (A, B2, C2, D2)), xp.array(many), xp.array(T), interp=False),
            lambda xp, sp: sp.lsim(
                moved(xp, (A, B, C, D)), None, xp.array(T + 0.5), xp.array([1.0, 2.0, 3.0])
            ),
            lambda xp, sp: sp.lsim(moved(xp, TF), xp.array(u[:4]), xp.array(T)),
            lambda xp, sp: sp.lsim(moved(xp, TF), xp.array(u), xp.array(T**2)),
            lambda xp, sp: sp.lsim(moved(xp, TF), xp.array(u), xp.array(T - 1)),
            lambda xp, sp: sp.lsim(moved(xp, TF), xp.array(many), xp.array(T)),
            lambda xp, sp: sp.lsim(sp.dlti([1.0], [1.0, 0.5], dt=0.1), xp.array(u), xp.array(T)),
            lambda xp, sp: sp.impulse(moved(xp, TF)),
            lambda xp, sp: sp.impulse(moved(xp, ZPK), T=xp.array(T)),
            lambda xp, sp: sp.step(moved(xp, (A, B, C, D)), N=20),
            lambda xp, sp: sp.lti(*moved(xp, TF)).step(T=xp.array(T)),
            lambda xp, sp: sp.freqresp(moved(xp, TF), n=20),
            lambda xp, sp: sp.freqresp(moved(xp, (A, B, C, D)), xp.array([0.1, 1.0, 10.0])),
            lambda xp, sp: sp.freqresp(moved(xp, (A, B2, C2, D2)), xp.array([0.1])),
            lambda xp, sp: sp.bode(moved(xp, ZPK), xp.array([0.1, 1.0, 10.0])),
            lambda xp, sp: sp.lti(*moved(xp, TF)).bode(n=10),
        ]
    )


def test_simulation_of_discrete_systems():
    dtf, u = ([1.0, 0.3], [1.0, -0.5, 0.2], 0.1), RNG.standard_normal(50)
    dss = (A / 3, B2, C2, D2, 0.1)
    checks(
        [
            lambda xp, sp: sp.dlsim(moved(xp, dtf), xp.array(u)),
            lambda xp, sp: sp.dlsim(
                sp.dlti(*moved(xp, dss[:4]), dt=0.1), xp.array(np.stack((u, -u), 1)), x0=xp.ones(3)
            ),
            lambda xp, sp: sp.dlsim(moved(xp, dtf), xp.array(u), t=xp.arange(50) * 0.07),
            lambda xp, sp: sp.dlsim(sp.lti([1.0], [1.0, 1.0]), xp.array(u)),
            lambda xp, sp: sp.dimpulse(moved(xp, dtf), n=10),
            lambda xp, sp: sp.dstep(moved(xp, dss), n=10),
            lambda xp, sp: sp.dlti(*moved(xp, dtf[:2]), dt=0.1).step(n=5),
            lambda xp, sp: sp.dfreqresp(moved(xp, dtf), n=20),
            lambda xp, sp: sp.dfreqresp(moved(xp, ([0.3], [0.5], 2.0, 0.1)), xp.array([0.1, 2.0])),
            lambda xp, sp: sp.dbode(moved(xp, dtf), n=20),
            lambda xp, sp: sp.dbode(moved(xp, dss), n=20),
        ]
    )


def test_classes_hold_and_convert():
    checks(
        [
            lambda xp, sp: (sp.TransferFunction(*moved(xp, TF)).num, sp.TransferFunction(*moved(xp, TF)).den),
            lambda xp, sp: sp.TransferFunction(*moved(xp, TF)).to_ss().A,
            lambda xp, sp: sp.ZerosPolesGain(*moved(xp, ZPK)).to_tf().den,
            lambda xp, sp: sp.StateSpace(*moved(xp, (A, B, C, D))).to_tf().num,
            lambda xp, sp: sp.StateSpace(sp.lti(*moved(xp, TF))).C,
            lambda xp, sp: [type(sp.lti(*moved(xp, s))).__name__ for s in (TF, ZPK, (A, B, C, D))],
            lambda xp, sp: [type(sp.dlti(*moved(xp, s))).__name__ for s in (TF, ZPK, (A, B, C, D))],
            lambda xp, sp: (sp.dlti(*moved(xp, TF)).dt, sp.dlti(*moved(xp, TF), dt=0.5).dt),
            lambda xp, sp: sp.lti([1.0]),
            lambda xp, sp: (sp.StateSpace(*moved(xp, (A, B, C, D))) * 2).B,
            lambda xp, sp: (
                (sp.StateSpace(*moved(xp, (A, B, C, D))) * sp.StateSpace(*moved(xp, (A, B, C, D)))).A
            ),
            lambda xp, sp: (
                (sp.StateSpace(*moved(xp, (A, B, C, D))) + sp.StateSpace(*moved(xp, (A, B, C, D)))).D
            ),
            lambda xp, sp: (-sp.StateSpace(*moved(xp, (A, B, C, D))) - 1.0).D,
        ]
    )


@pytest.mark.parametrize("poles", [[-1.0, -2.0, -3.0], [-1.0, -2 + 1j, -2 - 1j]])
@pytest.mark.parametrize("b", [B, B2, np.eye(3)])
def test_placed_poles(poles, b):
    placed = signal.place_poles(cp.array(A), cp.array(b), poles)
    found = np.linalg.eigvals(A - b @ cp.asnumpy(placed.gain_matrix))
    assert np.allclose(np.sort_complex(found), np.sort_complex(poles), atol=1e-8)
    assert np.allclose(np.sort_complex(cp.asnumpy(placed.computed_poles)), np.sort_complex(poles), atol=1e-8)


def test_errors_of_placed_poles():
    checks(
        [
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -2.0]),
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -2.0, -3.0, -4.0]),
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -1.0, -3.0]),
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -1j, -3.0]),
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -2.0, -3.0], method="x"),
            lambda xp, sp: sp.place_poles(xp.array(A), xp.array(B), [-1.0, -2.0, -3.0], maxiter=-1),
        ]
    )


def test_analytic_signals_and_envelopes():
    x = RNG.standard_normal((4, 30))
    checks(
        [
            lambda xp, sp: sp.hilbert2(xp.array(x)),
            lambda xp, sp: sp.hilbert2(xp.array(x), (5, 31)),
            lambda xp, sp: sp.hilbert2(xp.array(x).astype("float32")),
            lambda xp, sp: sp.hilbert2(xp.array(x), 0),
            lambda xp, sp: sp.hilbert2(xp.array(x) * 1j),
            *(
                lambda xp, sp, b=b, r=r, k=k: sp.envelope(xp.array(x) * k, b, residual=r)
                for b in ((1, None), (3, 10), (None, None), (-5, 4))
                for r in ("lowpass", "all", None)
                for k in (1.0, 1 + 1j)
            ),
            lambda xp, sp: sp.envelope(xp.array(x), n_out=45, squared=True),
            lambda xp, sp: sp.envelope(xp.array(x.T), n_out=20, axis=0),
            lambda xp, sp: sp.envelope(xp.array(x), (1, 2, 3)),
            lambda xp, sp: sp.envelope(xp.array(x), (10, 3)),
            lambda xp, sp: sp.envelope(xp.array(x), residual="strange"),
        ],
        1e4,
    )
