"""The array fuzzer knows every public function: one that it does not know would stop it at its start."""

import pathlib

from twin import fresh_python

FUZZ = pathlib.Path(__file__).resolve().parents[1] / "fuzz"


def test_every_public_function_is_in_the_catalogue_of_calls():
    code = f"""
    import sys
    sys.path[:0] = [{str(FUZZ)!r}, {str(FUZZ.parent)!r}]
    from catalogue import missing
    print(missing())
    """
    assert fresh_python(code) == "[]"
