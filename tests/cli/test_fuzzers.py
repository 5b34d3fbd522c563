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


def test_a_known_difference_is_known_at_its_own_operands():
    code = f"""
    import sys
    sys.path[:0] = [{str(FUZZ)!r}, {str(FUZZ.parent)!r}]
    import numpy as np
    from known import is_known
    from oracle import Read, _operands

    orders = np.array([np.inf, 1.0])
    line = "v2 = sp.special.yn(v0[::-1], 0.0)"
    operands = _operands(line, {{"v0": orders[::-1]}})
    assert [one.tolist() for one in operands] == [[np.inf, 1.0], 0.0]
    read = Read([orders], operands)
    want = np.array([-np.inf, 0.44])
    print(is_known(line, np.array([np.nan, 0.44]), want, read))
    print(is_known(line, np.array([-np.inf, np.nan]), want, read))
    # Neither has a difference of another kind: that of dtypes is known for SciPy, that of shapes not.
    print(is_known(line, want.astype("f4"), want, read), is_known(line, want[:1], want, read))
    """
    assert fresh_python(code).split() == ["True", "False", "True", "False"]
