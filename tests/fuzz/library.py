"""Calls of `cuprum.scipy` and of NumPy's submodules for the array fuzzer, by module; SciPy is the oracle.

The texts are those of `catalogue.py`, which says what stands in braces.
"""

import importlib

import numpy as np
from objects import OBJECTS, SOLVES, SPARSE_FORMATS

import cuprum as cp

SCIPY = {
    "fft": """
dct({a}); idct({a}, type=3); dct({a}, {n}); dst({a}); idst({a}, {m}); dctn({a}); dstn({a}); idctn({a});
idstn({a}); fft({a}); ifft({a}, axis={x}); rfft({a}); irfft({a}); hfft({a}); ihfft({a}); fft2({a});
ifft2({a}); fftn({a}); ifftn({a}); rfft2({a}); rfftn({a}); irfft2({a}); irfftn({a}); hfft2({a});
hfftn({a}); ihfft2({a}); ihfftn({a}); fftshift({a}); ifftshift({a}); fftfreq({m}); rfftfreq({m});
next_fast_len({m}); prev_fast_len({m}); fht({s}, 0.1, 0.5); ifht({s}, 0.1, 0.5); fhtoffset(0.1, 0.5)
""",
    "fftpack": """
fft({a}); ifft({a}, axis={x}); fft2({a}); ifft2({a}); fftn({a}); ifftn({a}); rfft({a}); irfft({a})
""",
    "linalg": """
block_diag({a}, {b}); circulant({a}.ravel()); companion({a}.ravel());
convolution_matrix({a}.ravel(), {m}); dft({n}); fiedler(xp.append({a}, [1, 2]));
fiedler_companion(xp.append({a}, [1, 2])); hadamard({m}); hankel({a}.ravel(), {c}.ravel()); helmert({m});
hilbert({m}); khatri_rao({a}, {b}); leslie({a}.ravel(), {a}.ravel()[1:]); toeplitz({a}.ravel());
lu({a})[2].shape; lu_factor({a})[0].shape; bandwidth({a});
lu_solve(xl.lu_factor({a} + 9 * xp.eye({m})), xp.ones({m}));
solve_triangular({a} + 9 * xp.eye({m}), xp.ones({m})); cosm({q} * 0.1); sinm({q} * 0.1); tanm({q} * 0.1);
coshm({q} * 0.1); sinhm({q} * 0.1); tanhm({q} * 0.1); expm({q} * 0.1); expm({a});
sqrtm({q} @ {q}.T + 9 * xp.eye(4)); logm({q} @ {q}.T + 9 * xp.eye(4));
solve_toeplitz(xp.array([9.0, 1, 2, 1]), {q}); solve_circulant(xp.array([9.0, 1, 2, 1]), {q});
matmul_toeplitz({s}, {s}); solve_banded((1, 1), xp.ones((3, 4)) + 4 * xp.array([[0.0], [1], [0]]), {q});
solveh_banded(xp.ones((2, 4)) + xp.array([[0.0], [3]]), {q}); orth({q}).shape; null_space({q}).shape;
cho_solve_banded((sp.linalg.cholesky_banded(xp.ones((2, 4)) + xp.array([[0.0], [3]])), False), {q});
eigvals_banded({q}[:2]); eig_banded({q}[:2], True)[0]; cholesky_banded({q}[:2] + xp.array([[0.0], [9]]));
eigvalsh_tridiagonal({q}[0], {q}[1, :3]); eigh_tridiagonal({q}[0], {q}[1, :3])[0];
subspace_angles({q}, {q}); polar({q})[1]; hessenberg({q}).shape;
cho_solve(sp.linalg.cho_factor({q} @ {q}.T + 9 * xp.eye(4)), {q}); diagsvd({s}[:3], 3, {m});
fractional_matrix_power({q} @ {q}.T + 9 * xp.eye(4), 0.5);
funm({q} * 0.1 + xp.diag(xp.array([0.0, 9, 18, 27])), xp.exp);
signm({q} @ {q}.T + 9 * xp.eye(4)); invhilbert({m}); invpascal({m}); pascal({m}); pascal({m}, kind='lower');
ishermitian({q}); issymmetric({q} + {q}.T); orthogonal_procrustes({q}, {q})[1];
pinvh({q} @ {q}.T + 9 * xp.eye(4)); rq({q})[0].shape; schur({q})[0].shape;
rsf2csf(*sp.linalg.schur({q}))[0].shape; solve_sylvester({q} + 9 * xp.eye(4), {q} + 9 * xp.eye(4), {q});
solve_continuous_lyapunov({q} + 9 * xp.eye(4), {q}); solve_discrete_lyapunov({q} * 0.1, {q});
matrix_balance({q})[0].shape; qz({q}, {q})[0].shape; ldl({q} + {q}.T)[2].shape;
cossin(xp.linalg.qr({q})[0], 1, 2)[1].shape
""",
    "ndimage": """
binary_closing({mask}); binary_dilation({mask}); binary_erosion({mask}); binary_fill_holes({mask});
binary_opening({mask}); binary_propagation({mask}); binary_hit_or_miss({mask}); black_tophat({a}, {m});
convolve({a}, {b}); convolve1d({a}, [1, 2, 1], axis={x}); correlate({a}, {b}, mode='wrap');
correlate1d({a}, [1, 0, -1], mode='nearest'); gaussian_filter({a}, 1.0);
gaussian_filter1d({a}, 0.7, axis={x}); gaussian_gradient_magnitude({a}, 1.0); gaussian_laplace({a}, 1.0);
generate_binary_structure({m}, {n}); grey_closing({a}, {m}); grey_dilation({a}, {m});
grey_erosion({a}, {m}); grey_opening({a}, {m}); laplace({a}); maximum_filter({a}, {m});
maximum_filter1d({a}, {m}); median_filter({a}, {m}); minimum_filter({a}, {m}, mode='constant', cval={i});
minimum_filter1d({a}, {m}, axis={x}); morphological_gradient({a}, {m}); morphological_laplace({a}, {m});
percentile_filter({a}, 40, {m}); prewitt({a}); rank_filter({a}, {i}, {m}); sobel({a}, axis={x});
uniform_filter({a}, {m}); uniform_filter1d({a}, {m}); white_tophat({a}, {m});
affine_transform({a}, xp.eye({m}), order=1); shift({a}, {i}, order={k}); shift({a}, 0.5, order=1);
zoom({a}, 2, order=1); rotate({a}, 90, order=0); spline_filter({a}); spline_filter1d({a}, axis={x});
map_coordinates({a}, xp.zeros((2, 3)) + {m}, order={k}, mode='nearest'); label({mask}); label({a});
sum_labels({a}, {w}, [0, 1]); sum({a}, {w}, {n}); mean({a}, {w}, [0, 1]); variance({a}, {w}, [0, 1]);
standard_deviation({a}); minimum({a}, {w}, [0, 1]); maximum({a}, {w}, [0, 1]); median({a}, {w}, [0, 1]);
minimum_position({a}); maximum_position({a}); extrema({a})[0]; extrema({a})[2]; center_of_mass({a});
histogram({a}, 0, 5, {m}); find_objects({w}); value_indices({w}); distance_transform_edt({mask});
distance_transform_cdt({mask}); distance_transform_bf({mask});
iterate_structure(sp.ndimage.generate_binary_structure({m}, 1), {n}); fourier_gaussian({a}, 1.0);
fourier_uniform({a}, 2.0); fourier_shift({a}, 1.0); fourier_ellipsoid({a}, 2.0);
geometric_transform({a}, lambda at: at, order={k});
watershed_ift(xp.arange(9, dtype='uint8') * {m}, xp.array([1, 0, 0, 0, 0, 0, 0, 0, 2]));
generic_laplace({a}, sp.ndimage.sobel); generic_gradient_magnitude({a}, sp.ndimage.sobel)
""",
    "signal": """
choose_conv_method({a}, {b}); convolve({a}, {b}); convolve2d({a}, {b}, mode='same'); correlate({a}, {b});
correlate2d({a}, {b}, mode='valid'); correlation_lags({n}, {m}); detrend({a});
detrend({a}, axis={x}, type='constant'); fftconvolve({a}, {b}); fftconvolve({a}, {a}, axes={x});
hilbert({a}); medfilt({a}); medfilt2d({a}); oaconvolve({a}, {b}); order_filter({a}, xp.ones({m}), 0);
wiener({a}); lfilter([1, 0.5], [1, -0.3], {a}, axis={x}); lfilter({s}[:3], [2.0], {a});
lfilter_zi([1.0, 0.5], [1.0, -0.3]); lfiltic([1.0, 0.5], [1.0, -0.3], [1.0]);
filtfilt([1.0, 0.5], [1.0, -0.3], {a}); sosfilt(sp.signal.butter({m}, 0.3, output='sos'), {a});
sosfiltfilt(sp.signal.butter(2, 0.3, output='sos'), {s});
sosfilt_zi(sp.signal.butter({m}, 0.3, output='sos')); butter({m}, 0.3);
butter({m}, [0.2, 0.6], 'band', output='zpk')[2]; cheby1({m}, 1, 0.3); cheby2({m}, 30, 0.3);
ellip({m}, 1, 30, 0.3); bessel({m}, 0.3); buttap({m}); cheb1ap({m}, 1); cheb2ap({m}, 30);
ellipap({m}, 1, 30); besselap({m}); buttord(0.2, 0.3, 3, 40); cheb1ord(0.2, 0.3, 3, 40);
cheb2ord(0.2, 0.3, 3, 40); ellipord(0.2, 0.3, 3, 40); iirfilter({m}, 0.3, btype='low');
iirdesign(0.2, 0.3, 1, 40); iirnotch(0.3, 30); iirpeak(0.3, 30); iircomb(0.25, 30); firwin({m} + 2, 0.3);
firwin2({m} + 8, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]); firls(2 * {m} + 1, [0, 0.3, 0.5, 1], [1, 1, 0, 0]);
remez(2 * {m} + 3, [0, 0.1, 0.2, 0.5], [1, 0]); gammatone(440, 'fir', fs=16000);
firwin_2d((3, 5), ('hann', 'hann'), fc=0.4); minimum_phase(sp.signal.firwin(9, 0.3));
savgol_filter({s}, 5, 2); savgol_coeffs(5, 2, deriv={k}); freqz([1.0, 0.5], [1.0, -0.3], {m} + 5)[1];
freqz_zpk([0.5], [0.2], 2.0, {m} + 5)[1]; freqs([1.0, 0.5], [1.0, 0.3], [1.0, 2.0])[1];
freqs_zpk([0.5], [0.2], 2.0, [1.0, 2.0])[1];
freqz_sos(sp.signal.butter(3, 0.3, output='sos'), {m} + 5)[1];
sosfreqz(sp.signal.butter(3, 0.3, output='sos'), {m} + 5)[1];
group_delay(([1.0, 0.5], [1.0, -0.3]), {m} + 5)[1]; bilinear([1.0, 0.5], [1.0, 0.3]);
bilinear_zpk([0.5], [-0.3], 2.0, 4.0); lp2lp([1.0], [1.0, 1.0], 2.0); lp2hp([1.0], [1.0, 1.0], 2.0);
lp2bp([1.0], [1.0, 1.0], 2.0, 1.0); lp2bs([1.0], [1.0, 1.0], 2.0, 1.0);
lp2lp_zpk([0.5], [-0.3], 2.0, 3.0); lp2hp_zpk([0.5], [-0.3], 2.0, 3.0);
lp2bp_zpk([0.5], [-0.3], 2.0, 3.0, 1.0); lp2bs_zpk([0.5], [-0.3], 2.0, 3.0, 1.0);
tf2zpk([1.0, 0.5], [1.0, -0.3]); zpk2tf([0.5], [0.2, 0.1], 2.0); tf2sos([1.0, 0.5], [1.0, -0.3]);
sos2tf(sp.signal.butter(3, 0.3, output='sos')); sos2zpk(sp.signal.butter(2, 0.3, output='sos'))[2];
zpk2sos([0.5], [0.2], 2.0); tf2ss([1.0, 0.5], [1.0, -0.3, 0.1]);
ss2tf([[0.5, 1.0], [0.0, 0.2]], [[1.0], [1.0]], [[1.0, 0.0]], [[0.0]]);
ss2zpk([[0.5]], [[1.0]], [[1.0]], [[0.0]]); zpk2ss([0.5], [0.2], 2.0);
abcd_normalize([[0.5]], [[1.0]], [[1.0]]); cont2discrete(([1.0], [1.0, 1.0]), 0.1)[1];
normalize([2.0, 1.0], [2.0, 1.0]); residue([1.0, 2.0], [1.0, 3.0, 2.0])[2];
residuez([1.0, 2.0], [1.0, 0.3, 0.02])[2]; invres([1.0, 2.0], [-1.0, -2.0], [0.0]);
invresz([1.0, 2.0], [-1.0, -2.0], []); deconvolve({s}, [1.0, 0.5]); unique_roots([1.0, 1.0, 2.0]);
findfreqs([1.0], [1.0, 0.3], {m} + 1); argrelmax({s}); argrelmin({s}); argrelextrema({s}, xp.greater);
find_peaks({s})[0]; peak_prominences({s}, sp.signal.find_peaks({s})[0]);
peak_widths({s}, sp.signal.find_peaks({s})[0])[0]; chirp({s}, 1.0, 5.0, 3.0); sawtooth({s}, 0.5);
square({s}, 0.3); gausspulse({s}, 2.0); sweep_poly({s}, np.poly1d([1.0, 2.0]));
unit_impulse({m} + 1, {k}); max_len_seq({m} + 1); gauss_spline({s}, {m}); hilbert2({q}); envelope({s});
periodogram({s}); welch({s}, nperseg=8); csd({s}, {s}[::-1], nperseg=8);
coherence({s}, {s}[::-1], nperseg=4)[0]; spectrogram({s}, nperseg=8)[2]; stft({s}, nperseg=8)[2];
istft(sp.signal.stft({s}, nperseg=8)[2], nperseg=8)[1]; check_COLA('hann', 8, 4);
check_NOLA('hann', 8, 4); lombscargle({s}, {s}, xp.array([1.0, 2.0])); resample({s}, {m} + 3);
resample_poly({s}, 2, {m}); decimate({s}, 2, ftype='fir'); upfirdn([1.0, 2.0], {s}, 2, {m}); czt({s});
czt_points({m} + 1); zoom_fft({s}, [0.1, 0.5]); cspline1d({s}); qspline1d({s}); cspline1d_eval({s}, {s});
qspline1d_eval({s}, {s}); cspline2d({q} + 0.0); qspline2d({q} + 0.0);
sepfir2d({q} + 0.0, [1.0, 2.0, 1.0], [1.0, 0.0, 1.0]); spline_filter({q} + 0.0);
symiirorder1({s}, 0.3, 0.5); symiirorder2({s}, 0.3, 0.5); vectorstrength({s}, 2.0); kaiser_beta(40.0);
kaiser_atten({m} + 3, 0.2); kaiserord(40.0, 0.2); get_window('hann', {m} + 2);
band_stop_obj(0.3, 0, xp.array([0.1, 0.8]), xp.array([0.2, 0.6]), 1, 40, 'butter')
""",
    "signal.windows": """
barthann({n}); bartlett({n}); blackman({n}, sym=False); blackmanharris({n}); bohman({n}); boxcar({n});
chebwin({m} + 2, 50); cosine({n}); dpss({m} + 4, 2.0); exponential({n}); flattop({n}); gaussian({n}, 1.5);
general_cosine({n}, [0.5, 0.5]); general_gaussian({n}, 1.5, 2.0); general_hamming({n}, 0.6);
get_window('hamming', {m}); hamming({n}); hann({n}); kaiser({n}, 3.0);
kaiser_bessel_derived(2 * {m}, 3.0); lanczos({n}); nuttall({n}); parzen({n}); taylor({m}); triang({n});
tukey({n}, 0.4)
""",
    "special": """
comb({w}, {k}); comb({n}, {k}, exact=True); perm({w}, {k}); factorial({w}); factorial2({w});
logsumexp({a}, axis={x}); softmax({a}, axis={x}); log_softmax({a}, axis={x}); multigammaln({u} + 9, {m});
polygamma({k}, {u} + 0.5); h1vp({k}, {u} + 0.5); h2vp({k}, {u} + 0.5, 2);
jvp({k}, {u}, 1); yvp({k}, {u} + 0.5, 1); ivp({k}, {u}); kvp({k}, {u} + 0.5);
spherical_jn({k}, {u}); spherical_yn({k}, {u} + 0.5); spherical_in({k}, {u});
spherical_kn({k}, {u} + 0.5); lambertw({u} * 9); softplus({a}); zeta({u} + 1.5); zeta({u} + 1.5, 2.5);
sinc({a}); sph_harm_y({m}, {k}, {u}, {u}); sph_legendre_p({m}, {k}, {u})
""",
    "stats": """
gmean({u} + 1); gmean({u} + 1, axis={x}); hmean({u} + 1); pmean({u} + 1, 3); gstd({u} + 1); zscore({a});
zmap({a}, {a}); gzscore({u} + 1); kurtosis({a}); skew({a}, axis={x}); moment({a}, 2);
moment({s}, {m}); mode({w}); mode({w}, axis={x}); variation({a}); describe({s})[2:]; entropy({u} + 0.1);
rankdata({a}); rankdata({a}, method='min'); tiecorrect(xp.sort({s})); sem({a}); trim_mean({a}, 0.2);
linregress({s}, {s}[::-1])[0]; pearsonr({s}, {s}[::-1])[0]; spearmanr({s}, {s}[::-1])[0];
ttest_1samp({s}, 0.5); ttest_ind({s}, {s}[2:]);
ttest_ind_from_stats(1.0, 2.0, {m} + 2, {s}, 1.5, 7); ttest_rel({s}, {s}[::-1]); chisquare({u} + 1).statistic;
boxcox_llf(0.5, {s} + 9); kendalltau({s}, {s}[::-1]).statistic;
mannwhitneyu({s}, {s}[2:] + 0.5).statistic; norm.pdf({a}); norm.cdf({u}); norm.ppf({u}); t.cdf({u}, 3);
chi2.sf({u}, 3);
gamma.pdf({u}, 2.0); beta.cdf({u}, 2.0, 3.0); expon.pdf({a}); uniform.cdf({a}); f.cdf({u}, 2, 3);
poisson.pmf({w}, 2.0); binom.pmf({w}, 5, 0.3); anderson({s}, 'norm').statistic;
bartlett({s}, {s}[2:] * 2).statistic; levene({s}, {s}[2:] * 2).statistic; fligner({s}, {s}[2:] * 2).statistic;
f_oneway({s}, {s}[2:]).statistic; kruskal({s}, {s}[2:]).statistic; ranksums({s}, {s}[2:]).statistic;
friedmanchisquare({s}, {s}[::-1], {s} + 1).statistic; wilcoxon({s} - 0.3).statistic;
ks_1samp({s}, sp.stats.norm.cdf).statistic; ks_2samp({s}, {s}[2:] * 2).statistic;
kstest({s}, 'norm').statistic; shapiro({s}).statistic; skewtest({s}).statistic;
kurtosistest(xp.append({s}, {s} + 0.5)).statistic; normaltest(xp.append({s}, {s} + 0.5)).statistic;
jarque_bera({s}).statistic; iqr({a}); median_abs_deviation({a}); power_divergence({u} + 1).statistic;
chi2_contingency({w}[:2, :3] + 1).statistic; fisher_exact(xp.array([[3, 5], [{m}, {n}]])).statistic
""",
    "interpolate": """
barycentric_interpolate(xp.arange(5.0), {s}[:5], {u} * 4);
krogh_interpolate(xp.arange(4.0), {s}[:4], {u} * 4); pchip_interpolate(xp.arange(5.0), {s}[:5], {u} * 4);
make_interp_spline(xp.arange(8.0), {s}[:8], k={k})({u} * 7);
make_lsq_spline(xp.arange(8.0), {s}[:8], [0.0] * 4 + [3.5] + [7.0] * 4)({u} * 7);
splev({u} * 7, sp.interpolate.splrep(xp.arange(8.0), {s}[:8]));
splint(0.5, 3.5, sp.interpolate.splrep(xp.arange(8.0), {s}[:8]));
splev({u}, sp.interpolate.splder(sp.interpolate.splrep(xp.arange(8.0), {s}[:8])));
splev({u}, sp.interpolate.splantider(sp.interpolate.splrep(xp.arange(8.0), {s}[:8])));
sproot(sp.interpolate.splrep(xp.arange(8.0), {s}[:8]));
interpn((xp.arange(4.0), xp.arange(4.0)), {q} + 0.0, {u}.ravel()[:2] * 3);
griddata(xp.array([[0.0, 0], [1, 0], [0, 1], [1, 1.25]]), xp.arange(4.0), xp.array([[0.25, 0.5]]))
""",
    "integrate": """
trapezoid({a}, axis={x}); simpson({a}, axis={x}); cumulative_trapezoid({a}, axis={x});
cumulative_simpson({a}, dx=0.5, axis={x}); romb({s}[:5]); romb({s}[:5], dx=0.5);
cumulative_trapezoid({s}, initial=0)
""",
    "spatial": """
distance_matrix({q}, {q}); minkowski_distance({q}, {q}[::-1], {m});
minkowski_distance_p({q}, {q}[::-1], {m})
""",
    "spatial.distance": """
cdist({q}, {q}[::-1]); cdist({q}, {q}, {metric}); pdist({q}, {metric}); pdist({q});
squareform(sp.spatial.distance.pdist({q})); squareform({w}.ravel()[:6]); euclidean({s}, {s}[::-1]);
sqeuclidean({s}, {s}[::-1]); cityblock({s}, {s}[::-1]); chebyshev({s}, {s}[::-1]); cosine({s}, {s}[::-1]);
correlation({s}, {s}[::-1]); canberra({s}, {s}[::-1]); braycurtis({s}, {s}[::-1]);
minkowski({s}, {s}[::-1], {m}); hamming({s} > 0, {s}[::-1] > 0); jaccard({s} > 0, {s}[::-1] > 0);
dice({s} > 0, {s}[::-1] > 0); rogerstanimoto({s} > 0, {s}[::-1] > 0); russellrao({s} > 0, {s}[::-1] > 0);
sokalsneath({s} > 0, {s}[::-1] > 0); yule({s} > 0, {s}[::-1] > 0);
jensenshannon(xp.abs({s}), xp.abs({s})[::-1]); mahalanobis({s}[:4], {s}[1:5], {q} + 0.0);
seuclidean({s}, {s}[::-1], xp.ones_like({s})); directed_hausdorff({q} + 0.0, {q}[::-1] + 0.5)[0];
is_valid_dm({q}); is_valid_y({s}[:6]); num_obs_dm(sp.spatial.distance.squareform({s}[:6]));
num_obs_y({s}[:6])
""",
}
"""Calls by module of `cuprum.scipy`."""

for _module, _block in OBJECTS.items():
    SCIPY[_module] = f"{SCIPY[_module]};{_block}" if _module in SCIPY else _block

SPARSE = """
csr_matrix({q}).toarray(); csc_matrix({q}).T.toarray(); coo_matrix({q}).tocsr().sum(axis={k01});
(csr @ {q}); (csr @ csr).toarray(); (csr + csr.T).toarray(); (csr * 2.5).toarray();
csr.multiply({q}).toarray(); csr[{k01}].toarray(); csr[:, {k01}].toarray(); csr[1:, ::2].toarray();
csr.diagonal({i}); csr.trace(); csr.nnz; csr.max(); csr.min(axis={k01}).toarray();
csr.power({m}).toarray(); abs(csr).toarray(); (-csr).toarray(); csr.astype('f4').toarray();
csr.transpose().tocoo().toarray(); csr.conj().toarray(); csr.mean(axis={k01}); csr.argmax(axis={k01});
vstack([csr, csr]).toarray(); hstack([csr, csr]).toarray(); kron(csr, csr).toarray();
kronsum(csr, csr).toarray(); block_diag([csr, csr]).toarray(); bmat([[csr, None], [None, csr]]).toarray();
tril(csr, {i}).toarray(); triu(csr, {i}).toarray(); find(csr); diags([{s}[:4]], [0]).toarray();
diags_array([{s}[:3]], offsets=[1]).toarray(); eye({m}, {n}, {i}).toarray(); eye_array({m}).toarray();
identity({m}).toarray(); spdiags({q}, [0, 1, -1, 2], 4, 4).toarray(); block_array([[csr, csr]]).toarray();
csr.reshape((2, 8)).toarray(); (csr != 0).toarray(); (csr > 1).toarray(); csr.dot({q});
csr.count_nonzero(); linalg.norm(csr);
linalg.spsolve((csr + 99 * sp.sparse.identity(4)).tocsc(), {s}[:4]);
linalg.matrix_power(csr, {k}).toarray();
linalg.spsolve_triangular(sp.sparse.tril(csr, -1).tocsr() + 3 * sp.sparse.identity(4).tocsr(), {s}[:4]);
linalg.expm((csr * 0.1).tocsc()).toarray(); linalg.is_sptriangular(csr); linalg.spbandwidth(csr)
"""
"""Calls of `cuprum.scipy.sparse`; `csr` is a matrix made of `{q}`."""

SPARSE = f"{SPARSE};{SOLVES};{SPARSE_FORMATS}"

NUMPY = """
random.Generator(xp.random.Philox({n})).random({shape});
random.Generator(xp.random.PCG64({n})).random({shape});
random.Generator(xp.random.MT19937({n})).random({shape});
random.Generator(xp.random.Philox({n})).integers(0, {m} + 1, {shape});
lib.stride_tricks.sliding_window_view({a}, {m}); lib.stride_tricks.sliding_window_view({a}, {m}, axis={x})
"""
"""Calls of NumPy's submodules with one right result."""

RANDOM = """
beta(1.5, 2.5, {shape}); binomial(5, 0.5, {shape}); bytes({n}).__len__(); chisquare({m}, {shape});
choice({a}.ravel(), {m}); choice({m}, {n}); dirichlet([1.0, 2.0], {n}); exponential(2.0, {shape});
f(2, 3, {shape}); gamma(2.0, 1.0, {shape}); geometric(0.3, {shape}); gumbel(0, 1, {shape});
hypergeometric(5, 5, 3, {shape}); laplace(0, 1, {shape}); logistic(0, 1, {shape});
lognormal(0, 1, {shape}); logseries(0.3, {shape}); multinomial(5, [0.3, 0.7], {n});
multivariate_normal([0.0, 1.0], xp.eye(2), {n}); negative_binomial(5, 0.5, {shape});
noncentral_chisquare(3, 1.0, {shape}); noncentral_f(3, 2, 1.0, {shape}); normal(0, 1, {shape});
pareto(3.0, {shape}); permutation({a}); permutation({n}); poisson(3.0, {shape}); power(3.0, {shape});
rand({n}, {m}); randint(0, {m}, {shape}); randint({i}, {n}, {shape}, dtype='{dt}'); randn({n}, {m});
random({shape}); random_sample({shape}); ranf({shape}); rayleigh(1.0, {shape}); sample({shape});
standard_cauchy({shape}); standard_exponential({shape}); standard_gamma(2.0, {shape});
standard_normal({shape}); standard_t(3, {shape}); triangular(0, 1, 2, {shape}); uniform(0, 1, {shape});
vonmises(0, 1, {shape}); wald(1, 1, {shape}); weibull(2.0, {shape}); zipf(2.5, {shape})
"""
"""Draws: dtype and shape alone can be compared."""

NOT_CALLED = {
    "linalg": {},
    "fft": {},
    "random": {
        "default_rng": "another generator than NumPy's",
        "get_state": "a setting",
        "set_state": "a setting",
        "seed": "a setting",
        "shuffle": "writes at random",
        "random_integers": "deprecated: warns",
    },
    "lib.stride_tricks": {"as_strided": "refuses what reads beyond an array"},
    "scipy.ndimage": dict.fromkeys(
        ["generic_filter", "generic_filter1d", "labeled_comprehension", "vectorized_filter"],
        "calls a function of the program's",
    ),
    "scipy.signal": {"closest_STFT_dual_window": "tests/conformance/test_signal_short_time.py"},
    "scipy.stats": {},
    "scipy.sparse.linalg": {"use_solver": "a setting"},
    "scipy.spatial": {"tsearch": "takes a triangulation"},
}
"""Public functions of submodules that random programs do not call, each with the reason."""


def special_ufuncs():
    """Return the elementwise functions of `scipy.special` that Cuprum has: (name, operands)."""
    ours, theirs = importlib.import_module("cuprum.scipy.special"), importlib.import_module("scipy.special")
    found = [
        (name, getattr(theirs, name))
        for name in dir(ours)
        if isinstance(getattr(theirs, name, None), np.ufunc)
    ]
    return [(name, ufunc.nin) for name, ufunc in found]


def missing(texts):
    """Return the public functions of submodules that are neither in the texts, by module, nor listed."""
    found = []
    for module in ["linalg", "fft", "random", "lib.stride_tricks", *(f"scipy.{one}" for one in SCIPY)]:
        ours = importlib.import_module(f"cuprum.{module}")
        theirs = importlib.import_module(module if module.startswith("scipy") else f"numpy.{module}")
        for name in dir(ours):
            one = getattr(theirs, name, None)
            public = not name.startswith("_") and callable(one) and not isinstance(one, type)
            if public and name not in NOT_CALLED.get(module, {}) and not texts(module, name):
                found.append(f"{module}.{name}")
    return found


METHODS_NOT_CALLED = {
    "base": "owners differ",
    "ctypes": "addresses",
    "data": "addresses",
    "device": "a name",
    "dump": "writes a file",
    "dumps": "pickles",
    "flags": "compared with every result",
    "to_device": "a device",
    "tofile": "writes a file",
}
"""Public methods of arrays that random programs do not call, each with the reason."""


def missing_methods(texts):
    """Return the methods of arrays that no text calls."""
    names = [name for name in dir(cp.ndarray) if not name.startswith("_") and hasattr(np.ndarray, name)]
    return [name for name in names if f".{name}" not in texts and name not in METHODS_NOT_CALLED]
