"""Files: what Cuprum writes NumPy reads, and the other way round, bit for bit."""

import io
import pickle

import numpy as np
import pytest
from twin import ALL_DTYPES, check, raising

import cuprum as cp


def written(write, *args, text=False, **kwargs):
    file = io.StringIO() if text else io.BytesIO()
    write(file, *args, **kwargs)
    file.seek(0)
    return file


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (3, 0, 2)])
def test_npy_both_ways(dtype, shape):
    host = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    back = np.load(written(cp.save, cp.array(host)))
    assert back.dtype == host.dtype and back.shape == host.shape and (back == host).all()
    loaded = cp.load(written(np.save, host))
    assert isinstance(loaded, cp.ndarray) and loaded.dtype == host.dtype
    np.testing.assert_array_equal(cp.asnumpy(loaded), host)


def test_npy_keeps_fortran_order():
    assert cp.load(written(np.save, np.asfortranarray(np.ones((2, 3))))).flags.f_contiguous
    assert np.load(written(cp.save, cp.arange(6).reshape(2, 3).T[::-1])).tolist() == [[2, 5], [1, 4], [0, 3]]


@pytest.mark.parametrize("write", ["savez", "savez_compressed"])
def test_npz_both_ways(write):
    x, y = np.arange(4.0), np.ones((2, 2), dtype="int8")
    back = np.load(written(getattr(cp, write), cp.array(x), y=cp.array(y)))
    assert sorted(back.files) == ["arr_0", "y"]
    np.testing.assert_array_equal(back["y"], y)
    with cp.load(written(getattr(np, write), x, y=y)) as arrays:
        assert sorted(arrays) == ["arr_0", "y"] and len(arrays) == 2 and "y" in arrays
        assert isinstance(arrays["arr_0"], cp.ndarray)
        np.testing.assert_array_equal(cp.asnumpy(arrays["arr_0"]), x)
        with pytest.raises(KeyError):
            arrays["z"]


def test_names_get_suffixes(tmp_path):
    cp.save(tmp_path / "a", cp.arange(3))
    cp.savez(tmp_path / "b", cp.arange(3))
    assert (tmp_path / "a.npy").exists() and (tmp_path / "b.npz").exists()
    assert cp.load(tmp_path / "a.npy", mmap_mode="r").tolist() == [0, 1, 2]
    with pytest.raises(FileNotFoundError):
        cp.load(tmp_path / "c.npy")


def test_text_both_ways(tmp_path):
    host = np.random.default_rng(0).normal(size=(4, 3))
    ours, theirs = io.StringIO(), io.StringIO()
    cp.savetxt(ours, cp.array(host), fmt="%.18e", delimiter=",", header="x")
    np.savetxt(theirs, host, fmt="%.18e", delimiter=",", header="x")
    assert ours.getvalue() == theirs.getvalue()
    ours.seek(0)
    np.testing.assert_array_equal(cp.asnumpy(cp.loadtxt(ours, delimiter=",")), host)


@pytest.mark.parametrize(
    "body",
    [
        lambda xp: xp.loadtxt(["1 2", "3 4"]),
        lambda xp: xp.loadtxt(["1 2", "3 4"], dtype=int, unpack=True),
        lambda xp: xp.loadtxt(["1,2", "3,4"], delimiter=",", usecols=1),
        raising(ValueError, lambda xp: xp.loadtxt(["1 2", "3"])),
        lambda xp: xp.genfromtxt(["1,,3"], delimiter=","),
        lambda xp: xp.genfromtxt(["1,,3"], delimiter=",", filling_values=-1, dtype=int),
        lambda xp: xp.fromstring("1 2 3", sep=" "),
        lambda xp: xp.fromstring("1, 2, 3", dtype=int, sep=","),
        lambda xp: xp.fromstring("1 2 3", dtype=int, count=2, sep=" "),
    ],
)
def test_text(body):
    check(body)


def test_fromfile(tmp_path):
    path = tmp_path / "raw"
    np.arange(6, dtype="int16").tofile(path)
    check(lambda xp: xp.fromfile(path, dtype="int16"))
    check(lambda xp: xp.fromfile(str(path), dtype="int16", count=2, offset=4))
    path.write_text("1 2 3")
    check(lambda xp: xp.fromfile(path, sep=" "))


def test_methods_write_files(tmp_path):
    a = cp.arange(6, dtype="int16").reshape(2, 3)
    a.T.tofile(tmp_path / "raw")
    assert np.fromfile(tmp_path / "raw", dtype="int16").tolist() == [0, 3, 1, 4, 2, 5]
    a.tofile(tmp_path / "text", sep=" ", format="%d")
    assert (tmp_path / "text").read_text() == "0 1 2 3 4 5"
    a.dump(tmp_path / "pickle")
    with open(tmp_path / "pickle", "rb") as file:
        back = pickle.load(file)
    assert isinstance(back, cp.ndarray) and back.tolist() == a.tolist()
    assert pickle.loads(a.dumps()).dtype == a.dtype
