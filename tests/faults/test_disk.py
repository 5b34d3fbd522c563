"""A disk that is full: OSError, and no file that could be taken for a whole one."""

import os
import pathlib

import numpy as np
import pytest
from twin import fresh_python

import cuprum as cp

FULL = pathlib.Path("/dev/full")
SAVERS = {
    "save": lambda file, a: cp.save(file, a),
    "savez": lambda file, a: cp.savez(file, x=a),
    "savez_compressed": lambda file, a: cp.savez_compressed(file, x=a),
    "savetxt": lambda file, a: cp.savetxt(file, a),
    "tofile": lambda file, a: a.tofile(file),
}


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", sorted(SAVERS))
def test_a_full_device(name):
    a = cp.asarray(np.random.default_rng(0).random((100, 100)))
    # The name stays as it is: savers append to others.
    with pytest.raises(OSError), open(FULL, "wb") as file:
        SAVERS[name](file, a)
    assert float(a.sum()) > 0


@pytest.mark.parametrize("name", sorted(SAVERS))
def test_a_file_that_may_not_grow(name, tmp_path):
    pytest.importorskip("resource")
    file = tmp_path / {"save": "x.npy", "savetxt": "x.txt", "tofile": "x.bin"}.get(name, "x.npz")
    call = {
        "tofile": "a.tofile(file)",
        "savez": "cp.savez(file, x=a)",
        "savez_compressed": "cp.savez_compressed(file, x=a)",
    }
    out = fresh_python(
        f"""
        import resource
        file = sys.argv[1]
        a = cp.asarray(np.random.default_rng(0).random((100, 100)))
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
        try:
            {call.get(name, f"cp.{name}(file, a)")}
        except OSError as error:
            print("OSError", bool(str(error)))
        print(float(a.sum()) > 0)
        """,
        file,
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert out.split() == ["OSError", "True", "True"]
    if name == "tofile":
        # Bytes without a header: whoever reads them says how many there should be.
        assert not file.exists() or os.path.getsize(file) < 80_000
    elif file.exists() and os.path.getsize(file):
        with pytest.raises(Exception):  # noqa: B017
            loaded = cp.loadtxt(file) if name == "savetxt" else cp.load(file)
            _ = loaded["x"] if name.startswith("savez") else loaded
