"""Calls of SciPy's classes, solvers and graphs for the array fuzzer, by module; SciPy is the oracle.

What a solver finds is compared where its method gives the last digits, else whether it solves (`holds`).
"""

OBJECTS = {
    "optimize": """
bisect(lambda x: x * x - {m}, 0.0, 9.0); brentq(lambda x: x**3 - {m}, 0.0, 9.0);
brenth(lambda x: x * x - {m}, 0.0, 9.0); ridder(lambda x: x * x - {m}, 0.0, 9.0);
newton(lambda x: x * x - {m}, 2.5, lambda x: 2 * x);
newton(lambda x: x * x - 1, {u} + 2.0, lambda x: 2 * x);
curve_fit(lambda x, a, b: a * x + b, xp.arange(12.0), {s})[0].shape;
linear_sum_assignment({s}.reshape(3, 4)); linear_sum_assignment({q}.real * 1.0, maximize=True)[0];
linear_sum_assignment({a}); minimize(lambda p: ((p - {m}) ** 2).sum(), xp.zeros({k})).x.shape;
minimize_scalar(lambda x: (x - {m}) ** 2).x; least_squares(lambda p: p - {s}[:3], xp.zeros(3)).x.shape;
root(lambda x: x * x - {m}, [1.5]).x.shape
""",
    "interpolate": """
Akima1DInterpolator(xp.arange(8.0), {s}[:8])({u} * 7);
Akima1DInterpolator(xp.arange(8.0), {s}[:8], method='makima')({u} * 9, {k01});
BPoly({s}.reshape(3, 4), xp.arange(5.0))({u} * 4);
BPoly({s}.reshape(3, 4), xp.arange(5.0)).integrate(0.5, {m});
BPoly({s}.reshape(3, 4), xp.arange(5.0)).derivative()({u} * 4);
BSpline(xp.arange(9.0), {s}[:5], 3)({u} * 8); BSpline(xp.arange(9.0), {s}[:5], 3).derivative()({u} * 8);
BSpline(xp.arange(9.0), {s}[:5], 3, extrapolate=False)({u} * 8);
BSpline(xp.arange(9.0), {s}[:5], 3).integrate(3.5, 4.5);
BarycentricInterpolator(xp.arange(5.0), {s}[:5])({u} * 4);
CubicHermiteSpline(xp.arange(6.0), {s}[:6], {s}[6:])({u} * 5);
CubicSpline(xp.arange(8.0), {s}[:8], bc_type='natural')({u} * 7, {k01});
CubicSpline(xp.arange(8.0), {s}[:8], bc_type='clamped').integrate(0.5, {m});
CubicSpline(xp.arange(8.0), {s}[:8])({a}); CubicSpline(xp.arange(4.0), {q}, axis={k01})({u} * 3);
InterpolatedUnivariateSpline(xp.arange(8.0), {s}[:8], k={k})({u} * 7);
KroghInterpolator(xp.arange(4.0), {s}[:4])({u} * 3);
KroghInterpolator(xp.arange(4.0), {s}[:4]).derivative({u} * 3);
LSQUnivariateSpline(xp.arange(12.0), {s}, [4.5, 7.5])({u} * 11);
LinearNDInterpolator(xp.array([[0.0, 0], [1, 0], [0, 1], [1, 1.25]]), {s}[:4])({u}.ravel()[:2]);
NearestNDInterpolator(xp.array([[0.0, 0], [1, 0], [0, 1], [1, 1.25]]), {s}[:4])({u}.ravel()[:2]);
PPoly({s}.reshape(3, 4), xp.arange(5.0))({u} * 4, {k01}); PPoly({s}.reshape(3, 4), xp.arange(5.0))({a});
PPoly({s}.reshape(3, 4), xp.arange(5.0)).antiderivative()({u} * 4);
PPoly({s}.reshape(3, 4), xp.arange(5.0)).integrate(0.5, {m});
PchipInterpolator(xp.arange(8.0), {s}[:8])({u} * 7, {k01}); PchipInterpolator(xp.arange(8.0), {s}[:8])({a});
pchip(xp.arange(8.0), {s}[:8], extrapolate=False)({u} * 9);
RBFInterpolator(xp.arange(12.0)[:, None], {s}, kernel='cubic')({u}.ravel()[:7, None] * 11);
RectBivariateSpline(xp.arange(4.0), xp.arange(4.0), {q} + 0.0, kx={k}, ky={k}).ev({u} * 3, {u} * 2);
RegularGridInterpolator((xp.arange(4.0), xp.arange(4.0)), {q} + 0.0)({u}.ravel()[:2] * 3);
RegularGridInterpolator((xp.arange(4.0), xp.arange(4.0)), {q} + 0.0, 'nearest')({u}.ravel()[:2] * 3);
UnivariateSpline(xp.arange(12.0), {s}, s=0)({u} * 11);
UnivariateSpline(xp.arange(12.0), {s}, s=0).integral(0.5, {m}); interp1d(xp.arange(8.0), {s}[:8])({u} * 7);
interp1d(xp.arange(8.0), {s}[:8], 'cubic')({u} * 7); interp1d(xp.arange(8.0), {s}[:8], 'nearest')({u} * 7);
interp1d(xp.arange(4.0), {q}, 'previous', axis={k01})({u} * 3);
interp1d(xp.arange(8.0), {s}[:8], bounds_error=False, fill_value={i})({a})
""",
    "signal": """
CZT(12, {m} + 2)({s}); ZoomFFT(12, [0.1, 0.5], {m} + 3)({s}); ShortTimeFFT(xp.ones(4), 2, 1.0).stft({s});
ShortTimeFFT(xp.hanning(5), {m}, 1.0).spectrogram({s});
step(([1.0], [1.0, {m}, 2.0]), T=xp.linspace(0, 2, 5))[1];
impulse(([1.0], [1.0, {m}, 2.0]), T=xp.linspace(0, 2, 5))[1];
lsim(([1.0], [1.0, {m}]), {s}, xp.arange(12.0))[1]; dlsim(([1.0], [1.0, 0.5], 1.0), {s})[1];
dstep(([1.0], [1.0, 0.5], 1.0), n={m})[1]; dimpulse(([1.0], [1.0, 0.5], 1.0), n={m})[1];
freqresp(([1.0], [1.0, {m}]), {u} + 0.5)[1]; bode(([1.0], [1.0, {m}]), {u} + 0.5)[1];
dfreqresp(([1.0], [1.0, 0.5], 1.0), {u} + 0.5)[1]; dbode(([1.0], [1.0, 0.5], 1.0), {u} + 0.5)[1];
place_poles(xp.array([[0.0, 1], [-{m}, -2]]), xp.array([[0.0], [1]]), [-3.0, -4.0]).gain_matrix;
TransferFunction([1.0, {i}], [1.0, {m}]).to_ss().A; ZerosPolesGain([{i}], [-{m}], 2.0).to_tf().den;
StateSpace([[-{m}]], [[1.0]], [[2.0]], [[0.0]]).to_zpk().poles; lti([1.0], [1.0, {m}]).poles;
dlti([1.0], [1.0, 0.5], dt=0.1).poles
""",
    "stats": """
norm.logpdf({a}); norm.logcdf({u} - 9); norm.isf({u}); norm.sf({a}, 1.0, {m});
norm.ppf({u}, loc={i}, scale={m}); t.pdf({a}, {m}); t.ppf({u}, {m}); t.sf({u} * 9, {m});
chi2.cdf({u} * 9, {m}); chi2.ppf({u}, {m}); chi2.logpdf({u} * 9, {m}); gamma.cdf({u} * 5, {m});
gamma.ppf({u}, {m}); beta.pdf({u}, {m}, 2.5); beta.ppf({u}, {m}, 2.5); expon.cdf({a});
expon.ppf({u}, scale={m}); uniform.pdf({a}, {i}, {m}); uniform.ppf({u}, {i}, {m}); f.pdf({u} * 4, {m}, 7);
f.ppf({u}, {m}, 7); poisson.cdf({w}, {m}); poisson.ppf({u}, {m}); poisson.sf({a}, {m});
binom.cdf({w}, {m}, 0.3); binom.ppf({u}, {m}, 0.3); binom.logpmf({w}, {m}, 0.3); norm.mean({i}, {m});
gamma.var({m}); binom.std({m}, 0.3); beta.median({m}, 2.5); gaussian_kde({s})({u});
gaussian_kde({s}).logpdf({u})
""",
    "integrate": """
solve_ivp(lambda t, y: -y, (0.0, 1.0), {s}[:2], method='RK45').y[:, -1];
solve_ivp(lambda t, y: -y * {m}, (0.0, 1.0), {s}[:2], method='DOP853', t_eval=[0.25, 0.5]).y;
solve_ivp(lambda t, y: -y, (0.0, 1.0), {s}[:2], method='RK23').t.shape;
solve_ivp(lambda t, y: -y, (0.0, 1.0), {s}[:2], method='Radau').y[:, -1].shape;
solve_ivp(lambda t, y: -y, (0.0, 1.0), {s}[:2], method='BDF').y[:, -1].shape;
quad_vec(lambda x: x * {u}.astype('f8'), 0.0, {m})[0]
""",
    "spatial": """
KDTree({q}.real).query({q}.real + 0.25)[0];
KDTree({s}.reshape(6, 2)).query({s}.reshape(6, 2)[:2] + 0.5, {k});
KDTree({s}.reshape(6, 2)).query_ball_point({s}.reshape(6, 2)[0], {m}, return_length=True);
KDTree({s}.reshape(6, 2)).count_neighbors(sp.spatial.KDTree({s}.reshape(6, 2)), {m});
KDTree({s}.reshape(6, 2)).query_pairs({m}, output_type='ndarray').shape;
ConvexHull({s}.reshape(6, 2)).volume; ConvexHull({s}.reshape(6, 2)).area;
Delaunay({s}.reshape(6, 2)).find_simplex({s}.reshape(6, 2)[:1] + 1e9)
""",
    "spatial.transform": """
Rotation.from_euler('xyz', {s}[:3]).as_matrix();
Rotation.from_euler('ZYX', {s}.reshape(4, 3), degrees=True).as_quat();
Rotation.from_rotvec({s}.reshape(4, 3)).as_matrix(); Rotation.from_rotvec({u}.ravel()[:3]).as_rotvec();
Rotation.from_quat({s}.reshape(3, 4)).apply({s}[:3]);
Rotation.from_quat({s}.reshape(3, 4)).inv().as_matrix();
Rotation.from_rotvec({s}.reshape(4, 3)).magnitude(); Rotation.from_mrp({u}.ravel()[:3]).as_matrix();
Rotation.from_rotvec({u}.ravel()[:3]).as_euler('xyz'); Rotation.from_quat({a}).as_matrix();
Slerp([0.0, 1.0], sp.spatial.transform.Rotation.from_rotvec({u}.ravel()[:6].reshape(2, 3)))([0.25,
0.5]).as_matrix()
""",
    "sparse.csgraph": """
shortest_path(abs(sp.sparse.csr_matrix({q}))); dijkstra(abs(sp.sparse.csr_matrix({q})), indices={k01});
dijkstra(abs(sp.sparse.csr_matrix({q})), directed=False, limit={m});
floyd_warshall(abs(sp.sparse.csr_matrix({q}))); bellman_ford(abs(sp.sparse.csr_matrix({q})));
johnson(abs(sp.sparse.csr_matrix({q}))); bellman_ford(sp.sparse.triu(sp.sparse.csr_matrix({q}), 1).tocsr());
connected_components(sp.sparse.csr_matrix({q} * ({q}.real > 4)));
connected_components(sp.sparse.csr_matrix({q} * ({q}.real > 4)), connection='strong')[0];
breadth_first_order(sp.sparse.csr_matrix({q}), {k01});
depth_first_order(sp.sparse.csr_matrix({q}), {k01})[0];
breadth_first_tree(sp.sparse.csr_matrix({q}), {k01}).toarray();
depth_first_tree(sp.sparse.csr_matrix({q}), {k01}).toarray();
minimum_spanning_tree(abs(sp.sparse.csr_matrix({q}))).toarray().sum(); laplacian({q});
laplacian({q}, normed=True); laplacian(sp.sparse.csr_matrix({q})).toarray();
maximum_flow(sp.sparse.csr_matrix(abs({q}).astype('i4')), 0, 3).flow_value;
maximum_bipartite_matching(sp.sparse.csr_matrix({q})).shape;
structural_rank(sp.sparse.csr_matrix({q} * ({q}.real > 4)));
min_weight_full_bipartite_matching(abs(sp.sparse.csr_matrix({q})) + sp.sparse.identity(4))[0];
reverse_cuthill_mckee(sp.sparse.csr_matrix({q})).shape; csgraph_from_dense({q}).toarray();
csgraph_to_dense(sp.sparse.csr_matrix({q}));
construct_dist_matrix(abs({q}), sp.sparse.csgraph.dijkstra(abs({q}), return_predecessors=True)[1]);
reconstruct_path(sp.sparse.csr_matrix({q}),
sp.sparse.csgraph.breadth_first_order(sp.sparse.csr_matrix({q}), 0)[1]).toarray();
csgraph_from_masked(np.ma.masked_equal(np.eye({m}), 0)).toarray()
""",
    "sparse.linalg": """
aslinearoperator({q}) @ {s}[:4]; aslinearoperator(sp.sparse.csr_matrix({q})).T @ {s}[:4];
LinearOperator((4, 4), lambda x: {q} @ x, dtype={q}.dtype) @ {s}[:4]; expm_multiply({q} * 0.1, {s}[:4]);
expm_multiply(sp.sparse.csr_matrix({q} * 0.1), {q});
inv(sp.sparse.csc_matrix({q} + 99 * xp.eye(4))).toarray(); onenormest(sp.sparse.csr_matrix({q})) >= 0;
splu(sp.sparse.csc_matrix({q} + 99 * xp.eye(4))).solve({s}[:4]);
factorized(sp.sparse.csc_matrix({q} + 99 * xp.eye(4)))({s}[:4]);
spilu(sp.sparse.csc_matrix({q} + 99 * xp.eye(4))).solve({s}[:4]).shape;
eigsh({q} @ adjoint({q}) + xp.diag(xp.array([1.0, 300, 600, 900])), {k01} + 1,
return_eigenvectors=False).sum();
eigs({q} + xp.diag(xp.array([1.0, 300, 600, 900])), {k01} + 1, return_eigenvectors=False).sum();
svds({q} * 1.0 + xp.diag(xp.array([1.0, 300, 600, 900])), {k}, return_singular_vectors=False).sum();
lobpcg({q} @ adjoint({q}) + 9 * xp.eye(4), xp.eye(4)[:, :1])[0].shape
""",
}
"""Calls by module of `cuprum.scipy`, beside those of `library.py`."""

SOLVERS = ["bicg", "bicgstab", "cg", "cgs", "gmres", "lgmres", "minres", "qmr", "tfqmr"]
SOLVES = "; ".join(
    f"(lambda m, b: holds(m @ sp.sparse.linalg.{name}(m, b, rtol=1e-12)[0] - b, m * 1e6))"
    "({q} @ adjoint({q}) + 99 * xp.eye(4), {s}[:4])"
    for name in SOLVERS
)
SOLVES += "; " + "; ".join(
    f"(lambda m, b: holds(m @ sp.sparse.linalg.{name}(m, b)[0] - b, m * 1e8))"
    "({q} + 99 * xp.eye(4), {s}[:4])"
    for name in ("lsqr", "lsmr")
)
"""Iterations that solve systems."""

FORMATS = ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"]
SPARSE_FORMATS = "; ".join(
    f"{name}_{kind}({{q}}){rest}"
    for name in FORMATS
    for kind in ("array", "matrix")
    for rest in (
        ".toarray()",
        " @ {s}[:4]",
        " @ {q}",
        ".T.toarray()",
        ".sum(axis={k01})",
        ".diagonal({i})",
        ".tocsr()[{k01}].toarray()",
        ".astype('{dt}').toarray()",
    )
)
"""Matrices of every format; products, sums and conversions."""
