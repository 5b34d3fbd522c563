"""The kernels of `cuprum.scipy` compile for a GPU, over dtypes, ranks, orders and modes."""

import pathlib

import pytest
from nvrtc import compile_text

import cuprum.scipy

FOLDER = pathlib.Path(cuprum.scipy.__file__).parent
MODES = ["NEAREST", "WRAP", "REFLECT", "MIRROR", "CONSTANT", "GRID_WRAP", "GRID_CONSTANT"]
TYPES = ["bool", "signed char", "unsigned short", "int", "long long", "unsigned long long", "float", "double"]

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
        f"{name}<{end}>" for name in ("causal", "anticausal") for end in ("MIRROR", "WRAP", "REFLECT")
    ],
    "ndimage/label": [
        f"{name}<{t}>" for name in ("unite_runs", "find_roots", "find_bounds") for t in ("int", "long long")
    ],
    "sparse/sparse": [
        *(
            f"{name}<{t}, {i}>"
            for name in ("multiply_vector", "multiply_matrix", "expand_products")
            for t in (*TYPES, "Complex<float>", "Complex<double>")
            for i in ("int", "long long")
        ),
        *(f"multiply_vector_shared<{t}, int, 32>" for t in (*TYPES, "Complex<double>")),
    ],
    "ndimage/distance": ["nearest_along<true>", "nearest_along<false>", "lower_envelope"],
}


@pytest.mark.parametrize("file", INSTANCES)
def test_texts_compile(file):
    compile_text((FOLDER / f"{file}.cuh").read_text(), INSTANCES[file])


def test_every_text_is_compiled():
    found = {str(path.relative_to(FOLDER).with_suffix("")) for path in FOLDER.rglob("*.cuh")}
    assert found == set(INSTANCES)
