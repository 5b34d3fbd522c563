//! Safe code cannot touch memory that it does not own: hostile calls of the public crates, written without `unsafe`, are
//! refused with an error, with `None` or with a panic.

#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cuprum::fast_path::{Rhs, apply, apply_into};
use cuprum::indexing::{put_rows, select_rows, set_element, take_rows, value_at};
use cuprum::prelude::*;
use cuprum::{Error, Reduction, Result, linalg, products, sorting};
use cuprum_core::{Dims, Layout, Strides};
use cuprum_graph::{
    Allocator, Args, Buffer, MemoryPool, NodeArg, NodeKind, Operand, Storage, View, converted, fill, iota,
    map, map_small, reduce, replace_thread_allocator, write,
};

fn layout(shape: &[usize], strides: &[isize], offset: usize) -> Layout {
    Layout { shape: Dims::from_slice(shape), strides: Strides::from_slice(strides), offset }
}

/// Layouts that reach beyond 24 bytes of 8-byte elements, by one element or by as much as there are addresses.
fn beyond() -> Vec<Layout> {
    vec![
        layout(&[4], &[8], 0),
        layout(&[3], &[8], 8),
        layout(&[3], &[-8], 0),
        layout(&[3], &[16], 0),
        layout(&[2], &[isize::MAX], 0),
        layout(&[2], &[isize::MIN], 0),
        layout(&[1], &[8], usize::MAX),
        layout(&[1], &[8], usize::MAX - 7),
        layout(&[1], &[8], isize::MAX as usize),
        layout(&[usize::MAX], &[8], 0),
        layout(&[usize::MAX, 2], &[0, 0], 0),
        layout(&[1 << 32, 1 << 32], &[0, 0], 0),
        layout(&[1 << 62, 4], &[isize::MAX, 8], 0),
        layout(&[3, 1], &[8], 0),
        layout(&[3], &[8, 8], 0),
    ]
}

fn panics<T>(call: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(call)).is_err()
}

fn three() -> Array {
    Array::from_slice(&[1.0, 2.0, 3.0])
}

fn source(array: &Array) -> NodeArg {
    NodeArg::View(array.view().clone())
}

#[test]
fn views_stay_within_their_storage() {
    let a = three();
    let buffer = a.force().unwrap();
    for wrong in beyond() {
        assert!(panics(|| a.with_layout(wrong.clone())), "{wrong:?}");
        assert!(panics(|| a.with_layout_and_dtype(wrong.clone(), DType::I64)), "{wrong:?}");
        assert!(panics(|| a.view().with_layout(wrong.clone())), "{wrong:?}");
        assert!(panics(|| Array::from_buffer(cuprum::cpu(), buffer.clone(), wrong.clone(), DType::F64)));
        let storage = Storage::ready(cuprum::cpu(), buffer.clone());
        assert!(panics(|| View::new(storage.clone(), wrong.clone(), DType::F64)), "{wrong:?}");
    }
    // The same bytes in a wider dtype.
    assert!(panics(|| a.with_layout_and_dtype(layout(&[3], &[8], 0), DType::C128)));
    // Pending arrays have no memory yet, and no more of it later.
    let big = Array::from_bytes(&[0; 8 * 100_000], &[100_000], DType::F64).unwrap();
    let pending = big.binary(Op::Add, Arg::from(1.0)).unwrap();
    assert!(panics(|| pending.with_layout(layout(&[100_001], &[8], 0))));
}

#[test]
fn buffers_stay_within_their_memory() {
    let (device, a) = (cuprum::cpu(), three());
    let buffer = a.force().unwrap();
    let mut bytes = [0; 32];
    for (offset, n) in [(0, 25), (24, 1), (usize::MAX, 2), (usize::MAX - 7, 16), (25, 0)] {
        assert!(device.upload(&buffer, offset, &bytes[..n]).is_err());
        assert!(device.download(&buffer, offset, &mut bytes[..n]).is_err());
        assert!(device.receive(&buffer, offset, n, device, &buffer, 0).is_err());
        assert!(device.receive(&buffer, 0, n, device, &buffer, offset).is_err() || n == 0);
        assert!(buffer.part(offset, n).is_none());
    }
    let part = buffer.part(8, 8).unwrap();
    assert!(part.part(1, 8).is_none());
    assert!(device.download(&part, 0, &mut bytes[..16]).is_err());
    assert!(Array::from_bytes(&[], &[1 << 32, 1 << 32], DType::F64).is_err());
    assert!(Array::from_bytes(&[0; 8], &[2], DType::F64).is_err());
}

#[test]
fn recorded_work_fits_its_arguments() {
    let (device, a) = (cuprum::cpu(), three());
    let (two, dense) = (Array::from_slice(&[1.0, 2.0]), Layout::contiguous(&[3], 8));
    let record = |op, dtype, args: Vec<NodeArg>, layout| map(device, op, dtype, Args::from_vec(args), layout);
    // Too few, too many, of other shapes, without a loop.
    assert!(record(Op::Add, DType::F64, vec![source(&a)], dense.clone()).is_err());
    assert!(record(Op::Sqrt, DType::F64, vec![source(&a), source(&a)], dense.clone()).is_err());
    assert!(record(Op::Add, DType::F64, vec![source(&a), source(&two)], dense.clone()).is_err());
    assert!(record(Op::BitwiseAnd, DType::F64, vec![source(&a), source(&a)], dense.clone()).is_err());
    for wrong in beyond() {
        let again = record(Op::Add, DType::F64, vec![source(&a), source(&a)], wrong.clone());
        assert!(again.is_err() || wrong == layout(&[3], &[8], 0), "{wrong:?}");
        assert!(converted(a.view(), DType::F64, wrong.clone()).is_err(), "{wrong:?}");
    }
    for wrong in [layout(&[4], &[16], 0), layout(&[2], &[isize::MAX], 0), layout(&[4], &[8], 8)] {
        assert!(fill(device, Scalar::zero(DType::F64), wrong.clone()).is_err(), "{wrong:?}");
        let operands = [Operand::View(a.view()), Operand::View(a.view())];
        assert!(!matches!(map_small(device, Op::Add, DType::F64, &operands, wrong.clone()), Ok(Some(_))));
    }
    let first = Operand::View(a.view());
    assert!(map_small(device, Op::Add, DType::F64, &[first], dense.clone()).unwrap().is_none());
    assert!(iota(device, &[3], 1).is_err());
    for axes in [&[1usize][..], &[0, 0], &[usize::MAX]] {
        assert!(reduce(Reduction::Sum, DType::F64, a.view(), axes.into()).is_err(), "{axes:?}");
    }
    let into = |kind, args: Vec<NodeArg>| write(a.view(), kind, Args::from_vec(args));
    assert!(into(NodeKind::Cast, vec![source(&two)]).is_err());
    assert!(into(NodeKind::Cast, vec![]).is_err());
    assert!(into(NodeKind::Iota { axis: 0 }, vec![]).is_err());
    assert!(into(NodeKind::Map { op: Op::Add, dtype: DType::F64 }, vec![source(&a)]).is_err());
    assert_eq!(a.to_vec::<f64>().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn shortcuts_take_what_fits_them() {
    let (a, b) = (three(), Array::from_slice(&[1.0, 2.0]));
    assert!(apply(Op::Add, &a, Rhs::Absent).is_none());
    assert!(apply(Op::Sqrt, &a, Rhs::Array(&a)).is_none());
    assert!(apply(Op::Add, &a, Rhs::Array(&b)).is_none());
    assert!(apply(Op::Where, &a, Rhs::Array(&a)).is_none());
    assert!(apply_into(Op::Add, &a, Rhs::Array(&a), &b).is_none());
    let wide = Array::from_slice(&[0i64; 4]).with_layout(layout(&[2], &[8], 8));
    let overlapping = wide.with_layout(layout(&[2], &[8], 0));
    assert!(apply_into(Op::Add, &wide, Rhs::Array(&wide), &overlapping).is_none());
    for at in [3, -4, i64::MAX, i64::MIN] {
        assert!(value_at(&a, &[at]).is_none());
        assert!(set_element(&a, &[at], Scalar::zero(DType::F64)).is_none());
        assert!(take_rows(&a, &Array::from_slice(&[0, at])).is_none());
        assert!(put_rows(&a, &Array::from_slice(&[0, at]), Arg::from(9.0)).is_none());
    }
    assert!(value_at(&a, &[0, 0]).is_none());
    assert!(set_element(&a, &[0], Scalar::zero(DType::C128)).is_none());
    assert!(select_rows(&a, &Array::from_slice(&[true; 4])).is_none());
    assert!(put_rows(&a, &Array::from_slice(&[0i64, 1]), Arg::Array(&three())).is_none());
    assert_eq!(a.to_vec::<f64>().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn library_calls_check_their_shapes() {
    let (a, b) = (three(), Array::from_slice(&[1.0, 2.0]));
    assert!(products::matmul(&a, &b, None).is_err());
    assert!(products::matmul(&a, &a, Some(&b)).is_err());
    assert!(sorting::sort(&a, Some(1)).is_err());
    assert!(sorting::partition(&a, &[3], None).is_err());
    let square = Array::from_slice(&[1.0, 0.0, 0.0, 1.0]).reshape(&[2, 2]).unwrap();
    let (lu, pivots) = linalg::lu_factor(&square).unwrap();
    let bad = Array::from_slice(&[7i32, -1]);
    // Pivots are data: whatever they are, rows are only exchanged within the matrix.
    let _ = catch_unwind(AssertUnwindSafe(|| linalg::lu_solve(&lu, &bad, &b, linalg::Transpose::No)));
    assert!(linalg::lu_solve(&lu, &pivots, &a, linalg::Transpose::No).is_err());
}

/// Handles of streams and pools are trusted by `unsafe` functions alone, whose documentation shows that they do not compile
/// without it. What safe code may do with an address or a handle is ask about it.
#[test]
fn numbers_are_no_handles() {
    for number in [1, 7, 0x7f00, usize::MAX] {
        assert!(cuprum_cuda::gpu(number | 1 << 40).is_err());
        assert!(!cuprum_cuda::is_pinned(number));
        assert!(cuprum_cuda::owner_of(number).is_err());
        assert!(cuprum_cuda::pointer_facts(number).map_or(true, |facts| facts.kind == 0));
    }
    // Naming a stream does not use it.
    assert_eq!(cuprum_cuda::resolve_stream(0, 0x7f00), Ok(0x7f00));
}

/// A pool that gives less than it is asked for.
struct Stingy;

impl MemoryPool for Stingy {
    fn provide(self: Arc<Self>, _bytes: usize) -> Result<Buffer> {
        cuprum::cpu().pool().provide(1)
    }
    fn used(&self) -> usize {
        0
    }
    fn free_bytes(&self) -> usize {
        0
    }
    fn free_blocks(&self) -> usize {
        0
    }
    fn free_all(&self) {}
    fn limit(&self) -> Option<usize> {
        None
    }
    fn set_limit(&self, _limit: Option<usize>) {}
    fn allowed(&self) -> usize {
        usize::MAX
    }
}

#[test]
fn allocators_are_not_trusted() {
    let a = three();
    let before = replace_thread_allocator(Some((cuprum::cpu(), Allocator::Pool(Arc::new(Stingy)))));
    let small = a.binary(Op::Add, Arg::from(1.0));
    let fresh = Array::from_bytes(&[0; 24], &[3], DType::F64);
    replace_thread_allocator(before);
    assert!(matches!(small, Err(Error::Device { .. })));
    assert!(matches!(fresh, Err(Error::Device { .. })));
}
