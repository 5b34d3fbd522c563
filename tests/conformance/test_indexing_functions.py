"""The functions built on indexing: take, put, where, select, nonzero and their kin."""

import numpy as np
import pytest
from case_texts import RECENT
from index_texts import check_values, check_writes, statements
from twin import twin

import cuprum as cp

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
xp.take(xp.ones((0,0)),4,axis=1); xp.take(xp.ones((0,0)),[0,1],axis=0); xp.take(xp.ones((0,3)),[],axis=0)
xp.take(xp.ones((0,0)),[0,1],axis=0,mode="clip"); xp.take(xp.ones((0,3)),[0,1],axis=0,mode="clip")
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
xp.compress([True]*5,m[:0],axis=1); m[:0].compress([0,1,0,0,1],axis=-1); xp.compress([True],m[:0,:0],axis=1)
xp.compress([True]*5,m[:,:0],axis=0); xp.compress([True],m[:,:0],axis=1); xp.compress([True]*5,m[:0],axis=0)
xp.compress([True]*9,m[None,:0],axis=2,out=xp.empty((1,0,9),m.dtype))
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
xp.ravel_multi_index((xp.array([3]),xp.array([0])),(3,4))  # ValueError
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
    check_values(TAKE, layout=False, may_raise=(np.exceptions.AxisError, IndexError, ValueError))


def test_take_along_axis():
    check_values(ALONG, layout=False, may_raise=(np.exceptions.AxisError, IndexError, ValueError))


def test_selecting_functions():
    check_values(SELECT, layout=False, may_raise=(np.exceptions.AxisError, IndexError, TypeError, ValueError))


def test_writing_functions():
    check_writes(MUTATORS, may_raise=(IndexError, OverflowError, TypeError, ValueError))


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
        ],
        raises=(IndexError, TypeError, ValueError),
    )


@RECENT
def test_what_recent_numpy_settled():
    check_values(["xp.nonzero(s)", "z[:,[4]]", "m[[9],:0]"], raises=(IndexError, ValueError))
    check_writes(["xp.copyto(v,10**30)"], raises=OverflowError)


def test_where_refuses_an_integer_that_its_dtype_cannot_hold():
    """NumPy has done so since 2.5; before, 300 became 44."""
    v = cp.arange(5, dtype=cp.int8)
    with pytest.raises(OverflowError, match="where: .*300.*int8"):
        cp.where(v > 2, v, 300)
    if np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        with pytest.raises(OverflowError):
            np.where(np.arange(5) > 2, np.arange(5, dtype=np.int8), 300)


@pytest.mark.parametrize(("axis", "message"), [(None, "axis 0 with size 6"), (1, "axis 1 with size 3")])
def test_a_condition_that_holds_beyond_the_axis_is_the_calls_own_error(axis, message):
    """The places are counted anyway: nobody has to read the result for it."""
    condition = [True, False, False, False, False, False, False, True, True]
    with pytest.raises(IndexError, match=f"compress: index 7 is out of bounds for {message}"):
        cp.compress(condition, cp.ones((2, 3)), axis=axis)
    assert cp.compress(condition[:7], cp.ones((2, 3)), axis=axis).size == (1 if axis is None else 2)


@pytest.mark.parametrize("choices", [(np.uint8, -1), (np.int8, 300), (np.uint64, -3), (np.bool_, -1)])
def test_where_refuses_integers_that_do_not_fit(choices):
    """As NumPy from 2.5 on; before that integers wrapped around."""
    dtype, number = choices
    taken = cp.array([True, False])
    if dtype is np.bool_:
        np.testing.assert_array_equal(cp.asnumpy(cp.where(taken, taken, number)), [1, number])
        return
    for call in (
        lambda: cp.where(taken, cp.ones(2, dtype), number),
        lambda: cp.where(taken, number, cp.ones(2, dtype)),
    ):
        with pytest.raises(OverflowError, match="out of bounds"):
            call()
