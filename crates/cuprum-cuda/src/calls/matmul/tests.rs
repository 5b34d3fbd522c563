//! Products by cuBLAS beside their definition, for every layout that BLAS takes, copies or is told of by addresses.

use cuprum_core::{DType, Layout};
use cuprum_graph::{Call, Slot};

use crate::calls::testing::{Numbers, call, download, empty, gpu, upload};
use crate::device::Cuda;
use crate::sys::cublas;

/// The GPU, where cuBLAS is there too.
fn ready() -> Option<&'static Cuda> {
    if let Err(missing) = cublas() {
        println!("skipped: {missing}");
        return None;
    }
    gpu()
}

fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut numbers = Numbers(seed);
    (0..count).map(|_| (numbers.next() % 17) as f64 - 8.0).collect()
}

/// What a slot's layout reads of the numbers that were uploaded.
fn read(values: &[f64], layout: &Layout) -> Vec<f64> {
    let mut found = vec![layout.offset as isize];
    for (&length, &stride) in layout.shape.iter().zip(&layout.strides) {
        found = found.iter().flat_map(|&at| (0..length as isize).map(move |i| at + i * stride)).collect();
    }
    found.into_iter().map(|at| values[at as usize / 8]).collect()
}

fn expected(a: &[f64], b: &[f64], batch: usize, [m, k, n]: [usize; 3]) -> Vec<f64> {
    let mut out = Vec::new();
    for at in 0..batch {
        for i in 0..m {
            for j in 0..n {
                let product = |l: usize| a[at * m * k + i * k + l] * b[at * k * n + l * n + j];
                out.push((0..k).map(product).sum());
            }
        }
    }
    out
}

/// Multiplies the arrays that two layouts see of dense numbers, into a dense result.
fn check(gpu: &Cuda, a: &Layout, b: &Layout) {
    let [x, y] = [a, b].map(|layout| numbers(layout.size() as u64, layout.extent(8).1 / 8));
    let left = Slot { layout: a.clone(), ..upload(gpu, &x, &[x.len()], DType::F64) };
    let right = Slot { layout: b.clone(), ..upload(gpu, &y, &[y.len()], DType::F64) };
    let at = a.ndim() - 2;
    let [m, k, n] = [a.shape[at], a.shape[at + 1], b.shape[at + 1]];
    let mut shape = a.shape[..at].to_vec();
    shape.extend([m, n]);
    let wanted = expected(&read(&x, a), &read(&y, b), shape[..at].iter().product(), [m, k, n]);
    let out = empty(gpu, &shape, DType::F64);
    call(gpu, &Call::Matmul { a: &left, b: &right, out: &out }).unwrap();
    assert_eq!(download::<f64>(gpu, &out), wanted, "{a:?} {b:?}");
    // A result by columns, and one with gaps.
    let turned = empty(gpu, &shape, DType::F64);
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.swap(at, at + 1);
    let mut swapped = shape.clone();
    swapped.swap(at, at + 1);
    let by_columns = Slot { layout: Layout::contiguous(&swapped, 8).permute(&order), ..turned.clone() };
    call(gpu, &Call::Matmul { a: &left, b: &right, out: &by_columns }).unwrap();
    assert_eq!(read(&download::<f64>(gpu, &turned), &by_columns.layout), wanted, "{a:?} {b:?}");
    shape[at + 1] *= 2;
    let wide = empty(gpu, &shape, DType::F64);
    let gaps = Slot { layout: wide.layout.slice_axis(at + 1, 0, 2, n), ..wide.clone() };
    call(gpu, &Call::Matmul { a: &left, b: &right, out: &gaps }).unwrap();
    assert_eq!(read(&download::<f64>(gpu, &wide), &gaps.layout), wanted, "{a:?} {b:?}");
}

/// The ways a matrix of these lengths may lie.
fn layouts(stack: &[usize], rows: usize, columns: usize) -> Vec<Layout> {
    let with = |last: [usize; 2]| [stack, &last].concat();
    let ndim = stack.len() + 2;
    let mut turned: Vec<usize> = (0..ndim).collect();
    turned.swap(ndim - 2, ndim - 1);
    vec![
        Layout::contiguous(&with([rows, columns]), 8),
        Layout::contiguous(&with([columns, rows]), 8).permute(&turned),
        Layout::contiguous(&with([rows + 2, columns + 3]), 8).slice_axis(ndim - 2, 1, 1, rows).slice_axis(
            ndim - 1,
            2,
            1,
            columns,
        ),
        Layout::contiguous(&with([rows, 2 * columns]), 8).slice_axis(ndim - 1, 0, 2, columns),
        Layout::contiguous(&with([rows, columns]), 8).slice_axis(ndim - 2, rows - 1, -1, rows),
    ]
}

#[test]
fn matrices_and_vectors_of_every_layout() {
    let Some(gpu) = ready() else { return };
    for [m, k, n] in [[3, 4, 5], [1, 4, 5], [3, 4, 1], [1, 6, 1], [1, 1, 1], [5, 1, 4]] {
        for a in layouts(&[], m, k) {
            for b in layouts(&[], k, n) {
                check(gpu, &a, &b);
            }
        }
    }
}

#[test]
fn batches_of_every_layout() {
    let Some(gpu) = ready() else { return };
    for a in layouts(&[3], 2, 4) {
        for b in layouts(&[3], 4, 2) {
            check(gpu, &a, &b);
        }
    }
    let broadcast = |layout: Layout, shape: &[usize]| layout.broadcast_to("matmul", shape).unwrap();
    let many = Layout::contiguous(&[2, 3, 4, 5], 8);
    // One right operand for all, a left one for each of the inner axis, and both transposed.
    check(gpu, &many, &broadcast(Layout::contiguous(&[5, 2], 8), &[2, 3, 5, 2]));
    check(gpu, &broadcast(Layout::contiguous(&[3, 2, 4], 8), &[2, 3, 2, 4]), &many);
    check(gpu, &many.permute(&[1, 0, 2, 3]), &Layout::contiguous(&[3, 2, 5, 1], 8));
    let turned = Layout::contiguous(&[3, 4, 2], 8).permute(&[0, 2, 1]);
    check(gpu, &broadcast(turned, &[2, 3, 2, 4]), &many);
}

#[test]
fn sixteen_bit_sums_are_rounded_once() {
    let Some(gpu) = ready() else { return };
    // 2049 ones: a sum in float16 would stay at 2048.
    let ones = vec![0x3c00u16; 2 * 2052];
    let a = upload(gpu, &ones, &[2, 2052], DType::F16);
    let b = upload(gpu, &ones, &[2052, 2], DType::F16);
    let out = empty(gpu, &[2, 2], DType::F16);
    call(gpu, &Call::Matmul { a: &a, b: &b, out: &out }).unwrap();
    // 2052, of which float16 has every second number.
    assert_eq!(download::<u16>(gpu, &out), [0x6802; 4]);
    let row = Slot { layout: Layout::contiguous(&[1, 2052], 2), ..a };
    let column = Slot { layout: Layout::contiguous(&[2052, 1], 2), ..b };
    let one = empty(gpu, &[1, 1], DType::F16);
    call(gpu, &Call::Matmul { a: &row, b: &column, out: &one }).unwrap();
    assert_eq!(download::<u16>(gpu, &one), [0x6802]);
}

#[test]
fn complex_numbers_are_not_conjugated() {
    let Some(gpu) = ready() else { return };
    // (1 + 2i) (3 - i) + (0 + i) (2 + 2i) = 5 + 5i - 2 + 2i
    let a = upload(gpu, &[1.0f32, 2.0, 0.0, 1.0], &[1, 2], DType::C64);
    let b = upload(gpu, &[3.0f32, -1.0, 2.0, 2.0], &[2, 1], DType::C64);
    let out = empty(gpu, &[1, 1], DType::C64);
    call(gpu, &Call::Matmul { a: &a, b: &b, out: &out }).unwrap();
    assert_eq!(download::<f32>(gpu, &out), [3.0, 7.0]);
}
