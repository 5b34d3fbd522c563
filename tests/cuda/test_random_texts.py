"""The kernel by which a GPU draws from a PCG compiles."""

from nvrtc import compile_text

from cuprum.random._ahead import TEXT


def test_text_compiles():
    compile_text(TEXT, ["draw<double>", "draw<unsigned long long>"])
