//! Products of every kind against a plain triple loop, over shapes around the tile edges and all sorts of
//! strides.

use half::{bf16, f16};
use num_complex::Complex;

use super::*;

/// A number that the reference computes with.
trait Number: Copy + PartialEq + Send + Sync + std::fmt::Debug {
    const KIND: GemmType;
    /// Element `i` of a reproducible sequence.
    fn sample(i: u64) -> Self;
    /// What the product must be, and by how much each part may differ, for a sum of these pairs.
    fn check(pairs: &[(Self, Self)], got: Self) -> Result<(), String>;
}

/// Well mixed bits from a counter.
fn mix(i: u64) -> u64 {
    let mut x = i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 31)
}

/// A float in (-1, 1) with few enough bits to be exact in every type.
fn small_float(i: u64) -> f64 {
    (mix(i) % 255) as f64 / 128.0 - 127.0 / 128.0
}

fn near(want: f64, got: f64, bound: f64) -> Result<(), String> {
    if (want - got).abs() <= bound { Ok(()) } else { Err(format!("want {want}, got {got}, bound {bound}")) }
}

macro_rules! integer_number {
    ($($t:ty, $kind:ident;)*) => {$(
        impl Number for $t {
            const KIND: GemmType = GemmType::$kind;
            fn sample(i: u64) -> Self {
                mix(i) as $t
            }
            fn check(pairs: &[(Self, Self)], got: Self) -> Result<(), String> {
                let want = pairs.iter().fold(0, |s: $t, &(a, b)| s.wrapping_add(a.wrapping_mul(b)));
                if want == got { Ok(()) } else { Err(format!("want {want}, got {got}")) }
            }
        }
    )*};
}

integer_number! { i8, I8; i16, I16; i32, I32; i64, I64; u8, U8; u16, U16; u32, U32; u64, U64; }

impl Number for bool {
    const KIND: GemmType = GemmType::Bool;
    fn sample(i: u64) -> Self {
        mix(i).is_multiple_of(4)
    }
    fn check(pairs: &[(Self, Self)], got: Self) -> Result<(), String> {
        let want = pairs.iter().any(|&(a, b)| a && b);
        if want == got { Ok(()) } else { Err(format!("want {want}, got {got}")) }
    }
}

macro_rules! float_number {
    ($($t:ty, $kind:ident, $from:expr, $to:expr, $eps:expr, $sum_eps:expr;)*) => {$(
        impl Number for $t {
            const KIND: GemmType = GemmType::$kind;
            fn sample(i: u64) -> Self {
                $from(small_float(i))
            }
            fn check(pairs: &[(Self, Self)], got: Self) -> Result<(), String> {
                let to = $to;
                let want: f64 = pairs.iter().map(|&(a, b)| to(a) * to(b)).sum();
                let size: f64 = pairs.iter().map(|&(a, b)| (to(a) * to(b)).abs()).sum();
                let bound = want.abs() * $eps / 2.0 + (pairs.len() as f64 + 1.0) * size * $sum_eps;
                near(want, to(got), bound)
            }
        }
    )*};
}

float_number! {
    f16, F16, f16::from_f64, |x: f16| x.to_f64(), 9.765_625e-4, f64::from(f32::EPSILON);
    bf16, Bf16, bf16::from_f64, |x: bf16| x.to_f64(), 7.812_5e-3, f64::from(f32::EPSILON);
    f32, F32, |x: f64| x as f32, |x: f32| f64::from(x), 0.0, f64::from(f32::EPSILON);
    f64, F64, |x: f64| x, |x: f64| x, 0.0, f64::EPSILON;
}

macro_rules! complex_number {
    ($($t:ty, $kind:ident;)*) => {$(
        impl Number for Complex<$t> {
            const KIND: GemmType = GemmType::$kind;
            fn sample(i: u64) -> Self {
                Complex { re: small_float(2 * i) as $t, im: small_float(2 * i + 1) as $t }
            }
            fn check(pairs: &[(Self, Self)], got: Self) -> Result<(), String> {
                let to = |z: Self| Complex { re: f64::from(z.re), im: f64::from(z.im) };
                let want: Complex<f64> = pairs.iter().map(|&(a, b)| to(a) * to(b)).sum();
                let size: f64 = pairs.iter().map(|&(a, b)| to(a).norm() * to(b).norm()).sum();
                let bound = 2.0 * (pairs.len() as f64 + 1.0) * size * f64::from(<$t>::EPSILON);
                near(want.re, f64::from(got.re), bound).and(near(want.im, f64::from(got.im), bound))
            }
        }
    )*};
}

complex_number! { f32, C64; f64, C128; }

/// How a matrix lies in memory.
#[derive(Clone, Copy, Debug)]
enum Order {
    Rows,
    Columns,
    /// Rows and columns backwards.
    Reversed,
    /// Every second column of every third row.
    Sparse,
    /// Columns, each with room after it.
    PaddedColumns,
    /// Rows, each with room after it.
    PaddedRows,
    /// One row, repeated.
    Repeated,
}

const DISTINCT: [Order; 6] =
    [Order::Rows, Order::Columns, Order::Reversed, Order::Sparse, Order::PaddedColumns, Order::PaddedRows];

struct Matrix<T> {
    data: Vec<T>,
    origin: isize,
    strides: [isize; 2],
}

impl<T: Number> Matrix<T> {
    fn new(rows: usize, cols: usize, order: Order, seed: u64) -> Self {
        let (r, c) = (rows as isize, cols as isize);
        let (strides, origin) = match order {
            Order::Rows => ([c, 1], 0),
            Order::Columns => ([1, r], 0),
            Order::Reversed => ([-c, -1], (r * c - 1).max(0)),
            Order::Sparse => ([6 * c, 2], 0),
            Order::PaddedColumns => ([1, r + 3], 0),
            Order::PaddedRows => ([c + 5, 1], 0),
            Order::Repeated => ([0, 1], 0),
        };
        let len = (r * strides[0].abs() + c * strides[1].abs()) as usize + 1;
        Matrix { data: (0..len as u64).map(|i| T::sample(seed + i)).collect(), origin, strides }
    }

    fn index(&self, i: usize, j: usize) -> usize {
        (self.origin + i as isize * self.strides[0] + j as isize * self.strides[1]) as usize
    }

    fn at(&self, i: usize, j: usize) -> T {
        self.data[self.index(i, j)]
    }
}

fn describe<T: Number>(a: &Matrix<T>, b: &Matrix<T>, c: &mut Matrix<T>, [m, n, k]: [usize; 3]) -> Gemm {
    Gemm {
        m,
        n,
        k,
        a: a.data.as_ptr().wrapping_offset(a.origin).cast(),
        a_strides: a.strides,
        b: b.data.as_ptr().wrapping_offset(b.origin).cast(),
        b_strides: b.strides,
        c: c.data.as_mut_ptr().wrapping_offset(c.origin).cast(),
        c_strides: c.strides,
    }
}

/// Computes one product on `threads` threads and returns C.
fn multiply<T: Number>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    order: Order,
    shape: [usize; 3],
    threads: usize,
) -> Matrix<T> {
    let mut c = Matrix::new(shape[0], shape[1], order, 77);
    let product = describe(a, b, &mut c, shape);
    // SAFETY: the matrices have the shape and strides described.
    assert!(unsafe { gemm(T::KIND, &product, threads) });
    c
}

/// Whether a product is small enough for where the tests run: Miri takes a thousand times as long.
fn fits([m, n, k]: [usize; 3]) -> bool {
    !cfg!(miri) || m * n * k <= 130
}

/// Checks a product (of a large one, elements here and there), and that what lies between the elements of C
/// is untouched.
fn check<T: Number>(shape: [usize; 3], orders: [Order; 3]) {
    if fits(shape) {
        check_any::<T>(shape, orders);
    }
}

fn check_any<T: Number>(shape: [usize; 3], orders: [Order; 3]) {
    let [m, n, k] = shape;
    let a = Matrix::<T>::new(m, k, orders[0], 1);
    let b = Matrix::<T>::new(k, n, orders[1], 1000);
    let c = multiply(&a, &b, orders[2], shape, 2);
    let mut others = Matrix::<T>::new(m, n, orders[2], 77);
    let every = (m * n * k / 100_000) | 1;
    for i in 0..m {
        for j in 0..n {
            let at = others.index(i, j);
            others.data[at] = c.data[at];
            if !(i * n + j).is_multiple_of(every) {
                continue;
            }
            let pairs: Vec<_> = (0..k).map(|p| (a.at(i, p), b.at(p, j))).collect();
            if let Err(e) = T::check(&pairs, c.at(i, j)) {
                panic!("{:?} {shape:?} {orders:?} at ({i}, {j}): {e}", T::KIND);
            }
        }
    }
    assert!(others.data == c.data, "{:?} {shape:?} {orders:?}: written between the elements", T::KIND);
}

/// Runs a generic test for every kind; under Miri for one of each size and of each way to multiply.
macro_rules! every_kind {
    ($($name:ident => $test:ident;)*) => {$(
        #[test]
        fn $name() {
            $test::<bool>();
            $test::<i8>();
            $test::<i64>();
            $test::<f16>();
            $test::<f32>();
            $test::<Complex<f64>>();
            if cfg!(miri) {
                return;
            }
            $test::<i16>();
            $test::<i32>();
            $test::<u8>();
            $test::<u16>();
            $test::<u32>();
            $test::<u64>();
            $test::<bf16>();
            $test::<f64>();
            $test::<Complex<f32>>();
        }
    )*};
}

every_kind! {
    small_shapes => check_small_shapes;
    tile_edges => check_tile_edges;
    strides => check_strides;
    vectors => check_vectors;
    long_sums => check_long_sums;
    batches => check_batches;
    threads_do_not_matter => check_threads;
    every_instruction_set => check_instruction_sets;
    products_with_the_own_transpose => check_own_transposes;
}

/// A matrix by its own transpose has the bits of the same numbers in memory of their own, threads or none.
fn check_own_transposes<T: Number>() {
    // The last one is for Miri.
    for (m, k) in [(127, 9), (128, 40), (131, 600), (300, 7), (290, 270), (8, 2)] {
        if !fits([m, m, k]) {
            continue;
        }
        let orders = [Order::Rows, Order::Columns, Order::Sparse, Order::Reversed];
        for order in orders.into_iter().take(if cfg!(miri) { 2 } else { 4 }) {
            let a = Matrix::<T>::new(m, k, order, 5);
            let turned = |of: &Matrix<T>| Matrix {
                data: of.data.clone(),
                origin: of.origin,
                strides: [of.strides[1], of.strides[0]],
            };
            let apart = turned(&a);
            let targets = [Order::Rows, Order::Columns, Order::Sparse];
            for target in targets.into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
                let want = multiply(&a, &apart, target, [m, m, k], 1);
                for threads in [1, 3] {
                    let mut c = Matrix::new(m, m, target, 77);
                    let mut product = describe(&a, &apart, &mut c, [m, m, k]);
                    product.b = product.a;
                    // SAFETY: the matrices have the shape and strides described; B is A's memory, turned.
                    assert!(unsafe { gemm(T::KIND, &product, threads) });
                    assert!(want.data == c.data, "{:?} {m} by {k}, {order:?} to {target:?}", T::KIND);
                }
            }
        }
    }
}

fn check_small_shapes<T: Number>() {
    let step = if cfg!(miri) { 9 } else { 1 };
    for m in (0..20).step_by(step.max(if cfg!(debug_assertions) { 5 } else { 1 })) {
        for n in (0..20).step_by(step) {
            for k in [0, 1, 2, 3, 7, 16, 19] {
                check::<T>([m, n, k], [Order::Rows; 3]);
            }
        }
    }
}

fn check_tile_edges<T: Number>() {
    for m in [2, 11, 12, 13, 25] {
        for n in [7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65] {
            check::<T>([m, n, 5], [Order::Rows; 3]);
        }
    }
    // Several blocks, packed and in place.
    if cfg!(miri) {
        check::<T>([13, 2, 5], [Order::Rows; 3]);
        check::<T>([3, 4, 10], [Order::Columns, Order::Rows, Order::Columns]);
        check::<T>([2, 21, 3], [Order::Rows, Order::Columns, Order::Rows]);
    }
    for k in [255, 256, 257, 600] {
        check::<T>([13, 35, k], [Order::Rows; 3]);
        check::<T>([5, 9, k], [Order::Columns, Order::Rows, Order::Columns]);
    }
    check::<T>([260, 130, 130], [Order::Rows; 3]);
    check::<T>([70, 270, 290], [Order::Rows, Order::Columns, Order::Rows]);
}

fn check_strides<T: Number>() {
    for c in DISTINCT.into_iter().take(if cfg!(miri) { 1 } else { 6 }) {
        for (i, a) in [&DISTINCT[..], &[Order::Repeated]].concat().into_iter().enumerate() {
            for (j, b) in [&DISTINCT[..], &[Order::Repeated]].concat().into_iter().enumerate() {
                // Each order on either side, though not beside each.
                if cfg!(miri) && (i + j) % 4 > 0 {
                    continue;
                }
                check::<T>([14, 18, 9], [a, b, c]);
                check::<T>([3, 2, 21], [a, b, c]);
            }
        }
    }
    for [a, b] in
        [[Order::Columns, Order::Rows], [Order::Reversed, Order::Sparse], [Order::Rows, Order::Columns]]
    {
        check::<T>([64, 80, 270], [a, b, Order::Rows]);
        check::<T>([64, 80, 270], [a, b, Order::Columns]);
    }
}

fn check_vectors<T: Number>() {
    if cfg!(miri) {
        // Columns of several vectors and blocks.
        check_any::<T>([40, 1, 9], [Order::Columns, Order::Rows, Order::Rows]);
    }
    for a in DISTINCT {
        for c in [Order::Rows, Order::Sparse, Order::Reversed] {
            for (out, k) in
                [(1, 1), (1, 300), (5, 3), (33, 40), (70, 130), (3, 2100), (127, 37), (241, 19), (1030, 6)]
            {
                check::<T>([out, 1, k], [a, Order::Rows, c]);
                check::<T>([1, out, k], [Order::Sparse, a, c]);
            }
        }
    }
}

fn check_long_sums<T: Number>() {
    for (m, n) in [(1, 1), (1, 3), (4, 1), (2, 3)] {
        for k in [SPLIT_SUM_MIN, if cfg!(miri) { 43 } else { 40001 }] {
            check::<T>([m, n, k], [Order::Rows; 3]);
            check::<T>([m, n, k], [Order::Columns; 3]);
        }
    }
}

fn check_batches<T: Number>() {
    for (count, [m, n, k]) in [
        (0, [2, 2, 2]),
        (1, [3, 4, 5]),
        (300, [7, 5, 6]),
        (9, [4, 1, 4]),
        (9, [1, 5, 3]),
        (3, [40, 70, 50]),
        (40, [33, 34, 35]),
    ] {
        if !fits([count * m, n, k]) {
            continue;
        }
        let size = size_of::<T>();
        let a = Matrix::<T>::new(count * m, k, Order::Rows, 1);
        let b = Matrix::<T>::new(k, n, Order::Rows, 2);
        let mut c = Matrix::<T>::new(count * m, n, Order::Rows, 3);
        let base = describe(&a, &b, &mut c, [m, n, k]);
        let offsets: Vec<_> =
            (0..count).map(|i| [(i * m * k * size) as isize, 0, (i * m * n * size) as isize]).collect();
        // SAFETY: product `i` reads and writes the rows `i * m..(i + 1) * m`.
        assert!(unsafe { gemm_batch(T::KIND, &base, &offsets, 2) });
        for i in 0..count * m {
            for j in 0..n {
                let pairs: Vec<_> = (0..k).map(|p| (a.at(i, p), b.at(p, j))).collect();
                T::check(&pairs, c.at(i, j)).expect("a product of the batch");
            }
        }
        let together = c.data.clone();
        for &offset in &offsets {
            // SAFETY: as above.
            assert!(unsafe { gemm(T::KIND, &base.moved(offset), 1) });
        }
        assert!(together == c.data, "{:?} {count} of {m}, {n}, {k}: a batch has other bits", T::KIND);
    }
}

fn check_threads<T: Number>() {
    let shapes = [
        [5, 6, 9],
        [130, 140, 150],
        [300, 40, 700],
        [20, 600, 300],
        [1, 1200, 900],
        [1200, 1, 900],
        [9000, 1, 70],
        [70, 1, 9000],
        [3, 2, 50000],
        [1, 1, 99999],
        // For Miri.
        [7, 6, 3],
    ];
    for shape in shapes.into_iter().filter(|shape| fits(*shape)) {
        for order in [Order::Rows, Order::Columns] {
            let [m, n, k] = shape;
            let a = Matrix::<T>::new(m, k, order, 1);
            let b = Matrix::<T>::new(k, n, Order::Rows, 1000);
            let one = multiply(&a, &b, Order::Rows, shape, 1);
            for threads in [2, 4] {
                let many = multiply(&a, &b, Order::Rows, shape, threads);
                assert!(one.data == many.data, "{:?} {shape:?} differs on {threads} threads", T::KIND);
            }
        }
    }
}

/// The engines that this processor would not choose agree with the reference too.
fn check_instruction_sets<T: Number>() {
    for engine in every_engine(T::KIND) {
        for [m, n, k] in
            [[1, 1, 1], [5, 7, 9], [13, 19, 300], [1, 70, 80], [241, 1, 80], [50, 60, 70], [4, 4, 17000]]
        {
            if !fits([m, n, k]) {
                continue;
            }
            for order in [Order::Rows, Order::Columns, Order::Sparse] {
                let a = Matrix::<T>::new(m, k, order, 1);
                let b = Matrix::<T>::new(k, n, order, 1000);
                let mut c = Matrix::<T>::new(m, n, order, 77);
                let product = describe(&a, &b, &mut c, [m, n, k]);
                // SAFETY: the matrices have the shape and strides described.
                assert!(unsafe { (engine.one)(&product, 2) });
                for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let pairs: Vec<_> = (0..k).map(|p| (a.at(i, p), b.at(p, j))).collect();
                    T::check(&pairs, c.at(i, j)).expect("a product on another engine");
                }
            }
        }
    }
}

#[test]
fn not_a_number_and_infinity_spread() {
    for (m, n) in [(1, 1), (2, 3), (1, 5), (5, 1), (40, 40)] {
        for k in [1, 5, 70, 20000] {
            if m * n * k > 1_000_000 || !fits([m, n, k]) {
                continue;
            }
            let mut a = Matrix::<f64>::new(m, k, Order::Rows, 1);
            let mut b = Matrix::<f64>::new(k, n, Order::Rows, 2);
            b.data.fill(0.0);
            a.data[k - 1] = f64::INFINITY;
            let c = multiply(&a, &b, Order::Rows, [m, n, k], 2);
            assert!((0..n).all(|j| c.at(0, j).is_nan()), "0 * inf is nan");
            assert!((1..m).all(|i| (0..n).all(|j| c.at(i, j) == 0.0)), "and stays in its row");
            b.data.fill(1.0);
            let c = multiply(&a, &b, Order::Rows, [m, n, k], 2);
            assert!((0..n).all(|j| c.at(0, j) == f64::INFINITY));
        }
    }
}

#[test]
fn halves_are_rounded_once() {
    let k = if cfg!(miri) { 41 } else { 3000 };
    let mut a = Matrix::<f16>::new(1, k, Order::Rows, 1);
    let mut b = Matrix::<f16>::new(k, 1, Order::Rows, 2);
    a.data.fill(f16::from_f32(1.0));
    b.data.fill(f16::from_f32(1.0));
    // In half precision nothing that is added to 2048 one by one would change it.
    a.data[0] = f16::from_f32(2048.0);
    let want = f16::from_f32(2048.0 + (k - 1) as f32);
    assert_eq!(multiply(&a, &b, Order::Rows, [1, 1, k], 1).at(0, 0), want);
}

#[test]
fn bools_that_are_not_one_count_as_true() {
    let (a, b, mut c) = ([2u8, 0], [128u8, 1], [7u8]);
    let product = Gemm {
        m: 1,
        n: 1,
        k: 2,
        a: a.as_ptr(),
        a_strides: [2, 1],
        b: b.as_ptr(),
        b_strides: [1, 1],
        c: c.as_mut_ptr(),
        c_strides: [1, 1],
    };
    // SAFETY: the arrays have the shape described.
    assert!(unsafe { gemm(GemmType::Bool, &product, 1) });
    assert_eq!(c, [1]);
}
