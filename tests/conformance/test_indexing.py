"""Indexing: every basic, boolean and integer-array form, read and written, and the functions built on it.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
NumPy does not document the memory order of advanced indexing results: there, layout is not compared.
"""

import functools

import numpy as np
import pytest
from twin import INTEGERS, check, collect, twin

import cuprum as cp

RECENT = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="NumPy before 2.3 lacks this or answers otherwise"
)


def names(xp):
    """The arrays that case texts speak of, built anew for every case."""
    return {
        "xp": xp,
        "np": np,
        "s": xp.array(7),
        "v": xp.arange(5) * 10,
        "m": xp.arange(12.0).reshape(3, 4),
        "a": xp.arange(60).reshape(3, 4, 5),
        "z": xp.zeros((0, 4)),
        "i": xp.array([2, 0, 1]),
        "j": xp.array([[0], [2]]),
        "k": xp.array([1, 1, 3, 0]),
        "e": xp.array([], dtype=xp.int64),
        "t": xp.array([True, False, True]),
        "tt": xp.arange(12).reshape(3, 4) % 3 == 0,
    }


def words(table):
    """The expressions of a table that are parted by white space."""
    return table.split()


def statements(table):
    """The statements of a table that are parted by semicolons and line ends."""
    return [text.strip() for text in table.replace("\n", ";").split(";") if text.strip()]


def value_of(text, xp):
    return eval(text, names(xp))


def state_after(text, xp):
    """Run the statement; the arrays it may have written are the result."""
    scope = names(xp)
    exec(text, scope)
    return [scope[name] for name in ("s", "v", "m", "a", "z")]


def check_values(cases, **options):
    with collect() as failures:
        for text in cases:
            with failures:
                check(functools.partial(value_of, text), label=text, **options)


def check_writes(cases, **options):
    with collect() as failures:
        for text in cases:
            with failures:
                check(functools.partial(state_after, text), label=text, **options)


# ---------------------------------------------------------------------------- reading, basic

BASIC = words("""
v[0] v[4] v[-1] v[-5] v[:] v[1:] v[:3] v[1:4] v[::2] v[1::2] v[::-1] v[3:0:-1] v[3::-2] v[-2:] v[:-2]
v[-3:-1]
v[10:] v[:10] v[-10:] v[:-10] v[3:1] v[1:3:-1] v[10:0:-1] v[::10] v[::-10] v[0:0] v[5:5] v[4:-10:-1]
v[...] v[None] v[:,None] v[None,:] v[...,None] v[None,...,None] v[()] v[(1,)] v[(slice(1,3),)]
v[np.int64(2)] v[np.uint8(3)] v[np.int8(-1)] v[np.int64(1):np.int32(4)] v[xp.array(1):xp.array(4)]
v[True] v[False] v[np.True_] v[None,True] v[True,None] v[True,1:3] v[False,1:3]
m[0] m[-1] m[1,2] m[-1,-1] m[1,:] m[:,1] m[:,-1] m[1:,1:] m[::-1] m[:,::-1] m[::-1,::-1] m[::2,::3] m[0,1:3]
m[...,0] m[0,...] m[1,...,2] m[...,1,2] m[...,::-1] m[None,1] m[:,None,1] m[1,None,2] m[1:2] m[1:2,2:3]
m[3:] m[:,4:]
m[()] m[...] m[(0,1)] m[(0,)] m[0][1] m[1:][0] m[::-1][::-1] m.T[0] m.T[1,2] m.T[1:,::-1] m[None,None]
m[...,None]
a[1] a[1,2] a[1,2,3] a[-1,-2,-3] a[:,1] a[:,:,1] a[...,1] a[1,...] a[1,...,2] a[...,1,2] a[1,2,...]
a[1,2,3,...]
a[...,1,2,3] a[0:2,1:3,2:4] a[::-1,::2,::-2] a[:,None] a[None,:,None,:,None] a[:,1,None] a[None,1,:,None,2]
a[...,None,0]
a[2:0:-1,...,1:4:2] a[(1,slice(None),2)] a[1:1] a[:,4:] a[...,5:] a[5:,5:,5:] a.T[1] a.swapaxes(0,2)[:,1]
s[()] s[...] s[None] s[None,None] s[...,None] s[True] s[False] s[True,None] s[None,True] s[True,True]
s[True,False]
z[:] z[:,0] z[:,1:] z[...,2] z[::-1] z[None] z[0:5] z[:,-1]
a[True] a[False] a[True,1] a[1,True,None]
a[:,:,:] a[:,:,:,...] a[...,:,:,:]
""")


def test_read_basic():
    check_values(BASIC)


BASIC_ERRORS = words("""
v[5] v[-6] v[100] v[10**30] v[-10**30] v[1,2] v[0,...,0] v[None,5] v[1.0] v[1.5] v["x"] v[1:2:0] v["a":2]
v[1.5:2] v[:2.0]
v[1j] v[object()] v[{}] v[b"a"] v[None,"x"] v[slice(None,None,0)] v[slice("a")] v[...,...] v[(...,...,1)]
m[3] m[0,4] m[0,-5] m[-4] m[0,0,0] m[...,...,0] m[:,:,:] m[0,0,None,0] m[4:,4] m[1.0,0] m[0,"x"]
s[0] s[:] s[0,...] s[-1] s[[0]] s[xp.array([0])] s[1:]
z[0] z[-1] z[0,0] z[:,4] z[:,-5]
a[3] a[0,0,5] a[0,0,0,0] a[-4,0] a[0,-5,0] a[...,5]
v[0][0] m[0][0][0] v[np.float64(1)] v[xp.array(1.0)] v[(1,2,3)]
""")


def test_read_basic_errors():
    check_values(BASIC_ERRORS)


# ---------------------------------------------------------------------------- reading, advanced

INTEGER_ARRAYS = words("""
v[[0]] v[[0,2,4]] m[[9],[]] m[[[9]],[]] v[xp.zeros(0,bool)] m[xp.zeros(0,bool)] m[:,xp.zeros(0,bool)]
v[[0,2,4]] v[[-1,0,-5]] v[[2,2,2,2,2,2]] v[[]] v[[[0,1],[2,3]]] v[i] v[j] v[e] v[xp.array(2)]
v[xp.array([2])] v[np.array([1,3])]
v[np.array(2)] v[[True,False,True,False,True]] v[xp.array([[0,1,2],[3,4,-1]])] v[i[::-1]]
v[xp.array([0,1,2,3])[::2]] v[j.T]
v[xp.array([0,1],dtype=xp.uint8)] v[xp.array([0,-1],dtype=xp.int8)] v[xp.array([1,2],dtype=xp.uint64)]
v[np.array([3],dtype=np.int16)]
v[xp.array([[]],dtype=xp.int32)] v[xp.zeros((0,3),dtype=xp.int64)] v[xp.zeros((2,0),dtype=xp.int64)]
v[None,i] v[i,None] v[None,i,None]
v[...,i] v[i,...] v[True,i] v[i,True] v[False,i[:1]] v[[np.int64(1),np.uint8(2)]]
v[[xp.array(1),xp.array(2)]] v[range(3)] v[(i,)]
m[i] m[[0,2]] m[j] m[[0,2],[1,3]] m[[0,1,2],[0,1,2]] m[i,i] m[j,k] m[j,[0,3]] m[xp.array(1),i]
m[i,xp.array(1)] m[1,i] m[i,1] m[-1,k]
m[:,i] m[:,j] m[1:,i] m[i,1:] m[::-1,i] m[i,::-1] m[i,::2] m[...,i] m[i,...] m[...,i,1] m[None,i] m[i,None]
m[:,None,i] m[i,None,1] m[i,:,None]
m[e] m[:,e] m[e,e] m[e,1] m[1,e] m[e,1:3] m[[[0]],[[1,2,3]]] m[xp.array(0),xp.array(1)] m[xp.array(0)]
m[:,xp.array(0)] m[xp.array(-1),:]
m.T[i] m.T[k,[0,1,2,0]] m[::-1][i] m[:,::-1][:,i] m[::2,::3][[0,1,1],[1,0,1]] m[[0,2]][:,[1,3]] m[i][i]
m[[1,1]][[0,1,0]]
a[i] a[:,i] a[:,:,i] a[i,i] a[i,:,i] a[:,i,i] a[i,i,i] a[j,i] a[j,:,i] a[:,j,i] a[i,j] a[1,:,i] a[i,:,1]
a[1,i] a[:,1,i] a[i,1,:] a[1,i,:]
a[i,1:3,1] a[0,:,[0,1]] a[[0,1],:,0] a[:,[0,1],0] a[0,[0,1],:] a[i,...,i] a[...,i,i] a[i,...] a[...,i]
a[...,i,:] a[...,i,1] a[1,...,i] a[i,...,1]
a[i,None,i] a[i,i,None] a[None,i,i] a[i,None,:,i] a[:,i,None,i] a[:,None,i,i] a[None,i,None,:,i,None]
a[i,1:,None,[0,0,4]] a[:,i,1:3] a[1:,i,::2]
a[::-1,i,::-1] a[i,::-1,j] a[j,1:3,k[:3]] a[xp.array(1),:,i] a[i,:,xp.array(1)] a[xp.array(1),:,xp.array(2)]
a[xp.array(1),xp.array(2)] a[1,xp.array(2),:]
a[xp.array(1),None,xp.array(2)] a[[1],[2],[3]] a[[[1]],[2],[[3],[4]]] a[e,:,e] a[:,e] a[e,i[:1],:] a[...,e]
a[i,e[:,None]] a[j,j,j]
a[[0,1,2],[0,1,2],[0,1,2]] a[np.array([0,1]),xp.array([1,2])] a[i,[1,2,3],1] a[np.ix_([0,2],[1,3],[0,4])]
a[xp.ix_([0,2],[1,3])]
a.T[i] a.T[:,i] a.swapaxes(0,1)[i,:,i] a[:,::-1][i,i] a[::2,::2,::2][:,[1,0]] xp.broadcast_to(v,(3,5))[i,i]
xp.broadcast_to(v,(3,5))[[0,2],1:4]
z[e] z[:,i] z[:,j] z[e,i[:0]] z[[]] z[:,[]] v[xp.array([[4]])]
""")


def test_read_integer_arrays():
    check_values(INTEGER_ARRAYS, layout=False)


BOOLEAN_ARRAYS = words("""
v[v>15] v[v<0] v[v>=0] v[~(v>15)] v[(v>5)&(v<35)] v[xp.array([True]*5)] v[xp.array([False]*5)]
v[[True,False,True,False,True]]
v[np.array([True,False,True,False,True])] v[None,v>15] v[v>15,None] v[...,v>15] v[v>15,...]
v[xp.array(True)] v[xp.array(False)] v[True,v>15] v[v>15,True]
m[t] m[t,:] m[:,m[0]>1] m[m>5] m[tt] m[~tt] m[m>100] m[m>=0] m[t,1] m[t,1:3] m[t,::-1] m[1,m[0]>1]
m[-1,m[0]>1] m[t,[0,1]] m[[0,1],m[0]>1] m[t,i[:2]]
m[t,xp.array(1)] m[t,None] m[None,t] m[None,tt] m[tt,None] m[...,tt] m[tt,...] m[...,m[0]>1] m[t,...]
m[t][:,[0,1]] m[True] m[False] m[xp.array(True)] m[True,t] m[t,True]
m[t,m[0]>5.0] m[t[::-1]] m[~t] m[t&~t] m[::-1][t] m.T[:,t] m.T[tt.T] m[::2][t[:2]] m[:,::2][:,t[:2]]
m[tt][t[[0,1,2,0]]]
a[t] a[t,1] a[t,:,1] a[:,xp.array([True,False,True,True])] a[:,:,v>15] a[t,...,v>15] a[...,v>15] a[tt]
a[tt,1] a[tt,1:3] a[tt,[0,1,2,3]] a[:,a[0]>7] a[a>30] a[a%7==0]
a[:,a[0]>7,None] a[None,tt] a[tt,None] a[...,a[0]>7] a[1,a[0]>7] a[1:,a[0]>7] a[t,i[:2]] a[t,:,i[:2]]
a[i[:2],:,t[[0,1,2,0,0]]] a[t,t[[0,1,2,1]]] a[t,None,:,1]
a[xp.array(True),1] a[True,i] a[i,True] a[True,i,:,i] a[i,True,:,i] a[xp.array(False)] a[False,i[:1]]
a[True,False] a[xp.array(True),xp.array(False)]
a[[True,False,True]] a[:,[True,False,True,False]] a[[True,False,True],:,[0,1]]
a[[[True]*4,[False]*4,[True]*4]] a[a.T.T>50] a.T[a.T>50] a[::-1][a>50] a[...,::-1][a>50]
z[xp.zeros(0,bool)] z[z>0] z[xp.zeros((0,4),bool)] z[:,xp.array([True,False,True,False])] s[xp.array(True)]
s[xp.array(False)] s[s>3] s[s>30] s[True,...] s[...,False]
xp.ones((2,0))[xp.ones((2,0),bool)] xp.ones((2,0))[xp.array([True,False])] v[xp.zeros(5,bool)]
v[v.astype(bool)]
""")


def test_read_boolean_arrays():
    check_values(BOOLEAN_ARRAYS, layout=False)


ADVANCED_ERRORS = words("""
m[[],9] m[xp.zeros((0,9),bool)]
v[[5]] v[[-6]] v[[0,100]] v[xp.array([0,5])] v[xp.array([-6])] v[xp.array(5)] v[xp.array(-6)] v[[0.0]]
v[[1.5]] v[xp.array([1.0])] v[["a"]] v[[None]] v[[1j]]
v[i,i] v[[0,[1,2]]] v[t] v[xp.ones(6,bool)] v[xp.ones((5,1),bool)] v[xp.ones((1,5),bool)] v[[True]]
v[[True,False]] v[i,...,i] v[xp.array([2**40])] v[[10**30]]
v[xp.array([2**63],dtype=xp.uint64)] v[xp.array([128],dtype=xp.uint8)] v[xp.array([1],dtype=xp.complex64)]
m[[0,1],[0,1,2]] m[i,k] m[j,j,j] m[[3]] m[:,[4]] m[:,[-5]] m[[0,1],[0,4]] m[[0,3],[0,0]] m[t[:2]] m[:,t]
m[xp.ones((4,3),bool)] m[xp.ones((3,4,1),bool)] m[xp.ones((3,5),bool)]
m[tt,0] m[tt,tt] m[t,[0,1,2]] m[i,[]] m[1.0,i] m[i,"x"] m[i,1.5] m[i,4] m[3,i] m[i,i,i] m[i,None,i,i]
m[...,i,...]
a[i,k] a[i,:,k] a[:,i,k] a[[0,3],:,1] a[[0],[4],[0]] a[[0],[0],[5]] a[tt,5] a[tt,[0,1]] a[t,v>15] a[i,:,:,i]
a[xp.array([0,1]),xp.array([0,1,2]),0]
z[[0]] z[xp.array([-1])] z[xp.ones(1,bool)] s[[True]] s[[0]] s[i] s[t] v[object] v[lambda:0]
v[[{}]] v[xp.array([1,2],dtype=xp.float32)]
""")


def test_read_advanced_errors():
    check_values(ADVANCED_ERRORS)


def test_index_arrays_in_any_layout_and_dtype():
    """An index array is read by its values: its strides, order and width do not matter."""
    grid = np.array([[0, 2, 1, 1], [2, 2, 0, -1], [-3, 1, 0, 2]])
    views = {
        "C": lambda g: g,
        "T": lambda g: g.T,
        "reversed": lambda g: g[::-1, ::-1],
        "strided": lambda g: g[::2, 1::2],
        "new axis": lambda g: g[:, None],
        "column": lambda g: g[:, 1],
    }

    def body(xp, dtype, view):
        data = xp.arange(15).reshape(3, 5)
        host = np.abs(grid) % 3 if dtype.startswith("u") else grid
        index = view(xp.array(host, dtype=dtype))
        return data[index], data[:, index], data[index, index], data[index, 1:3]

    with collect() as failures:
        for dtype in INTEGERS:
            for name, view in views.items():
                with failures:
                    check(
                        functools.partial(body, dtype=dtype, view=view), layout=False, label=f"{dtype} {name}"
                    )


def test_every_element_dtype_and_layout_is_gathered():
    dtypes = [
        "bool",
        "int8",
        "uint16",
        "int32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
    views = {
        "C": lambda a: a,
        "T": lambda a: a.T,
        "reversed": lambda a: a[::-1, ::-1],
        "strided": lambda a: a[::2, ::2],
        "broadcast": lambda a: a[:1][[0] * 4],
        "offset": lambda a: a[1:, 1:],
    }

    def body(xp, dtype, view):
        a = view((xp.arange(36).reshape(6, 6) % 5).astype(dtype))
        index = xp.array([0, 2, 1, 2, -1])
        mask = a != 1
        return (
            a[index],
            a[:, index],
            a[index, index],
            a[mask],
            a[mask[:, 0]],
            a[1:, index],
            a[index[:, None], index],
        )

    with collect() as failures:
        for dtype in dtypes:
            for name, view in views.items():
                with failures:
                    check(
                        functools.partial(body, dtype=dtype, view=view), layout=False, label=f"{dtype} {name}"
                    )


@twin()
def test_advanced_indexing_copies_and_basic_indexing_views(xp):
    a = xp.arange(12).reshape(3, 4)
    fancy, masked, view, element = a[[0, 1]], a[a > 5], a[1:], a[0]
    a[:] = -1
    return fancy, masked, view, element


@twin(layout=False)
def test_large_gather(xp):
    n = 200_000
    a = xp.arange(n) * 3
    index = (xp.arange(n) * 7919) % n
    return (
        a[index],
        a[index[::-1]],
        a[index % 2 == 0],
        a[a % 2 == 0],
        a.reshape(400, 500)[index % 400, index % 500],
    )


@twin()
def test_large_out_of_range_is_found_wherever_it_is(xp):
    n = 200_000
    a = xp.arange(n)
    caught = []
    for position in [0, 1, n // 2, n - 1]:
        for bad in [n, -n - 1]:
            index = xp.zeros(n, dtype=xp.int64)
            index[position] = bad
            try:
                a[index]
            except IndexError:
                caught.append((position, bad))
    return caught


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
    check_writes(BASIC_WRITES)


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
    check_writes(ADVANCED_WRITES, layout=False)


def test_masked_write_reads_its_value_before_writing():
    """NumPy reads elements here that it has just overwritten; what the value was before is meant."""
    host = np.array([0, 10, 20, 30, 40])
    device = cp.array(host)
    device[device >= 0] = device[::-1]
    host[host >= 0] = host[::-1].copy()
    np.testing.assert_array_equal(device.get(), host)


WRITE_ERRORS = statements("""
v[5] = 1; v[-6] = 1; v[1,2] = 1; v["x"] = 1; v[1.5] = 1; v[1:3] = [1,2,3]; v[:] = [1,2]
v[:] = xp.ones((2,5)); v[0] = [1,2]; v[1:2] = []; v[...] = [[1],[2]]; v[0] = "x"; v[0] = None
v[0] = [1,[2]]
v[:,None].astype("c16")[0,0] = v; v.astype("c8")[0] = v; v.astype("c8")[0] = [1]
v[0] = 1j; v[0] = object(); v[:] = "abcde"; v[0] = 10**30; v[:] = 10**30; v[0] = -10**30; v[0] = xp.nan
v[:] = xp.array([1j]*5).tolist(); v[...,...] = 1; v[::0] = 1; v[0] = {}; v[0] = [1j]
v[[5]] = 1; v[[-6]] = 1; v[[0,5]] = [1,2]; v[i] = [1,2]; v[i] = [1,2,3,4]; v[t] = 1; v[xp.ones(6,bool)] = 1
v[v>15] = [1,2]; v[v>15] = [1,2,3,4]; v[v>15] = xp.ones((2,3)); v[i,i] = 1; v[[0.5]] = 1; v[[]] = [1,2]
m[3] = 1; m[0,4] = 1; m[0] = [1,2,3]; m[:,0] = [1,2]; m[:] = xp.ones((4,3)); m[0,0] = [1,2]; m[0,0,0] = 1
m[[0,1],[0,1,2]] = 1; m[t] = [1,2,3]; m[tt] = [1,2]; m[:,t] = 1; m[[3]] = 1; m[:,[4]] = 1
m[i,1:] = xp.ones((3,2)); m[tt,0] = 1
a[0,0,5] = 1; a[i,k] = 1; a[:,i] = xp.ones((3,4,5)); a[i,:,i] = xp.ones((4,3)); a[tt] = xp.ones((5,4))
a[a>30] = [1,2]; a[0] = xp.ones((5,4)); a[i,:,:,i] = 1; a[xp.ones((3,4,5,1),bool)] = 1
a[[0,3]] = xp.ones((2,4,5))
s[0] = 1; s[:] = 1; s[()] = [1,2]; z[0] = 1; z[:] = xp.ones((2,4)); z[:] = xp.ones(3); z[[0]] = 1
xp.broadcast_to(v,(2,5))[0] = 1; xp.broadcast_to(v,(2,5))[0,0] = 1; xp.broadcast_to(v,(2,5))[[0]] = 1
m[0] = xp.array([1j]*4).tolist()
""")


def write_failure(text, xp):
    """Raise what the statement raises; the arrays themselves have to be as they were."""
    scope = names(xp)
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
        for text in WRITE_ERRORS:
            with failures:
                check(functools.partial(write_failure, text), label=text)


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


# ---------------------------------------------------------------------------- random expressions

SHAPES = [(5,), (3, 4), (2, 3, 4), (4, 1, 3), (3, 2, 2, 3), (1, 5), (4, 5, 3), (6, 2), (3, 3, 3)]
RARE_SHAPES = [(0, 3), (2, 0, 3), ()]
BLOCK = 100


def random_slice(rng, size):
    def edge():
        return None if rng.random() < 0.6 else int(rng.integers(-size - 2, size + 3))

    step = None if rng.random() < 0.5 else int(rng.choice([-3, -2, -1, 1, 2, 3]))
    return slice(edge(), edge(), step)


def random_integers(rng, size, shape):
    if size == 0:
        return np.zeros((0,), np.int64)
    high = size + (1 if rng.random() < 0.03 else 0)
    return rng.integers(-size, high, shape).astype(rng.choice(["int64", "int32", "int8"]))


def random_index(rng, shape):
    """A tuple of index parts for an array of ``shape``; a few are out of range or one too many."""
    broadcast = [(), (1,), (3,), (2, 3), (2, 1), (1, 3)]
    shape_of_arrays = [broadcast[int(n)] for n in rng.integers(0, len(broadcast), 4)]
    if rng.random() < 0.06:
        shape_of_arrays = [(0,), (1,), (), (2, 0)]
    advanced = rng.random() < 0.85
    parts, axis, ellipsis = [], 0, False
    while axis < len(shape) and rng.random() < 0.96:
        draw = rng.random()
        if draw < 0.08 and not ellipsis:
            parts.append(Ellipsis)
            ellipsis = True
            axis += int(rng.integers(0, len(shape) - axis + 1))
        elif draw < 0.16:
            parts.append(None)
        elif draw < 0.19 and advanced:
            parts.append(bool(rng.random() < 0.7))
        elif draw < 0.26 and advanced and axis + 2 <= len(shape):
            parts.append(rng.random(shape[axis : axis + 2]) < 0.5)
            axis += 2
        elif draw < 0.34 and advanced:
            wrong = 1 if rng.random() < 0.04 else 0
            parts.append(rng.random(shape[axis] + wrong) < 0.5)
            axis += 1
        elif draw < 0.65 and advanced:
            wanted = shape_of_arrays[len(parts) % 4]
            parts.append(random_integers(rng, shape[axis], wanted))
            axis += 1
        elif draw < 0.77:
            size = shape[axis]
            wrong = 1 if rng.random() < 0.03 else 0
            parts.append(int(rng.integers(-size - wrong, size + wrong)) if size + wrong else 0)
            axis += 1
        else:
            parts.append(random_slice(rng, shape[axis]))
            axis += 1
    if rng.random() < 0.02:
        parts.append(0)
    return tuple(parts)


def random_cases(block):
    rng = np.random.default_rng(20240 + block)
    for _ in range(BLOCK):
        shapes = RARE_SHAPES if rng.random() < 0.08 else SHAPES
        shape = shapes[int(rng.integers(0, len(shapes)))]
        index = random_index(rng, shape)
        view = int(rng.integers(0, 4))
        # How an index array is handed over: as an array of xp, of NumPy, or as nested lists.
        forms = [int(n) for n in rng.choice(3, size=len(index), p=[0.6, 0.2, 0.2])]
        yield shape, index, view, forms, float(rng.random())


def described(index):
    parts = []
    for part in index:
        if isinstance(part, np.ndarray):
            parts.append(f"{part.dtype}{part.shape}:{part.tolist()}")
        else:
            parts.append(repr(part))
    return "[" + ", ".join(parts) + "]"


def handed_over(xp, index, forms):
    parts = []
    for part, form in zip(index, forms, strict=True):
        if not isinstance(part, np.ndarray):
            parts.append(part)
        elif form == 0 or part.size == 0:
            parts.append(xp.array(part))
        elif form == 1:
            parts.append(part)
        else:
            parts.append(part.tolist())
    return parts[0] if len(parts) == 1 else tuple(parts)


def random_target(xp, shape, view):
    """The same values of ``shape`` in one of four layouts, and the array that owns them."""
    size = int(np.prod(shape))
    values = np.arange(size).reshape(shape)
    if view == 0 or not shape:
        base = xp.array(values)
        return base, base
    if view == 1:
        base = xp.array(np.ascontiguousarray(values.T))
        return base.T, base
    if view == 2:
        base = xp.array(np.ascontiguousarray(values[::-1]))
        return base[::-1], base
    wide = np.repeat(values, 2, axis=-1)
    base = xp.array(wide)
    return base[..., ::2], base


def random_read(xp, case):
    shape, index, view, forms, _ = case
    target, _ = random_target(xp, shape, view)
    return target[handed_over(xp, index, forms)]


def random_write(xp, case):
    """Assign values that depend on the place written only: the order of duplicates cannot matter."""
    shape, index, view, forms, draw = case
    host = np.arange(int(np.prod(shape))).reshape(shape) * 7 + 1000
    picked = host[handed_over(np, index, [1] * len(forms))]
    target, base = random_target(xp, shape, view)
    # A mask on its own takes values of one dimension at most; every other index takes extra leading ones.
    lone_mask = len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "b"
    if draw < 0.3 or np.ndim(picked) == 0:
        value = -1
    elif draw < 0.4:
        value = xp.array([-2.75])
    elif draw < 0.7 or lone_mask or picked.size == 0:
        value = xp.array(picked)
    elif draw < 0.8:
        value = xp.array(picked[None].astype(np.float32))
    else:
        value = picked.tolist()
    target[handed_over(xp, index, forms)] = value
    return target, base


@pytest.mark.parametrize("block", range(20))
def test_random_expressions(block):
    with collect() as failures:
        for case in random_cases(block):
            label = f"shape {case[0]} layout {case[2]} index {described(case[1])}"
            basic = not any(isinstance(part, np.ndarray) for part in case[1])
            with failures:
                check(functools.partial(random_read, case=case), layout=basic, label=label)
            with failures:
                check(functools.partial(random_write, case=case), label=f"{label} = ...")


# ---------------------------------------------------------------------------- functions

TAKE = statements("""
xp.take(v,2); xp.take(v,[0,2]); xp.take(v,i); xp.take(v,j); xp.take(m,[0,5,11]); xp.take(m,i,axis=0)
xp.take(m,k,axis=1); xp.take(m,k,axis=-1); xp.take(m,1,axis=0); xp.take(m,1,axis=1)
xp.take(m,j,axis=0); xp.take(m,j,axis=1); xp.take(a,i,axis=0); xp.take(a,i,axis=1); xp.take(a,j,axis=2)
xp.take(a,[-1,0],axis=-2); xp.take(v,e); xp.take(m,e,axis=0); xp.take(m,xp.array(2),axis=1)
xp.take(v,[7,-8,2],mode="wrap"); xp.take(v,[7,-8,2],mode="clip"); xp.take(v,[2,-1],mode="raise")
xp.take(m,[7,-8],axis=1,mode="wrap"); xp.take(m,[7,-8],axis=1,mode="clip"); xp.take(m,[100],mode="clip")
v.take([0,2]); m.take([0,5]); m.take(i,axis=0); m.take(k,1); m.take([[0,1],[2,3]],axis=1)
m.take([9],axis=1,mode="wrap"); m.T.take(i,axis=1); m[::-1].take([0,1],axis=0); v.take(3)
v.take([True,False]); s.take(0); s.take([0,0]); s.take([0],axis=0)
xp.take(v,5); xp.take(v,[5]); xp.take(v,[-6]); xp.take(m,[3],axis=0); xp.take(m,[4],axis=1)
xp.take(m,0,axis=2); xp.take(m,0,axis=-3); xp.take(m,[12]); xp.take(v,[1],mode="bad"); xp.take(z,[0],axis=0)
xp.take(z,[0]); xp.take(z,[0],axis=0,mode="wrap"); xp.take(z,e,axis=0)
xp.take(m,k,axis=1,out=xp.zeros((3,4))); xp.take(v,[0,1],out=xp.zeros(2,dtype=xp.int64))
xp.take(v,[0,1],out=xp.zeros(3,dtype=xp.int64)); xp.take(v,[0,1],out=xp.zeros(2,dtype=xp.int64),mode="clip")
xp.take([1,2,3],[0,2])
""")

ALONG = statements("""
xp.take_along_axis(m,xp.array([[0],[1],[2]]),axis=1)
xp.take_along_axis(m,xp.array([[0,1,2,0]]),axis=0); xp.take_along_axis(m,xp.array([5,3]),axis=None)
xp.take_along_axis(a,xp.zeros((3,1,5),dtype=xp.int64),1)
xp.take_along_axis(m,xp.array([[-1],[-2],[-4]]),axis=-1); xp.take_along_axis(v,i,axis=0)
xp.take_along_axis(m,xp.array([[2,1,0,2]]),0); xp.take_along_axis(a,xp.array([[[1]]]),2)
xp.take_along_axis(m,xp.argmax(m,axis=1,keepdims=True),axis=1)
xp.take_along_axis(m.T,xp.array([[0,1,2]]),0)
xp.take_along_axis(m,xp.array([[4],[0],[0]]),axis=1); xp.take_along_axis(m,i,axis=1)
xp.take_along_axis(m,xp.array([[0]]),axis=2); xp.take_along_axis(m,xp.array([[0.5]]),axis=1)
xp.take_along_axis(m,xp.array([[0],[0]]),axis=1); xp.take_along_axis(m,xp.array([[0]]),None)
""")

SELECT = statements("""
xp.compress([True,False,True],m,axis=0); xp.compress([0,1],m,axis=1); xp.compress([False,True],m)
xp.compress(t,m,axis=0); m.compress([True,False,True],axis=0); m.compress([0,0,1,1]); v.compress(v>15)
xp.compress([True]*5,v); xp.compress([False]*3,m,axis=0); xp.compress([],m,axis=0)
xp.compress([True]*5,m,axis=1); xp.compress([[True]],m)
xp.compress([False,False,False,False,False],m,axis=1); xp.compress(t,m,axis=2)
xp.compress([0,0,0,0,1],m,axis=0); xp.extract(m>5,m); xp.extract(v%20==0,v); xp.extract([1,0,1,0,1],v)
xp.extract(tt,m); xp.extract(m,m); xp.extract(m>100,m); xp.extract([True],v)
xp.choose([0,1,2],[v[:3],v[1:4],v[2:]]); xp.choose(i,[10,20,30]); xp.choose(xp.array([[0,1],[1,0]]),[1,-1])
xp.choose(i,[[1,2,3],[4,5,6],[7,8,9]]); xp.choose([3,-1],[10,20],mode="wrap")
xp.choose([3,-1],[10,20],mode="clip"); i.choose([10,20,30]); xp.choose(tt,[0.5,m]); xp.choose(t,[1,2])
xp.choose([3],[10,20]); xp.choose([-1],[10,20]); xp.choose([0.5],[10,20])
xp.choose(i,[xp.ones(2),xp.ones(3),1]); xp.choose(i,[m[0,:3],m[1,:3],m]); xp.choose(0,[v,v+1])
xp.choose(i,(1,2.5,3)); xp.choose(i,xp.arange(9).reshape(3,3))
xp.nonzero(v); xp.nonzero(m); xp.nonzero(a%7==0); xp.nonzero(tt); xp.nonzero(z); xp.nonzero(e)
xp.nonzero(m.T>5); xp.nonzero(m[::-1]>5); m.nonzero(); v.nonzero(); (m*1j).nonzero()
xp.nonzero(xp.array([0.0,-0.0,xp.nan])); xp.nonzero([0,1,0,2]); xp.nonzero(xp.zeros((2,0,3)))
xp.argwhere(m>5); xp.argwhere(v); xp.argwhere(a%7==0); xp.argwhere(s); xp.argwhere(xp.array(0))
xp.argwhere(z); xp.argwhere(tt.T); xp.argwhere([[0,1],[1,0]]); xp.flatnonzero(m>5); xp.flatnonzero(v)
xp.flatnonzero(tt.T); xp.flatnonzero(s); xp.flatnonzero(z); xp.flatnonzero([0,1,2]); xp.flatnonzero(a%7==0)
xp.where(m>5); xp.where(v>15); xp.where(tt); xp.where(z); xp.where([0,1,2]); xp.where(m>5,m,0)
xp.where(m>5,m,-m); xp.where(t,i,5.5); xp.where(tt,m,v[:4]); xp.where(t[:,None],m,xp.nan)
xp.where(True,v,0); xp.where(False,v,0); xp.where(m,1,0); xp.where([True,False],[1,2],[3,4])
xp.where(tt,1,2); xp.where(tt,1.5,2)
xp.where(tt,True,False); xp.where(v>15,v,xp.float32(1.5)); xp.where(v>15,v.astype(xp.int8),1)
xp.where(v>15,v.astype(xp.int8),xp.int16(300)); xp.where(v>15,1j,v); xp.where(z>0,z,1); xp.where(s>3,1,2)
xp.where(a>30,a,a.T.swapaxes(0,2)); xp.where(tt.T,m.T,0); xp.where(m[::-1]>5,m,m[:,::-1])
xp.where(tt,xp.uint8(1),xp.int8(-1))
xp.where(tt,m); xp.where(tt,m,xp.ones(3)); xp.where(t,m,m); xp.where(); xp.where(tt,m,m,m)
xp.ix_([0,1],[2,3]); xp.ix_(i,k); xp.ix_(t,[0]); xp.ix_([True,False,True],[1]); xp.ix_([]); xp.ix_(i,i,i)
xp.ix_(m); xp.ix_(s); m[xp.ix_([0,2],[1,3])]; m[xp.ix_(t,[0,3])]; a[xp.ix_([1],[2,3],[0,1])]
xp.ix_(range(3))
xp.diag_indices(3); xp.diag_indices(2,3); xp.tril_indices(3); xp.tril_indices(3,1); xp.tril_indices(3,-1,4)
xp.triu_indices(3); xp.triu_indices(4,1,3); xp.unravel_index(7,(3,4))
xp.unravel_index(xp.array([7,3]),(3,4)); xp.unravel_index([7,3],(3,4),order="F")
xp.ravel_multi_index((xp.array([1,2]),xp.array([0,3])),(3,4))
xp.unravel_index(12,(3,4)); xp.unravel_index(-1,(3,4))
xp.ravel_multi_index((xp.array([3]),xp.array([0])),(3,4))
xp.ravel_multi_index((xp.array([5,-1]),xp.array([0,9])),(3,4),mode="wrap")
xp.ravel_multi_index((xp.array([5,-1]),xp.array([0,9])),(3,4),mode=("clip","wrap"))
xp.ravel_multi_index((xp.array([1,2]),xp.array([0,3])),(3,4),order="F")
xp.select([v>30,v>10],[v,v*2],default=-1); xp.select([m>8,m>4],[m,-m]); xp.select([v>30],[1.5])
xp.select([tt],[m],xp.nan); xp.select([],[]); xp.select([v>30,v>10],[v]); xp.select([v],[v])
xp.piecewise(v,[v<20,v>=20],[-1,1]); xp.piecewise(m,[m<5],[lambda x:x*2,lambda x:x+1])
xp.diag_indices_from(a[:3,:3,:3]); xp.tril_indices_from(m); xp.triu_indices_from(m,1)
""")

MUTATORS = statements("""
xp.put(v,[0,2],[-1,-2]); xp.put(v,i,5); xp.put(m,[0,5,11],[1,2,3]); xp.put(m,[0,5,11],[1,2])
xp.put(v,[7],9,mode="wrap"); xp.put(v,[7,-9],9,mode="clip"); v.put([0,1],7); xp.put(m,k,k); xp.put(v,[-1],3)
xp.put(v,[],5); xp.put(v,2,5); xp.put(v,[0,1],2.9); xp.put(v,[1,1],[5,6]); xp.put(m.T,[1],99)
xp.put(m[::-1],[0],99)
xp.put(v,[5],1); xp.put(v,[-6],1); xp.put(v,[0],[],); xp.put(v,[0],1,mode="bad"); xp.put(v,j,[1,2])
xp.put(s,0,5); xp.put(a,[0,59],-1)
xp.put_along_axis(m,xp.array([[0],[1],[2]]),99,axis=1)
xp.put_along_axis(m,xp.array([[0,1,2,0]]),xp.array([[5,6,7,8]]),axis=0)
xp.put_along_axis(m,xp.array([5,3]),-1,axis=None)
xp.put_along_axis(m,xp.argmax(m,axis=1,keepdims=True),0,1)
xp.put_along_axis(m,xp.array([[4],[0],[0]]),1,axis=1); xp.put_along_axis(m,i,1,axis=1)
xp.put_along_axis(v,i,i,0)
xp.place(v,v>15,[1,2]); xp.place(m,m>5,[-1]); xp.place(m,tt,[1,2,3,4,5,6]); xp.place(v,v<0,[])
xp.place(v,v>15,[]); xp.place(m,tt,0.5); xp.place(v,[1,0,1,0,1],[9,8]); xp.place(v,v>15,[1.9,2.9,3.9])
xp.place(v,t,[1]); xp.place(m.T,tt.T,[1,2])
xp.putmask(v,v>15,[1,2]); xp.putmask(m,m>5,m*10); xp.putmask(m,tt,-1)
xp.putmask(v,v>15,[1.5,2.5,3.5,4.5,5.5]); xp.putmask(m,tt,[1,2,3]); xp.putmask(v,t,1)
xp.putmask(m.T,tt.T,[1,2,3]); xp.putmask(v,[1,0,1,0,1],9); xp.putmask(m,tt,True)
xp.copyto(v,5); xp.copyto(v,[1,2,3,4,5]); xp.copyto(m,v[:4]); xp.copyto(m,7,where=tt)
xp.copyto(m,[1,2,3,4],where=t[:,None]); xp.copyto(v,v[::-1]); xp.copyto(v[1:],v[:-1])
xp.copyto(v,1.5,casting="unsafe"); xp.copyto(m,v[:4],casting="safe"); xp.copyto(m,True); xp.copyto(m[::2],9)
xp.copyto(m.T,[1,2,3]); xp.copyto(s,5); xp.copyto(z,1)
xp.copyto(v,1.5); xp.copyto(v,xp.ones(5)); xp.copyto(v,[1,2]); xp.copyto(m,xp.ones((4,3)))
xp.copyto(v,5,casting="bad"); xp.copyto(v,5,where=[True,False]); xp.copyto(v,xp.ones(5,dtype=xp.complex64))
xp.copyto(v,m); xp.copyto(v,5,where=v)
xp.fill_diagonal(m,9); xp.fill_diagonal(m,[1,2,3]); xp.fill_diagonal(m.T,4,wrap=True)
xp.fill_diagonal(a[:3,:3,:3],0); xp.fill_diagonal(v,1); xp.fill_diagonal(a,1); xp.fill_diagonal(m,[1,2])
m.fill(5); v.fill(2.9); v.fill(xp.array(3)); m[1:].fill(7); m.T.fill(xp.nan); s.fill(1); z.fill(3)
v[::-2].fill(-4); v.fill("x"); v.fill(10**30); v.fill(1j); m.fill(True)
""")


def test_take():
    check_values(TAKE, layout=False)


def test_take_along_axis():
    check_values(ALONG, layout=False)


def test_selecting_functions():
    check_values(SELECT, layout=False)


def test_writing_functions():
    check_writes(MUTATORS)


@twin()
def test_where_keeps_k_order(xp):
    m = xp.arange(12.0).reshape(3, 4)
    f = xp.asfortranarray(m)
    return (
        xp.where(f > 5, f, 0),
        xp.where(m > 5, m, 0),
        xp.where(f.T > 5, f.T, m.T),
        xp.where(m[::-1] > 5, m[::-1], 1),
    )


@twin()
def test_put_writes_through_and_returns_none(xp):
    a = xp.arange(6)
    results = [
        xp.put(a, [0], 9),
        a.put([1], 8),
        xp.place(a, a > 100, 1),
        xp.putmask(a, a > 100, 1),
        xp.copyto(a, a),
        a.fill(3),
    ]
    return results, a


@twin()
def test_item_reads_one_element(xp):
    a = xp.arange(12.0).reshape(3, 4)
    return [
        a.item(5),
        a.item(-1),
        a.item(1, 2),
        a.item((2, 3)),
        a[1:2, 1:2].item(),
        xp.array(3).item(),
        a.T.item(1),
    ]


def test_item_errors():
    check_values(
        [
            "m.item()",
            "m.item(12)",
            "m.item(3,0)",
            "m.item(0,0,0)",
            "m.item('x')",
            "v.item()",
            "z.item()",
            "m.item(-13)",
        ]
    )


@RECENT
def test_what_recent_numpy_settled():
    check_values(["xp.nonzero(s)", "z[:,[4]]", "m[[9],:0]"])
    check_writes(["xp.copyto(v,10**30)"])


def test_where_refuses_an_integer_that_its_dtype_cannot_hold():
    """NumPy has done so since 2.5; before, 300 became 44."""
    v = cp.arange(5, dtype=cp.int8)
    with pytest.raises(OverflowError, match="where: .*300.*int8"):
        cp.where(v > 2, v, 300)
    if np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        with pytest.raises(OverflowError):
            np.where(np.arange(5) > 2, np.arange(5, dtype=np.int8), 300)
