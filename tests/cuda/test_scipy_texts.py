"""The kernels of `cuprum.scipy` compile for a GPU, over dtypes, ranks, orders and modes."""

import pathlib

import pytest
from nvrtc import compile_text

import cuprum.scipy
from cuprum.scipy._kernels import kernel_text
from cuprum.scipy.linalg import _bands
from cuprum.scipy.signal import _peaks

FOLDER = pathlib.Path(cuprum.scipy.__file__).parent
MODES = ["NEAREST", "WRAP", "REFLECT", "MIRROR", "CONSTANT", "GRID_WRAP", "GRID_CONSTANT"]
TYPES = ["bool", "signed char", "unsigned short", "int", "long long", "unsigned long long", "float", "double"]
FLOATING = ["float", "double", "Complex<float>", "Complex<double>"]
RADIAL = ["LINEAR", "THIN_PLATE_SPLINE", "CUBIC", "QUINTIC", "MULTIQUADRIC", "INVERSE_MULTIQUADRIC"]
RADIAL += ["INVERSE_QUADRATIC", "GAUSSIAN"]
METRICS = [
    "EUCLIDEAN",
    "SQEUCLIDEAN",
    "CITYBLOCK",
    "CHEBYSHEV",
    "MINKOWSKI",
    "CANBERRA",
    "BRAYCURTIS",
    "COSINE",
]
METRICS += [
    "HAMMING",
    "JACCARD",
    "DICE",
    "ROGERSTANIMOTO",
    "RUSSELLRAO",
    "SOKALSNEATH",
    "YULE",
    "JENSENSHANNON",
]
METRICS += ["MAHALANOBIS", "KL_DIVERGENCE"]

INSTANCES = {
    "ndimage/interpolation": [
        *(f"at_coordinates<double, {t}, double, 2, 3, MIRROR>" for t in TYPES),
        *(f"at_coordinates<{t}, float, float, 3, 1, GRID_CONSTANT>" for t in TYPES),
        *(f"at_affine<double, double, 2, 2, {order}, {m}>" for order in range(6) for m in MODES[::3]),
        *(f"make_table<{order}, {m}, true>" for order in range(6) for m in MODES[1::2]),
        *(f"along_axis<{t}, double, 3>" for t in TYPES),
        *(f"along_last<double, {t}, 5>" for t in TYPES),
        *(f"put_constant<{t}, 4>" for t in TYPES),
    ],
    "ndimage/splines": [
        f"{name}<{end}, {width}>"
        for name, widths in (("causal", (1, 8)), ("anticausal", (1, 8)), ("both", (8,)))
        for end in ("MIRROR", "WRAP", "REFLECT")
        for width in widths
    ],
    "ndimage/label": [
        *(
            f"{name}{t}>"
            for name in (
                *("unite_runs<", "unite_pairs<", "unite_neighbours<", "find_roots<", "find_bounds<"),
                *("count_runs<", "unite_rows<false, ", "unite_rows<true, ", "number_runs<", "paint_rows<"),
            )
            for t in ("int", "long long")
        ),
        *(f"widen_bounds<{t}>" for t in TYPES[:-2]),
    ],
    "sparse/sparse": [
        *(
            f"{name}<{t}, {i}>"
            for name in ("close_gaps", "expand_products")
            for t in (*TYPES, "Complex<float>", "Complex<double>")
            for i in ("int", "long long")
        ),
        *(f"count_pairs<{i}>" for i in ("int", "long long")),
        *(f"sum_sorted_pairs<{t}, int, 512>" for t in (*TYPES, "Complex<float>", "Complex<double>")),
        *(f"sum_sorted_pairs<double, long long, {size}>" for size in (64, 128, 256)),
    ],
    "signal/windows/slepian": ["slepian"],
    "sparse/linalg/tree": ["find_fronts", "find_structure"],
    "sparse/linalg/fronts": [
        f"{name}<{t}, {lanes}>"
        for name in ("assemble", "eliminate", "solve_lower", "solve_upper")
        for t in FLOATING
        for lanes in (32, 128, 512)
    ],
    "sparse/structure": [
        *(f"count_merged<{i}, {union}>" for i in ("int", "long long") for union in ("true", "false")),
        *(f"fill_merged<{t}, {t}, int, true>" for t in (*TYPES, "Complex<float>", "Complex<double>")),
        *(f"fill_merged<{t}, {t}, int, false>" for t in ("bool", "double", "Complex<float>")),
        "fill_merged<int, Complex<double>, long long, true>",
        *(
            f"count_merged_by_lanes<{i}, {union}>"
            for i in ("int", "long long")
            for union in ("true", "false")
        ),
        *(
            f"fill_merged_by_lanes<{t}, {t}, int, true>"
            for t in (*TYPES, "Complex<float>", "Complex<double>")
        ),
        "fill_merged_by_lanes<int, Complex<double>, long long, false>",
        *(f"{name}<{i}>" for name in ("line_starts", "count_places") for i in ("int", "long long")),
        *(f"sum_places<{t}, int>" for t in (*TYPES, "Complex<float>", "Complex<double>")),
    ],
    "sparse/linalg/ordering": ["minimum_degree"],
    "sparse/linalg/lu": [
        *(f"factor<{t}, int, {lanes}>" for t in FLOATING for lanes in (1, 128)),
        *(
            f"solve_triangle<{t}, {i}, 128, {lower}, {unit}>"
            for t in FLOATING
            for i in ("int", "long long")
            for lower in ("true", "false")
            for unit in ("true", "false")
        ),
    ],
    "sparse/csgraph/graph": [
        *("breadth_first", "depth_first", "strong_components", "dijkstra", "bellman_ford", "floyd_warshall"),
        *("spanning_forest", "cuthill_mckee", "bipartite_matching", "assignment", "maximum_flow"),
    ],
    "interpolate/piecewise": [
        "by_powers",
        *(f"by_bernstein<{terms}>" for terms in (1, 4, 6)),
        *(f"by_powers_nd<{rank}>" for rank in (1, 2, 4)),
    ],
    "interpolate/bsplines": [
        *(f"{name}<{k}>" for name in ("values", "basis_values") for k in range(6)),
        *(f"values_nd<{rank}, {k}>" for rank in (1, 2, 3) for k in (1, 3, 5)),
    ],
    "interpolate/least_squares": [
        f"{name}<{band}>"
        for name in ("reduce_intervals", "reduce_rows", "solve_triangle", "solve_transposed")
        for band in (1, 2, 4, 7)
    ],
    "interpolate/grid": [
        f"at_points<{t}, {rank}, {nearest}>"
        for t in ("float", "double")
        for rank in (1, 2, 3, 5)
        for nearest in ("true", "false")
    ],
    "interpolate/rbf": [
        f"{name}"
        for kind in RADIAL
        for name in (f"matrix<{kind}, 2>", f"sums<{kind}, 3, 1>", f"sums<{kind}, 1, 8>")
    ],
    "spatial/distances": [
        f"{name}<{metric}, {weighted}>"
        for name in ("all_pairs", "own_pairs")
        for metric in METRICS
        for weighted in ("true", "false")
    ],
    "spatial/kdtree": [
        f"{name}<{rank}, {norm}, {wraps}{more}>"
        for name, more in (("nearest", ", 10"), ("nearest_many", ""), ("within", ""), ("list_within", ""))
        for rank, norm, wraps in (
            (1, "MANHATTAN", "true"),
            (2, "EUCLIDEAN", "false"),
            (3, "CHEBYSHEV", "true"),
            (7, "MINKOWSKI", "false"),
        )
    ],
    "spatial/delaunay": [
        "insert_all",
        *(
            "first_home",
            "settle",
            "choose",
            "divide",
            "mend",
            "follow_division",
            "claim",
            "flip",
            "follow_flip",
        ),
        "walk",
    ],
    "linalg/schur": ["real_schur", "complex_schur", "root_diagonal"],
    "linalg/qz": ["real_qz", "complex_qz"],
    "linalg/ldl": ["ldl<double>", "ldl<Complex>"],
    "linalg/balance": ["balance<double>", "balance<Complex>"],
    "ndimage/watershed": [
        f"watershed<{t}, {label}>"
        for t in ("unsigned char", "unsigned short")
        for label in ("signed char", "int", "long long")
    ],
    "spatial/hull": ["hull"],
    "optimize/assignment": ["assign"],
    "ndimage/distance": ["nearest_along<true>", "nearest_along<false>"]
    + [f"{name}<{flag}>" for name in ("lower_envelope", "search_line") for flag in ("true", "false")],
}


# Texts that others begin with.
INCLUDED = {"sparse/complex", "spatial/side"}


@pytest.mark.parametrize("file", INSTANCES)
def test_texts_compile(file):
    compile_text(kernel_text(FOLDER / f"{file}.cuh"), INSTANCES[file])


def test_every_text_is_compiled():
    found = {str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.cuh")}
    assert found == set(INSTANCES) | INCLUDED


def test_texts_of_bands_compile():
    names = ["banded_factor", "banded_solve", "banded_cholesky", "banded_cholesky_solve"]
    compile_text(_bands._BANDED, names)


@pytest.mark.parametrize("name", ["prominences", "widths", "distances"])
def test_texts_of_peaks_compile(name):
    compile_text(getattr(_peaks, f"_{name.upper()}"), [name])
