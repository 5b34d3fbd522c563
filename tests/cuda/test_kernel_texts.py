"""The headers that kernels include, and kernels that include them, compile for a GPU by NVRTC itself."""

import importlib
import pathlib
import re
import sys

import pytest
from nvrtc import compile_text

from cuprum import _core

KERNELS = pathlib.Path(__file__).parents[1] / "kernels"
CORPORA = ("cub", "thrust", "headers", "virtuals")
HEADERS = _core.kernel_headers()
PARTS = re.compile(
    r"_body\.h$|^cuprum/(prelude|simd|rounding|texture|device_runtime|tensor_ptx|curand_distributions)\.h$"
)
"""Headers that are no text of their own, or are only for the CPU."""


def cases():
    sys.path.append(str(KERNELS))
    try:
        corpora = [importlib.import_module(f"test_corpus_{name}") for name in CORPORA]
    finally:
        sys.path.remove(str(KERNELS))
    return [pytest.param(case.code, id=case.name) for corpus in corpora for case in corpus.CASES]


@pytest.mark.parametrize(
    "name", sorted({text: name for name, text in HEADERS if not PARTS.search(name)}.values())
)
def test_headers_compile(name):
    compile_text(f"#include <{name}>\n#include <{name}>\n__global__ void nothing() {{}}", headers=HEADERS)


@pytest.mark.parametrize("code", cases())
def test_kernels_compile(code):
    # What nvcc knows without an include comes before a text that NVRTC refuses for lack of it.
    known = ("cuprum/short_names.h", "cuprum/constants.h", "stdint.h", "stddef.h", "cmath")
    before = "".join(f"#include <{name}>\n" for name in known) if "names_of" in code else ""
    compile_text(before + code, headers=HEADERS)


def test_textures_and_the_heap_are_nvrtcs_own():
    sys.path.append(str(KERNELS))
    try:
        compile_text(importlib.import_module("test_corpus_textures").CODE)
        for case in importlib.import_module("test_heap").CASES:
            compile_text(case.code)
    finally:
        sys.path.remove(str(KERNELS))
