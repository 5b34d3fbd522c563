"""Damaged `.npy` and `.npz` files, and DLPack capsules that say anything: an error, or NumPy's result."""

import ctypes
import io
import random
import subprocess
import sys
import time

import numpy as np


def damaged(rng):
    """Return a file of arrays with some of its bytes changed, cut off or repeated."""
    out = io.BytesIO()
    dtype = rng.choice(["f8", "f4", "i2", "u1", "c16", "?", "f2", ">i4", "i8"])
    host = np.arange(rng.randint(0, 40)).astype(dtype)
    if rng.random() < 0.5:
        host = host[: len(host) // 4 * 4].reshape(-1, 4, order=rng.choice("CF"))
    if rng.random() < 0.6:
        np.save(out, host)
    else:
        np.savez(out, a=host, b=host[::2]) if rng.random() < 0.5 else np.savez_compressed(out, a=host)
    data = bytearray(out.getvalue())
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(data)) if rng.random() < 0.3 else rng.randrange(min(len(data), 128))
        how = rng.random()
        if how < 0.5:
            data[at] = rng.randrange(256)
        elif how < 0.7:
            data[at : at + 1] = rng.choice(
                [b"9" * 12, b"-", b"(", b",,", b"'", b"\0", b"True", b"O", b"\xff" * 8]
            )
        elif how < 0.85:
            del data[at : at + rng.randint(1, 20)]
        else:
            del data[at:]
        if not data:
            return b""
    return bytes(data)


def read_one(rng, cp):
    """Read a damaged file by both; return what is wrong, or None."""
    data = damaged(rng)
    outcomes = []
    for load in (np.load, cp.load):
        try:
            loaded = load(io.BytesIO(data))
            names = getattr(loaded, "files", None)
            parts = [loaded[name] for name in names] if names is not None else [loaded]
            outcomes.append([cp.asnumpy(part) for part in parts])
        except Exception as error:
            outcomes.append(error)
    theirs, ours = outcomes
    if isinstance(ours, Exception):
        if isinstance(theirs, Exception) or not all(part.dtype.kind in "?iufc" for part in theirs):
            return None
        return f"load raises {type(ours).__name__}: {ours} where NumPy reads {data!r}"
    if isinstance(theirs, Exception):
        return f"load reads what NumPy refuses with {type(theirs).__name__}: {theirs}: {data!r}"
    same = len(ours) == len(theirs) and all(
        a.shape == b.shape
        and a.astype(b.dtype.newbyteorder("=")).tobytes() == b.astype(b.dtype.newbyteorder("=")).tobytes()
        for a, b in zip(ours, theirs, strict=True)
    )
    return None if same else f"load reads other values than NumPy: {data!r}"


class Tensor(ctypes.Structure):
    """DLPack's tensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    """DLPack's tensor with its owner."""

    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_LENGTHS = [0, 1, 2, 3, -1, -(2**63), 2**31, 2**32, 2**62, 2**63 - 1]


def take_one(rng, cp):
    """Take a capsule that may say anything; return what is wrong, or None."""
    memory = np.arange(64.0)
    ndim = rng.choice([0, 1, 1, 2, 2, 3, 5, 64, 65])
    lengths = [rng.choice(_LENGTHS) if rng.random() < 0.3 else rng.randint(0, 4) for _ in range(ndim)]
    steps = [rng.choice(_LENGTHS) if rng.random() < 0.3 else rng.randint(-4, 4) for _ in range(ndim)]
    shape = (ctypes.c_int64 * max(ndim, 1))(*lengths)
    strides = (ctypes.c_int64 * max(ndim, 1))(*steps) if rng.random() < 0.5 else None
    tensor = Tensor(
        memory[16:].ctypes.data, rng.choice([1, 1, 1, 1, 2, 99]), 0, rng.choice([ndim, ndim, ndim, -1, 10000])
    )
    tensor.code, tensor.bits, tensor.lanes = (
        rng.choice([0, 1, 2, 2, 5, 6, 9]),
        rng.choice([8, 16, 32, 64, 64, 128, 7]),
        rng.choice([1, 1, 1, 4]),
    )
    tensor.shape, tensor.strides = shape, strides
    tensor.byte_offset = rng.choice([0, 0, 0, 8, 2**63, 2**64 - 8])
    managed = Managed(tensor, None, None)
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    if tensor.ndim > ndim and rng.random() < 2:
        # The shape is not as long as it says: no reader could know, but for the bound on dimensions.
        tensor.ndim = 10000
    try:
        taken = cp.fromDlpack(make(ctypes.addressof(managed), b"dltensor", None))
    except (BufferError, ValueError):
        return None
    except Exception as error:
        return f"fromDlpack raises {type(error).__name__}: {error}"
    _kept.append((memory, shape, strides, managed))
    if any(length < 0 for length in lengths) or list(taken.shape) != lengths:
        return f"fromDlpack: shape {taken.shape} of {lengths}"
    return None


_kept = []


def session(seed, count):
    """Read and take many; print what is wrong."""
    import cuprum as cp

    rng = random.Random(seed)
    for _ in range(count):
        for one in (read_one, take_one):
            wrong = one(rng, cp)
            if wrong:
                print(wrong[:600], flush=True)
        del _kept[:-10]


def run(seed, seconds):
    """Run sessions in processes of their own for a while; return the calls made and what was wrong."""
    begun, calls, bad = time.monotonic(), 0, []
    while not calls or time.monotonic() - begun < seconds:
        done = subprocess.run([sys.executable, __file__, str(seed), "1000"], capture_output=True, text=True)
        bad += done.stdout.splitlines()[:20]
        if done.returncode:
            bad.append(f"hostile.py {seed}: exit status {done.returncode}: {done.stderr[-300:]}")
        calls, seed = calls + 2000, seed + 1
    return calls, bad


if __name__ == "__main__":
    session(int(sys.argv[1]), int(sys.argv[2]))
