"""Systems as state-space matrices: conversions, discretization and the placement of poles."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

import cuprum as cp

from ... import _core
from ..._core import ndarray
from ..._errors import names_itself
from ..linalg import expm
from ._filter_forms import floating, normalize_, poly_, tf2zpk_, zpk2tf_

if TYPE_CHECKING:
    from ..._typing import ArrayLike


__all__ = ["abcd_normalize", "cont2discrete", "place_poles", "ss2tf", "ss2zpk", "tf2ss", "zpk2ss"]


def _at_least_2d(matrix: Any) -> ndarray:
    if matrix is None:
        return cp.zeros((0, 0))
    return _core.array(matrix, copy=None, ndmin=2)


@names_itself
def abcd_normalize(
    A: ArrayLike | None = None,
    B: ArrayLike | None = None,
    C: ArrayLike | None = None,
    D: ArrayLike | None = None,
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return state-space matrices of fitting shapes; those that are left out are zero.

    Parameters
    ----------
    A, B, C, D : array_like, optional
        The matrices.

    Returns
    -------
    A, B, C, D : ndarray
        The matrices, with two axes each.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> [m.shape for m in signal.abcd_normalize(A=[[1.0]], B=[[1.0]], C=[[1.0]])]
    [(1, 1), (1, 1), (1, 1), (1, 1)]
    """
    for first, name, given in (("n", "A = B = C", (A, B, C)), ("p", "B = D", (B, D)), ("q", "C = D", (C, D))):
        if all(matrix is None for matrix in given):
            raise ValueError(f"abcd_normalize: Dimension {first} is undefined for parameters {name} = None!")
    A, B, C, D = (_at_least_2d(matrix) for matrix in (A, B, C, D))
    n = A.shape[0] or B.shape[0] or C.shape[1] or 0
    p = B.shape[1] or D.shape[1] or 0
    q = C.shape[0] or D.shape[0] or 0
    results = []
    for name, matrix, shape in (("A", A, (n, n)), ("B", B, (n, p)), ("C", C, (q, n)), ("D", D, (q, p))):
        matrix = cp.zeros(shape) if matrix.size == 0 else matrix
        if matrix.shape != shape:
            raise ValueError(
                f"abcd_normalize: Parameter {name} has shape {matrix.shape} but should be {shape}!"
            )
        results.append(matrix)
    A, B, C, D = results
    return A, B, C, D


@names_itself
def tf2ss(num: Any, den: Any) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return state-space matrices of a transfer function.

    Parameters
    ----------
    num, den : array_like
        The numerator, or rows of them, and the denominator.

    Returns
    -------
    A, B, C, D : ndarray
        The matrices, in controller canonical form.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.tf2ss([1.0, 3.0], [1.0, 2.0, 1.0])[0]
    array([[-2., -1.],
           [ 1.,  0.]])
    """
    num, den = normalize_(cp, floating(num), floating(den))
    num = cp.atleast_2d(num)
    if num.shape[1] > den.size:
        raise ValueError("tf2ss: Improper transfer function. `num` is longer than `den`.")
    order = den.size - 1
    num = cp.concatenate((cp.zeros((num.shape[0], den.size - num.shape[1]), num.dtype), num), 1)
    D = num[:, :1]
    if order == 0:
        return cp.zeros((1, 1)), cp.zeros((1, 1)), cp.zeros((num.shape[0], 1)), D
    A = cp.concatenate((-den[cp.newaxis, 1:], cp.eye(order - 1, order, dtype=den.dtype)), 0)
    return A, cp.eye(order, 1), num[:, 1:] - D * den[1:], D


@names_itself
def ss2tf(A: ArrayLike, B: ArrayLike, C: ArrayLike, D: ArrayLike, input: int = 0) -> tuple[ndarray, ndarray]:
    """Return the transfer function of state-space matrices.

    Parameters
    ----------
    A, B, C, D : array_like
        The matrices.
    input : int, optional
        Which input.

    Returns
    -------
    num, den : ndarray
        Rows of numerators, one for each output, and the denominator.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.ss2tf([[-1.0]], [[1.0]], [[1.0]], [[0.0]])
    (array([[0., 1.]]), array([1., 1.]))
    """
    A, B, C, D = abcd_normalize(A, B, C, D)
    if input >= D.shape[1]:
        raise ValueError("ss2tf: System does not have the input specified.")
    B, D = B[:, input : input + 1], D[:, input : input + 1]
    if A.size == 0:
        return D.ravel(), cp.ones(1)
    den = _characteristic(A)
    rows = [_characteristic(A - B @ C[k : k + 1]) + (D[k] - 1) * den for k in range(C.shape[0])]
    return cp.stack(rows), den


def _characteristic(matrix: ndarray) -> ndarray:
    """Return the characteristic polynomial of a matrix."""
    result = poly_(cp, cp.linalg.eigvals(matrix.astype(np.result_type(matrix.dtype, np.float64))))
    made: ndarray = result.real.copy() if matrix.dtype.kind != "c" else result
    return made


@names_itself
def zpk2ss(z: ArrayLike, p: ArrayLike, k: float) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """Return state-space matrices of zeros, poles and a gain.

    Parameters
    ----------
    z, p : (N,) array_like
        The zeros and the poles.
    k : float
        The gain.

    Returns
    -------
    A, B, C, D : ndarray
        The matrices, in controller canonical form.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.zpk2ss([], [-1.0], 2.0)[2]
    array([[2.]])
    """
    return tf2ss(*zpk2tf_(cp, floating(z), floating(p), k))


@names_itself
def ss2zpk(
    A: ArrayLike, B: ArrayLike, C: ArrayLike, D: ArrayLike, input: int = 0
) -> tuple[ndarray, ndarray, ndarray]:
    """Return the zeros, the poles and the gain of state-space matrices.

    Parameters
    ----------
    A, B, C, D : array_like
        The matrices.
    input : int, optional
        Which input.

    Returns
    -------
    z, p, k : ndarray
        The zeros, the poles and the gain.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> signal.ss2zpk([[-1.0]], [[1.0]], [[1.0]], [[0.0]])[1].real
    array([-1.])
    """
    return tf2zpk_(cp, *(floating(part) for part in ss2tf(A, B, C, D, input=input)))


@names_itself
def cont2discrete(system: Any, dt: float, method: str = "zoh", alpha: Any = None) -> Any:
    """Turn a continuous system into a discrete one.

    Parameters
    ----------
    system : lti or tuple of array_like
        The system: its transfer function, its zeros, poles and gain, or its matrices.
    dt : float
        The time between samples.
    method : {"zoh", "foh", "bilinear", "euler", "backward_diff", "gbt", "impulse"}, optional
        What inputs do between samples, or how derivatives are replaced.
    alpha : float, optional
        The weight of "gbt", from 0 to 1.

    Returns
    -------
    tuple
        The system in the same form, and `dt`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> matrices = [cp.array([[m]]) for m in (-1.0, 1.0, 1.0, 0.0)]
    >>> signal.cont2discrete(matrices, 0.1)[0].round(6)
    array([[0.904837]])
    """
    if hasattr(system, "to_discrete"):
        return system.to_discrete(dt=dt, method=method, alpha=alpha)
    if len(system) == 2:
        matrices = cont2discrete(tf2ss(*system), dt, method=method, alpha=alpha)
        return (*ss2tf(*matrices[:4]), dt)
    if len(system) == 3:
        matrices = cont2discrete(zpk2ss(*system), dt, method=method, alpha=alpha)
        return (*ss2zpk(*matrices[:4]), dt)
    if len(system) != 4:
        raise ValueError(
            "cont2discrete: First argument must either be a tuple of 2 (tf), 3 (zpk), or 4 (ss) arrays."
        )
    a, b, c, d = (floating(_at_least_2d(matrix)) for matrix in system)
    n, m = a.shape[0], b.shape[1]
    if method == "gbt":
        if alpha is None:
            raise ValueError(
                "cont2discrete: Alpha parameter must be specified for the generalized bilinear "
                "transform (gbt) method"
            )
        if alpha < 0 or alpha > 1:
            raise ValueError(
                "cont2discrete: Alpha parameter must be within the interval [0,1] for the gbt method"
            )
    weights = {"bilinear": 0.5, "tustin": 0.5, "euler": 0.0, "forward_diff": 0.0, "backward_diff": 1.0}
    if method == "gbt" or method in weights:
        alpha = weights.get(method, alpha)
        left = cp.eye(n) - alpha * dt * a
        next_b = cp.linalg.solve(left, dt * b)
        next_a = cp.linalg.solve(left, cp.eye(n) + (1.0 - alpha) * dt * a)
        return next_a, next_b, cp.linalg.solve(left.T, c.T).T, d + alpha * (c @ next_b), dt
    if method == "zoh":
        block = cp.zeros((n + m, n + m), cp.result_type(a, b))
        block[:n, :n], block[:n, n:] = a, b
        power = expm(dt * block)
        return power[:n, :n], power[:n, n:], c, d, dt
    if method == "foh":
        block = cp.zeros((n + 2 * m, n + 2 * m), cp.result_type(a, b))
        block[:n, :n], block[:n, n : n + m] = a * dt, b * dt
        block[n : n + m, n + m :] = cp.eye(m)
        power = expm(block)
        own, hold, ramp = power[:n, :n], power[:n, n : n + m], power[:n, n + m :]
        return own, hold - ramp + own @ ramp, c, d + c @ ramp, dt
    if method == "impulse":
        if not bool(cp.allclose(d, 0)):
            raise ValueError("cont2discrete: Impulse method is only applicable to strictly proper systems")
        power = expm(a * dt)
        return power, power @ b * dt, c, c @ b * dt, dt
    raise ValueError(f"cont2discrete: Unknown transformation method '{method}'")


def _ordered_poles(poles: Any) -> np.ndarray:
    """Return poles on the host: real ones first, then conjugate pairs, the one below the axis first."""
    poles = np.atleast_1d(np.asarray(poles.get() if isinstance(poles, ndarray) else poles))
    if poles.ndim > 1:
        raise ValueError("place_poles: Poles must be a 1D array like.")
    result = list(np.sort(poles[poles.imag == 0]))
    for pole in np.sort(poles[poles.imag < 0]):
        if pole.conj() not in poles:
            raise ValueError("place_poles: Complex poles must come with their conjugates")
        result += [pole, pole.conj()]
    if len(result) != len(poles):
        raise ValueError("place_poles: Complex poles must come with their conjugates")
    return np.array(result)


@names_itself
def place_poles(
    A: ArrayLike, B: ArrayLike, poles: ArrayLike, method: str = "YT", rtol: float = 1e-3, maxiter: int = 30
) -> SimpleNamespace:
    """Return the feedback that gives a system the poles that are asked for.

    Parameters
    ----------
    A, B : array_like
        The matrices of the system.
    poles : (N,) array_like
        The poles, in conjugate pairs.
    method : {"YT", "KNV0"}, optional
        Taken for compatibility: eigenvectors are improved one after the other (Kautsky, Nichols and Van
        Dooren).
    rtol : float, optional
        The change of the determinant of the eigenvectors at which the search ends.
    maxiter : int, optional
        The most sweeps over the poles.

    Returns
    -------
    object
        With `gain_matrix` K such that ``A - B @ K`` has the poles, `computed_poles`, `requested_poles`, `X`,
        `rtol` and `nb_iter`.

    Examples
    --------
    >>> from cuprum.scipy import signal
    >>> a, b = cp.array([[0.0, 1.0], [0.0, 0.0]]), cp.array([[0.0], [1.0]])
    >>> signal.place_poles(a, b, [-1.0, -2.0]).gain_matrix.round(6)
    array([[2., 3.]])
    """
    A, B = floating(_at_least_2d(A)), floating(_at_least_2d(B))
    wanted = _ordered_poles(poles)
    if A.ndim != 2 or B.ndim != 2:
        raise ValueError(f"place_poles: A and B must be matrices, got {A.ndim} and {B.ndim} dimensions")
    if method not in ("KNV0", "YT"):
        raise ValueError("place_poles: The method keyword must be one of 'YT' or 'KNV0'")
    if A.shape[0] != A.shape[1]:
        raise ValueError("place_poles: A must be square")
    n = A.shape[0]
    if len(wanted) > n:
        raise ValueError(f"place_poles: maximum number of poles is {n} but you asked for {len(wanted)}")
    if len(wanted) < n:
        raise ValueError(f"place_poles: number of poles is {len(wanted)} but you should provide {n}")
    rank = int(cp.linalg.matrix_rank(B))
    if any((wanted == pole).sum() > rank for pole in wanted):
        raise ValueError(
            "place_poles: at least one of the requested pole is repeated more than rank(B) times"
        )
    if method == "KNV0" and np.iscomplexobj(wanted) and (wanted.imag != 0).any():
        raise ValueError("place_poles: Complex poles are not supported by KNV0")
    if maxiter < 1:
        raise ValueError("place_poles: maxiter must be at least equal to 1")
    if rtol > 1:
        raise ValueError("place_poles: rtol can not be greater than 1")
    q, r = cp.linalg.qr(B, mode="complete")
    inside, outside, r = q[:, :rank], q[:, rank:], r[:rank]
    change: float = float("nan")
    sweeps: float = float("nan")
    if rank == n:
        # Every eigenvector is possible: those of the identity.
        block = np.zeros((n, n))
        for i, pole in enumerate(wanted):
            block[i, i] = pole.real
            if pole.imag < 0:
                block[i, i + 1], block[i + 1, i] = -pole.imag, pole.imag
        gain = cp.linalg.lstsq(B, cp.asarray(block) - A, rcond=-1)[0]
        vectors = cp.eye(n)
    else:
        # The eigenvectors of a pole lie in the null space of what feedback cannot change.
        spaces, columns = [], []
        for pole in wanted:
            fixed = (outside.T @ (A - complex(pole) * cp.eye(n))).conj().T
            full, _ = cp.linalg.qr(fixed, mode="complete")
            space = full[:, n - rank :]
            spaces.append(space)
            vector = space.sum(axis=1)
            columns.append(vector / cp.linalg.norm(vector))
        for i, pole in enumerate(wanted):
            if pole.imag > 0:
                columns[i], spaces[i] = columns[i - 1].conj(), spaces[i - 1].conj()
        vectors = cp.stack(columns, 1)
        change, sweeps = 0.0, 0
        if rank > 1:
            vectors, change, sweeps = _improved(vectors, spaces, wanted, rtol, maxiter)
        values = cp.asarray(wanted.astype(complex))
        try:
            closed = cp.linalg.solve(vectors.T, (vectors * values).T).T
            gain = cp.linalg.solve(r, inside.T @ (closed - A))
        except np.linalg.LinAlgError:
            raise ValueError(
                "place_poles: The poles you've chosen can't be placed. Check the controllability "
                "matrix and try "
                "another set of poles"
            ) from None
    gain = -gain.real
    found = np.sort_complex(cp.asnumpy(cp.linalg.eigvals(A - B @ gain)))
    real, above = found[abs(found.imag) < 1e-12 * max(1, abs(found).max())].real, found[found.imag > 0]
    if len(real) + 2 * len(above[abs(above.imag) >= 1e-12 * max(1, abs(found).max())]) == n:
        above = above[abs(above.imag) >= 1e-12 * max(1, abs(found).max())]
        pairs = [pole for one in above for pole in (one.conj(), one)]
        found = np.array([*real, *pairs]) if pairs else real
    return SimpleNamespace(
        gain_matrix=gain,
        computed_poles=cp.asarray(found),
        requested_poles=cp.asarray(wanted),
        X=vectors,
        rtol=change,
        nb_iter=sweeps,
    )


def _improved(
    vectors: ndarray, spaces: list[ndarray], poles: np.ndarray, rtol: float, maxiter: int
) -> tuple[ndarray, float, int]:
    """Return eigenvectors that are more nearly orthogonal: each is moved away from the others."""
    before = abs(float(cp.abs(cp.linalg.det(vectors))))
    change, sweep = 0.0, 0
    for sweep in range(1, maxiter + 1):
        for j, pole in enumerate(poles):
            if pole.imag > 0:
                continue
            others = cp.concatenate((vectors[:, :j], vectors[:, j + 1 :]), 1)
            full, _ = cp.linalg.qr(others, mode="complete")
            normal = full[:, -1]
            vector = spaces[j] @ (spaces[j].conj().T @ normal)
            length = float(cp.linalg.norm(vector))
            if length < 1e-14:
                continue
            vectors[:, j] = vector / length
            if pole.imag < 0:
                vectors[:, j + 1] = (vector / length).conj()
        now = float(cp.abs(cp.linalg.det(vectors)))
        change = abs((now - before) / max(now, 1e-300))
        before = now
        if change < rtol and now > 1e-8:
            return vectors, change, sweep
    if rtol > 0:
        warnings.warn(
            "Convergence was not reached after maxiter iterations.\n"
            f"You asked for a tolerance of {rtol}, we got {change}.",
            stacklevel=4,
        )
    return vectors, change, sweep
