"""Writing by index: every form, with casts, duplicates, overlaps and what an error leaves behind."""

import functools

import numpy as np
import pytest
from case_texts import RECENT, scope_of
from index_texts import check_writes, names, statements
from twin import check, collect, twin

import cuprum as cp

# ---------------------------------------------------------------------------- writing

BASIC_WRITES = statements("""
v[0] = 1; v[-1] = 2; v[:] = 3; v[1:3] = 4; v[::2] = 5; v[::-1] = v; v[::-1] = [1,2,3,4,5]; v[1:] = v[:-1]
v[:-1] = v[1:]
v[...] = 6; v[()] = 7; v[None] = 8; v[None,1:3] = [[1,2]]; v[5:] = 9; v[3:1] = 9; v[1:1] = []; v[2] = 3.9
v[2] = True; v[2] = np.int8(5); v[2] = np.float32(2.5)
v[1:3] = xp.array([7,8]); v[1:3] = np.array([7,8]); v[1:3] = (7,8); v[1:3] = xp.array([7])
v[1:3] = xp.array(7); v[1:3] = xp.array([[[7,8]]])
v[:] = xp.array([1.9,-1.9,2.5,0.1,-0.1]); v[:] = xp.arange(5,dtype=xp.int8); v[:] = v > 15; v[True] = 5
v[False] = 5; v[True] = [1,2,3,4,5]; v[np.int64(1)] = 4
m[0] = 1; m[:,0] = 2; m[1,2] = 3; m[...] = 4; m[:,:] = [1,2,3,4]; m[:] = [[1],[2],[3]]; m[::2,::2] = 5
m[::-1] = m; m[:,::-1] = m; m[1:,1:] = m[:-1,:-1]; m[:-1,:-1] = m[1:,1:]
m[0] = m[1]; m[:,0] = m[:,1]; m[0] = m[:,0].sum(); m[:,1] = m[0,:3]; m[None] = 5
m[:,None] = xp.ones((3,1,4)); m[...,0] = [7,8,9]; m[0,...] = 1; m[1:1] = 5; m[:] = m.sum(0)
m.T[0] = 5; m.T[:] = [1,2,3]; m.T[1:,::-1] = 2; m.T[...] = xp.arange(12).reshape(4,3); m[1][2] = 99
m[1:][0,0] = 98; m[::-1][0] = 97; m[:3,:3] = m[:3,:3].T; m[:] = 1+0*m
m[0] = xp.nan; m[0] = xp.inf; m[0] = -0.0; m[0] = 2**70; m[0] = 10**300; m[0] = True; m[...] = s
m[0] = v[:4]; m[0] = xp.float16(1.1); m[1] = np.float32(0.1); m[0] = m[0] + m[1]
a[1] = 5; a[:,1] = 5; a[:,:,1] = [[1,2,3,4]]*3; a[...,0] = a[...,1]; a[1:,::-1,::2] = 9; a[:] = xp.arange(5)
a[:] = xp.arange(4)[:,None]; a[0] = a[1]; a[::-1] = a; a[...] = a[:,::-1]
a[1,2,3] = -5; a[:,None,1] = 3; a[0,...,0] = [1,2,3,4]; a.T[0] = 6; a.swapaxes(0,1)[1] = 7
a[:,1:3] = a[:,2:4]; a[0,:,:] = xp.broadcast_to(v,(4,5)); a[1] = v; a[2] = [[1],[2],[3],[4]]
s[()] = 5; s[...] = 6; s[None] = 7; s[True] = 8; s[False] = 9; s[()] = 2.9; s[...] = xp.array([[3]])
z[:] = 5; z[...] = []; z[:,0] = 1; z[:,:] = xp.ones((0,4)); z[:] = xp.ones(4)
""")


def test_write_basic():
    check_writes(BASIC_WRITES, may_raise=ValueError)


ADVANCED_WRITES = statements("""
v[[0,2]] = 1; v[[0,2]] = [7,8]; v[[-1,-2]] = 5; v[i] = i; v[i] = 2.7; v[e] = 5; v[[]] = 5; v[[]] = []
v[xp.array(1)] = 5; v[xp.array([1])] = 5; v[[[0,1],[2,3]]] = [[1,2],[3,4]]
v[[[0,1],[2,3]]] = [5,6]; v[j] = [[8],[9]]; v[np.array([1,3])] = np.array([5,6])
v[[1,3]] = xp.array([1.9,-2.9]); v[i[::-1]] = [1,2,3]; v[i] = xp.array([[1,2,3]]); v[i] = True
v[[1,1,1]] = [1,2,3]; v[[0,1,0,1]] = [1,2,3,4]; v[k] = k; v[[2,2]] = 9; v[[0,0,0,0,0,0]] = [5,4,3,2,1,0]
v[xp.array([3,3,-2,-2])] = [1,2,3,4]
v[v>15] = 1; v[v>15] = [1,2,3]; v[v<0] = 5; v[v<0] = []; v[v>15] = v[v>15]*2; v[v>15] += 1
v[v>15] = xp.array([9]); v[v>15] = xp.array(9); v[[True,False,True,False,True]] = 3
v[v>15] = 3.7; v[v>15] = [[1,2,3]]; v[xp.array(True)] = 4; v[xp.array(False)] = 4; v[True,i] = 5
v[None,i] = [[1,2,3]]; v[i,None] = [[1],[2],[3]]; v[...,i] = 4; v[i,...] = 4; v[i] += 10; v[[1,1,1]] += 1
v[i] -= v[i]; v[i] *= 3; v[i] //= 2; v[v>15] %= 7; v[i] = v[[0,0,0]]; v[[0,1,2]] = v[[2,1,0]]
v[[4,3,2,1,0]] = v; v[v>15] = s; v[:][i] = 5; v[1:][[0,1]] = 5; v[::-1][[0,1]] = [5,6]; v[::2][i] = 9
m[i] = 1; m[i] = [1,2,3,4]; m[i] = [[1],[2],[3]]; m[[0,2],[1,3]] = 5; m[[0,2],[1,3]] = [5,6]; m[j,k] = 7
m[j,k[:2]] = [[1,2],[3,4]]; m[:,i] = 8; m[:,i] = [1,2,3]; m[:,i] = [[1],[2],[3]]
m[1:,i] = 5; m[1:,i] = [[1,2,3],[4,5,6]]; m[i,1:] = 5; m[i,1:] = xp.arange(9).reshape(3,3); m[i,1] = [7,8,9]
m[1,i] = [7,8,9]; m[1,[0,0]] = [3,4]; m[[0,0],[1,1]] = [3,4]; m[::-1,i] = [[1,2,3]]*3
m[i,::-1] = [1,2,3,4]; m[i,::2] = [[1,2]]*3; m[...,i] = 6; m[i,None] = 7
m[i,None] = xp.arange(12).reshape(3,1,4); m[e] = 5; m[:,e] = 5; m[e,e] = 5; m[e] = xp.zeros((0,4))
m[xp.array(0),xp.array(1)] = 42
m[xp.array(0)] = [1,2,3,4]; m[:,xp.array(0)] = [1,2,3]; m.T[i] = 5; m.T[k,[0,1,2,0]] = 1; m.T[:,i] = [1,2,3]
m[::-1][i] = [[1],[2],[3]]; m[:,::-1][:,[0,1]] = 4; m[::2,::3][[0,1],[1,0]] = [5,6]
m[t] = 1; m[t] = [1,2,3,4]; m[t] = [[1],[2]]; m[t] = [[1,2,3,4],[5,6,7,8]]; m[:,m[0]>1] = 9
m[:,m[0]>1] = [1,2]; m[m>5] = 0; m[m>5] = xp.arange(6); m[m>5] *= -1; m[tt] = 3; m[tt] = [1,2,3,4]
m[~tt] = m[~tt] + 1; m[t,1] = [8,9]; m[t,1:3] = [[1,2],[3,4]]; m[t,[0,1]] = [5,6]; m[[0,1],m[0]>1] = [5,6]
m[None,tt] = 5; m[tt,None] = [[1],[2],[3],[4]]; m[...,tt] = 6; m[t,...] = 7; m[m>100] = 5; m[m>100] = []
m[True] = 5; m[False] = 5; m.T[tt.T] = 5; m.T[tt.T] = [1,2,3,4]; m[::-1][t] = 4
m[::-1,::-1][tt] = [1,2,3,4]; m[:,::2][:,t[:2]] = 4; m[tt] = xp.nan; m[xp.isnan(m)] = 0; m[m==0] = -0.0
m[t] = m[t][::-1]; m[t] = m[~t]
a[i] = 1; a[i] = xp.arange(20).reshape(4,5); a[:,i] = xp.arange(5); a[:,:,i] = xp.arange(3); a[i,i] = 2
a[i,i] = xp.arange(15).reshape(3,5); a[i,:,i] = 3; a[i,:,i] = xp.arange(12).reshape(3,4); a[:,i,i] = [1,2,3]
a[i,i,i] = [1,2,3]; a[j,i] = 5; a[j,:,i] = xp.arange(24).reshape(2,3,4); a[1,:,i] = 6
a[1,:,i] = xp.arange(12).reshape(3,4); a[i,1:3,1] = [[1,2]]*3; a[...,i] = [1,2,3]; a[i,...] = 4
a[i,None,i] = xp.arange(15).reshape(3,1,5)
a[i,...,1] = xp.arange(4); a[xp.ix_([0,2],[1,3],[0,4])] = 5; a[np.ix_([0,2],[1,3])] = xp.arange(5)
a[tt] = 5; a[tt] = xp.arange(5); a[tt] = xp.arange(20).reshape(4,5); a[tt,1] = [1,2,3,4]; a[tt,1:3] = [1,2]
a[tt,[0,1,2,3]] = 9
a[:,a[0]>7] = 5; a[:,a[0]>7] = xp.arange(12); a[a>30] = 0; a[a%7==0] = -1; a[t,:,i[:2]] = 4
a[t,:,1] = [1,2,3,4]; a[...,v>15] = [1,2,3]; a[1,a[0]>7] = 8; a[True] = 3; a[False,i[:1]] = 3; a[True,i] = 4
a.T[i] = 5; a.T[:,i] = 6; a.swapaxes(0,1)[i,:,i] = 7; a[:,::-1][i,i] = 8; a[::2,::2,::2][:,[1,0]] = 9
a[i] = a[i[::-1]]; a[i] = a[i] * 2; a[:,[0,1]] = a[:,[1,0]]; a[[0,1]] = a[[1,0]]; a[a>a.mean()] = 0
a[i,1] += 5
z[e] = 5; z[:,i] = 5; z[z>0] = 5; z[xp.zeros(0,bool)] = 5; z[[]] = 5; s[xp.array(True)] = 5
s[xp.array(False)] = 5; s[s>3] = 1; s[s>30] = 2; s[True,...] = 3; s[True] = [4]
""")


def test_write_advanced():
    check_writes(ADVANCED_WRITES, layout=False, may_raise=TypeError)


def test_masked_write_reads_its_value_before_writing():
    """NumPy reads elements here that it has just overwritten; what the value was before is meant."""
    host = np.array([0, 10, 20, 30, 40])
    device = cp.array(host)
    device[device >= 0] = device[::-1]
    host[host >= 0] = host[::-1].copy()
    np.testing.assert_array_equal(device.get(), host)


WRITE_ERRORS = {
    IndexError: statements("""
v[5] = 1; v[-6] = 1; v[1,2] = 1; v["x"] = 1; v[1.5] = 1; v[...,...] = 1; v[[5]] = 1; v[[-6]] = 1
v[[0,5]] = [1,2]; v[t] = 1; v[xp.ones(6,bool)] = 1; v[i,i] = 1; v[[0.5]] = 1; m[3] = 1; m[0,4] = 1
m[0,0,0] = 1; m[[0,1],[0,1,2]] = 1; m[:,t] = 1; m[[3]] = 1; m[:,[4]] = 1; m[tt,0] = 1; a[0,0,5] = 1
a[i,k] = 1; a[i,:,:,i] = 1; a[xp.ones((3,4,5,1),bool)] = 1; a[[0,3]] = xp.ones((2,4,5)); s[0] = 1
s[:] = 1; z[0] = 1; z[[0]] = 1
"""),
    ValueError: statements("""
v[1:3] = [1,2,3]; v[:] = [1,2]; v[:] = xp.ones((2,5)); v[1:2] = []; v[...] = [[1],[2]]; v[0] = "x"
v[:] = "abcde"; v[0] = xp.nan; v[::0] = 1; v[i] = [1,2]; v[i] = [1,2,3,4]; v[v>15] = [1,2]
v[v>15] = [1,2,3,4]; v[[]] = [1,2]; m[0] = [1,2,3]; m[:,0] = [1,2]; m[:] = xp.ones((4,3))
m[0,0] = [1,2]; m[t] = [1,2,3]; m[tt] = [1,2]; m[i,1:] = xp.ones((3,2)); a[:,i] = xp.ones((3,4,5))
a[i,:,i] = xp.ones((4,3)); a[tt] = xp.ones((5,4)); a[a>30] = [1,2]; a[0] = xp.ones((5,4))
z[:] = xp.ones((2,4)); z[:] = xp.ones(3); xp.broadcast_to(v,(2,5))[0] = 1
xp.broadcast_to(v,(2,5))[0,0] = 1; xp.broadcast_to(v,(2,5))[[0]] = 1
"""),
    TypeError: statements("""
v[0] = [1,2]; v[0] = None; v[0] = [1,[2]]; v[:,None].astype("c16")[0,0] = v; v.astype("c8")[0] = v
v.astype("c8")[0] = [1]; v[0] = 1j; v[0] = object(); v[:] = xp.array([1j]*5).tolist(); v[0] = {}
v[0] = [1j]; v[v>15] = xp.ones((2,3)); s[()] = [1,2]; m[0] = xp.array([1j]*4).tolist()
"""),
    OverflowError: statements("""
v[0] = 10**30; v[:] = 10**30; v[0] = -10**30
"""),
}


def write_failure(text, xp):
    """Raise what the statement raises; the arrays themselves have to be as they were."""
    scope = scope_of(names, xp)
    before = [np.array(scope[name].tolist()) for name in ("s", "v", "m", "a", "z")]
    try:
        exec(text, scope)
    finally:
        after = [np.array(scope[name].tolist()) for name in ("s", "v", "m", "a", "z")]
        if xp is not np:
            assert all(np.array_equal(x, y) for x, y in zip(before, after, strict=True)), (
                f"half-written: {text}"
            )
    return "no error"


def test_write_errors_raise_and_write_nothing():
    with collect() as failures:
        for text, raised in [(text, raised) for raised, texts in WRITE_ERRORS.items() for text in texts]:
            with failures:
                check(functools.partial(write_failure, text), label=text, raises=raised)


@twin()
def test_writes_cast_to_the_targets_dtype(xp):
    results = []
    dtypes = [
        "bool",
        "int8",
        "uint8",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
    ]
    for target in dtypes:
        for source in dtypes:
            if source == "complex64" and target != "complex64":
                continue
            values = xp.array([0, 1, 2, 3, 100]).astype(source)
            written = xp.zeros(5, dtype=target)
            written[:] = values
            scattered = xp.zeros(5, dtype=target)
            scattered[[4, 3, 2, 1, 0]] = values
            masked = xp.zeros(5, dtype=target)
            masked[xp.array([True, False, True, False, True])] = values[1:4]
            single = xp.zeros(2, dtype=target)
            single[1] = values[4]
            results.append((written, scattered, masked, single))
    return results


@twin()
def test_last_of_duplicate_writes_wins(xp):
    a = xp.zeros(10)
    a[xp.arange(1000) % 10] = xp.arange(1000)
    b = xp.zeros((4, 3))
    b[[1, 1, 2, 1]] = xp.arange(12).reshape(4, 3)
    c = xp.zeros(7, dtype=xp.int8)
    c[[0, 0, 6, 6, -7]] = [1, 2, 3, 4, 5]
    return a, b, c


@twin()
def test_large_scatter_in_order(xp):
    n = 100_000
    a = xp.zeros(n, dtype=xp.int64)
    index = (xp.arange(3 * n) * 7919) % n
    a[index] = xp.arange(3 * n)
    b = xp.arange(n)
    b[b % 3 == 0] = b[b % 3 == 0] * 2
    b[::2][b[::2] > 50] = -1
    return a, b


@twin()
def test_in_place_operators_through_indices(xp):
    a = xp.arange(12.0).reshape(3, 4)
    a[0] += 1
    a[:, 1] *= 2
    a[1:, ::2] -= 5
    a[[0, 2]] /= 2
    a[a > 3] **= 2
    a[[0, 0, 0], 1] += 100
    a[...] += 1
    b = xp.arange(6)
    b[1:] += b[:-1]
    b[::-1] += b
    b[b > 3] |= 8
    b[2] <<= 2
    b[xp.array(3)] //= 2
    return a, b


@RECENT
@twin()
def test_writing_an_array_into_itself_through_an_index(xp):
    a = xp.arange(10)
    a[[1, 2, 3]] = a[[0, 1, 2]]
    a[2:] = a[:-2]
    a[a > 4] = a[a > 4][::-1]
    index = xp.array([3, 1, 0, 2])
    index[index] = xp.arange(4)
    mask = xp.array([True, False, True])
    mask[mask] = False
    return a, index, mask


@pytest.mark.parametrize("value", [-2.5, 255.9, 256.0, 70000.0, 1e300, -1e10, 3e9], ids=repr)
@pytest.mark.parametrize("index", [0, ..., [0, 2], slice(0, 2)], ids=str)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint16", "int32", "uint32", "int64", "float32", "bool"])
@twin(may_raise=OverflowError)
def test_floats_must_fit_integers(xp, dtype, index, value):
    a = xp.ones(3, dtype)
    a[index] = value
    return a, xp.array(value, dtype=dtype)


@pytest.mark.parametrize(
    "statement",
    [
        "a[far] = -6",
        "a[far] = 300.5j",
        "a[far] = xp.zeros(7)",
        "a[far, far] = xp.zeros((2, 2, 7))",
        "xp.put_along_axis(a, xp.array([[9]]), xp.zeros((3, 3)), 0)",
        "xp.bitwise_xor.at(xp.zeros(3), far, 1)",
        "xp.invert.at(xp.zeros(3), far)",
        "255 ** xp.array([-1], xp.int8)",
    ],
)
def test_a_value_that_does_not_fit_comes_before_a_position_that_does_not(statement):
    def body(xp):
        a = xp.zeros((3, 1), xp.uint16)
        exec(statement, {"xp": xp, "a": a, "far": xp.array([0, 9])})
        return a

    check(body, may_raise=(OverflowError, TypeError, ValueError))


def written(name, xp, dtype, value):
    a = xp.zeros((3, 3), dtype)
    mask = xp.array([[True, False, True]] * 3)
    if name == "put":
        xp.put(a, xp.array([0, 4]), value)
    elif name == "put_along_axis":
        xp.put_along_axis(a, xp.array([[1], [0], [2]]), value, 1)
    elif name == "flat":
        a.flat = value
    elif name == "fill_diagonal":
        xp.fill_diagonal(a, value)
    else:
        getattr(xp, name)(a, mask, value)
    return a


VALUES = (
    "3",
    "300",
    "-1",
    "1.5",
    "1+2j",
    "[3]",
    "xp.array([300])",
    "xp.array([1.5])",
    "xp.array([1], 'int8')",
)
WRITERS = ("put", "put_along_axis", "flat", "fill_diagonal", "putmask", "place")


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "float64", "complex64"])
@pytest.mark.parametrize("name", WRITERS)
def test_what_an_array_cannot_hold_is_refused_as_by_numpy(name, dtype):
    for text in VALUES:
        found = []
        for xp in (np, cp):
            try:
                a = written(name, xp, dtype, eval(text, {"xp": xp}))
                found.append(a.tolist())
            except (TypeError, ValueError, OverflowError) as error:
                found.append(next(c for c in type(error).__mro__ if c.__module__ == "builtins"))
        assert found[1] == found[0], text
