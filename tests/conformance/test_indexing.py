"""Reading by index: every basic, boolean and integer-array form.

The cases are source texts, run with NumPy and with Cuprum: a failure names the expression that differs.
NumPy does not document the memory order of advanced indexing results: there, layout is not compared.
"""

import functools

import numpy as np
import pytest
from index_texts import check_values, words
from samples import permuted
from twin import INTEGERS, check, collect, twin

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
v[5] v[-6] v[100] v[10**30] v[-10**30] v[1,2] v[0,...,0] v[None,5] v[1.0] v[1.5] v["x"]

v[1j] v[object()] v[{}] v[b"a"] v[None,"x"] v[...,...] v[(...,...,1)]
m[3] m[0,4] m[0,-5] m[-4] m[0,0,0] m[...,...,0] m[:,:,:] m[0,0,None,0] m[4:,4] m[1.0,0] m[0,"x"]
s[0] s[:] s[0,...] s[-1] s[[0]] s[xp.array([0])] s[1:]
z[0] z[-1] z[0,0] z[:,4] z[:,-5]
a[3] a[0,0,5] a[0,0,0,0] a[-4,0] a[0,-5,0] a[...,5]
v[0][0] m[0][0][0] v[np.float64(1)] v[xp.array(1.0)] v[(1,2,3)]
""")


def test_read_basic_errors():
    check_values(BASIC_ERRORS, raises=IndexError)
    check_values(words("""v["a":2] v[1.5:2] v[:2.0] v[slice("a")]"""), raises=TypeError)
    check_values(words("v[1:2:0] v[slice(None,None,0)]"), raises=ValueError)


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
    check_values(BOOLEAN_ARRAYS, layout=False, may_raise=IndexError)


ADVANCED_ERRORS = words("""
m[[],9] m[xp.zeros((0,9),bool)]
v[[5]] v[[-6]] v[[0,100]] v[xp.array([0,5])] v[xp.array([-6])] v[xp.array(5)] v[xp.array(-6)] v[[0.0]]
v[[1.5]] v[xp.array([1.0])] v[["a"]] v[[None]] v[[1j]]
v[i,i] v[t] v[xp.ones(6,bool)] v[xp.ones((5,1),bool)] v[xp.ones((1,5),bool)] v[[True]]
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
    check_values(ADVANCED_ERRORS, raises=IndexError)
    check_values(words("v[[0,[1,2]]]"), raises=ValueError)


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
                int(a[index][0])
            except IndexError:
                caught.append((position, bad))
    return caught


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)])
@pytest.mark.parametrize(
    "index",
    [
        np.s_[[2, 0]],
        np.s_[:, [1, -1]],
        np.s_[::2, None, [1, -1]],
        np.s_[..., [0, 1]],
        np.s_[[[0, 1]], [2]],
        np.s_[np.array([True, False, True])],
        np.s_[:, np.array([True, False, True, False])],
        np.s_[[0, 1], :, [1, 1]],
    ],
    ids=str,
)
@twin()
def test_results_keep_the_order_of_the_axes_that_no_array_indexes(xp, axes, index):
    return permuted(xp, np.arange(60).reshape(3, 4, 5), axes)[index]


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64", "complex128"])
def test_take_along_inner_axes_of_larger_arrays(dtype):
    """Few and many positions, of elements and of runs, inside of other axes."""
    rng = np.random.default_rng(5)
    with collect() as failures:
        for shape in ((60, 41, 3), (900, 7), (12, 1300), (5, 9, 4, 30), (70, 64, 1)):
            host = rng.integers(0, 100, shape).astype(dtype)
            for axis in range(1, len(shape)):
                for count in (1, 2, 8, 9, 600):
                    places = rng.integers(-shape[axis], shape[axis], count)
                    where = (slice(None),) * axis

                    def bodies(xp, host=host, axis=axis, places=places, where=where):
                        a, i = xp.asarray(host), xp.asarray(places)
                        turned = xp.asarray(host).T
                        out = xp.zeros((*a.shape[:axis], i.size, *a.shape[axis + 1 :])[::-1], a.dtype).T
                        xp.take(a, i, axis=axis, out=out)
                        return (
                            xp.take(a, i, axis=axis),
                            a[(*where, i)],
                            xp.take(turned, i, axis=a.ndim - 1 - axis),
                            out,
                        )

                    with failures:
                        check(bodies, label=f"{shape} axis {axis} of {count}")
