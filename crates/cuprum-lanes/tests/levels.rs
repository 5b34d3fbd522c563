//! All levels agree bit for bit, in place and apart, for every op, dtype and length; the conversions are C's.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_core::ops::Namespace;
use cuprum_core::{DType, Op, SimdLevel};

use cuprum_lanes::{First, Lane, Second, cast, lane, pair, pair_with_scalar, sin_cos, with_scalar};

/// How many elements a block has; Miri takes a thousand times as long.
const ELEMENTS: usize = if cfg!(miri) { 9 } else { 1024 };
/// Bytes of a block: the largest elements have 16.
const BYTES: usize = 16 * ELEMENTS;

/// Blocks are aligned as the machine's are.
#[repr(align(64))]
#[derive(Clone)]
struct Block([u8; BYTES]);

/// A small generator: the tests need variety, not quality.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

const SPECIAL: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    -2.5,
    1e-3,
    100.0,
    -1e5,
    65504.0,
    1e-7,
    6e-8,
    1e-40,
    -1e-310,
    3.4e38,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.1,
];

/// Random bits, ordinary numbers and special values of a dtype.
fn block(dtype: DType, random: &mut Random) -> Box<Block> {
    let mut block = Box::new(Block([0; BYTES]));
    let size = dtype.size();
    for element in block.0.chunks_exact_mut(size) {
        let choice = random.next() % 4;
        let value = match choice {
            0 => SPECIAL[(random.next() % SPECIAL.len() as u64) as usize],
            _ => (random.next() as i64 as f64) / 2f64.powi(57 + (random.next() % 6) as i32),
        };
        let bits = random.next();
        match dtype {
            DType::Bool => element[0] = (bits & 1) as u8,
            DType::F16 if choice > 1 => {
                element.copy_from_slice(&half::f16::from_f64(value).to_bits().to_le_bytes())
            }
            DType::BF16 if choice > 1 => {
                element.copy_from_slice(&half::bf16::from_f64(value).to_bits().to_le_bytes())
            }
            DType::F32 | DType::C64 if choice != 1 => {
                for part in element.chunks_exact_mut(4) {
                    part.copy_from_slice(&(value as f32).to_le_bytes());
                }
                element[0] ^= (bits & 3) as u8;
            }
            DType::F64 | DType::C128 if choice != 1 => {
                for part in element.chunks_exact_mut(8) {
                    part.copy_from_slice(&value.to_le_bytes());
                }
                element[0] ^= (bits & 3) as u8;
            }
            _ if dtype.is_integral() && choice == 0 => element[0] = (bits % 9) as u8,
            _ => {
                for part in element.chunks_mut(8) {
                    part.copy_from_slice(&random.next().to_le_bytes()[..part.len()]);
                }
            }
        }
    }
    block
}

fn run(f: Lane, n: usize, out: &mut Block, sources: [&Block; 3]) {
    // SAFETY: a block holds `ELEMENTS` elements of any dtype, which is the most that tests ask for, and is aligned.
    unsafe { f(n, out.0.as_mut_ptr(), sources.map(|block| block.0.as_ptr())) }
}

/// Runs in place of source `k`.
fn run_over(f: Lane, n: usize, out: &mut Block, sources: [&Block; 3], k: usize) {
    let place = out.0.as_mut_ptr();
    let mut pointers = sources.map(|block| block.0.as_ptr());
    pointers[k] = place;
    // SAFETY: as in `run`; the destination is exactly source `k`.
    unsafe { f(n, place, pointers) }
}

/// Bits with every NaN made the same: which NaN an operation gives is not part of the contract.
fn canonical(dtype: DType, n: usize, block: &Block) -> Vec<u64> {
    let parts = |size: usize| block.0[..n * dtype.size()].chunks_exact(size);
    match dtype.real() {
        DType::F16 => parts(2)
            .map(|b| half::f16::from_bits(u16::from_le_bytes([b[0], b[1]])))
            .map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() as u64 })
            .collect(),
        DType::BF16 => parts(2)
            .map(|b| half::bf16::from_bits(u16::from_le_bytes([b[0], b[1]])))
            .map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() as u64 })
            .collect(),
        DType::F32 => parts(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() as u64 })
            .collect(),
        DType::F64 => parts(8)
            .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
            .map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() })
            .collect(),
        _ => block.0[..n * dtype.size()].iter().map(|b| *b as u64).collect(),
    }
}

fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_available())
}

/// Every remainder of every vector width, and a block with many chunks.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=70).filter(|n| !cfg!(miri) || *n == 3).chain([ELEMENTS])
}

#[test]
fn lanes_exist_exactly_where_the_table_has_loops() {
    for op in Op::all() {
        for dtype in DType::ALL {
            for level in SimdLevel::ALL {
                assert_eq!(lane(op, dtype, level).is_some(), op.has_loop(dtype), "{op:?} {dtype} {level:?}");
            }
        }
    }
}

#[test]
fn every_level_gives_the_same_bits() {
    let next = AtomicUsize::new(0);
    let ops: Vec<Op> = Op::all().collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&op) = ops.get(next.fetch_add(1, Ordering::Relaxed)) {
                    levels_agree(op);
                }
            });
        }
    });
}

fn levels_agree(op: Op) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (op as u64) << 8);
    // Special functions go element by element or in eights, and take their time.
    let is_special = op.row().namespace == Namespace::Special;
    let most = match is_special {
        true if cfg!(miri) => 3,
        true => 17,
        false => ELEMENTS,
    };
    let is_taken = |n: &usize| *n <= most && (!is_special || n % 8 == 1 || cfg!(miri));
    for dtype in DType::ALL.into_iter().filter(|dtype| op.has_loop(*dtype)) {
        let inputs = [0, 1, 2].map(|k| block(op.input(k, dtype), &mut random));
        let sources = [0, 1, 2].map(|k| &*inputs[k]);
        let output = op.output(dtype);
        let mut want = Block([0xa5; BYTES]);
        run(lane(op, dtype, SimdLevel::Portable).unwrap(), most, &mut want, sources);
        let want = canonical(output, most, &want);
        for level in levels() {
            let f = lane(op, dtype, level).unwrap();
            for n in lengths().filter(is_taken) {
                let what = || format!("{op:?} {dtype} {level:?} n={n}");
                let expected = &want[..want.len() / most * n];
                let mut out = Block([0xa5; BYTES]);
                run(f, n, &mut out, sources);
                assert_eq!(canonical(output, n, &out), expected, "{}", what());
                let beyond = n * output.size()..(n * output.size() + 64).min(BYTES);
                let is_untouched = out.0[beyond.clone()].iter().all(|b| *b == 0xa5);
                assert!(is_untouched, "{} wrote past the end", what());
                for (k, input) in inputs.iter().enumerate().take(op.row().nin) {
                    let fits = op.input(k, dtype).size() == output.size();
                    if fits && (!is_special || n == most) {
                        let mut out = input.clone();
                        run_over(f, n, &mut out, sources, k);
                        assert_eq!(canonical(output, n, &out), expected, "{} over argument {k}", what());
                        let (after, before) = (&out.0[beyond.clone()], &input.0[beyond.clone()]);
                        assert_eq!(after, before, "{} wrote past the end", what());
                    }
                }
            }
        }
    }
}

#[test]
fn all_arguments_may_be_the_destination() {
    let mut random = Random(77);
    for (op, dtype) in
        [(Op::Add, DType::F64), (Op::Clip, DType::I32), (Op::Power, DType::F32), (Op::Multiply, DType::F16)]
    {
        let input = block(dtype, &mut random);
        let mut want = Block([0; BYTES]);
        run(lane(op, dtype, SimdLevel::Portable).unwrap(), ELEMENTS - 1, &mut want, [&input; 3]);
        for level in levels() {
            let mut out = input.clone();
            let place = out.0.as_mut_ptr();
            // SAFETY: as in `run_over`, for every source.
            unsafe { lane(op, dtype, level).unwrap()(ELEMENTS - 1, place, [place.cast_const(); 3]) };
            assert_eq!(
                canonical(dtype, ELEMENTS - 1, &out),
                canonical(dtype, ELEMENTS - 1, &want),
                "{op:?} {dtype} {level:?}"
            );
        }
    }
}

#[test]
fn casts_give_the_same_bits_at_every_level() {
    let mut random = Random(2026);
    for from in DType::ALL {
        let input = block(from, &mut random);
        for to in DType::ALL {
            let mut want = Block([0; BYTES]);
            run(cast(from, to, SimdLevel::Portable), ELEMENTS, &mut want, [&input; 3]);
            let want = canonical(to, ELEMENTS, &want);
            for level in levels() {
                for n in lengths() {
                    let expected = &want[..want.len() / ELEMENTS * n];
                    let mut out = Block([0; BYTES]);
                    run(cast(from, to, level), n, &mut out, [&input; 3]);
                    assert_eq!(canonical(to, n, &out), expected, "{from} to {to} {level:?} n={n}");
                    if from.size() == to.size() {
                        let mut out = input.clone();
                        run_over(cast(from, to, level), n, &mut out, [&input; 3], 0);
                        assert_eq!(
                            canonical(to, n, &out),
                            expected,
                            "{from} to {to} {level:?} n={n} in place"
                        );
                    }
                }
            }
        }
    }
}

/// One block of typed values through a lane.
fn through<A: Copy, R: Copy + Default>(f: Lane, a: &[A], b: &[A]) -> Vec<R> {
    let mut out = vec![R::default(); a.len()];
    // SAFETY: the vectors hold `a.len()` elements each, of the types that the callers ask lanes for.
    unsafe { f(a.len(), out.as_mut_ptr().cast(), [a.as_ptr().cast(), b.as_ptr().cast(), b.as_ptr().cast()]) };
    out
}

#[test]
fn truncation_out_of_range_is_that_of_x86() {
    let x = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e20, -1e20, 300.7, -5.5, 3e9, 1e19];
    for level in levels() {
        let to = |to| cast(DType::F64, to, level);
        assert_eq!(through::<_, i8>(to(DType::I8), &x, &x), [0, 0, 0, 0, 0, 44, -5, 0, 0]);
        assert_eq!(through::<_, u16>(to(DType::U16), &x, &x), [0, 0, 0, 0, 0, 300, 65531, 0, 0]);
        let min = i32::MIN;
        assert_eq!(through::<_, i32>(to(DType::I32), &x, &x), [min, min, min, min, min, 300, -5, min, min]);
        let low = 4_294_967_291;
        assert_eq!(through::<_, u32>(to(DType::U32), &x, &x), [0, 0, 0, 0, 0, 300, low, 3_000_000_000, 0]);
        let top = 1 << 63;
        let low = 5u64.wrapping_neg();
        let want = [top, 0, top, 0, top, 300, low, 3_000_000_000, 10_000_000_000_000_000_000];
        assert_eq!(through::<_, u64>(to(DType::U64), &x, &x), want);
    }
}

#[test]
fn doubles_and_integers_round_once_to_sixteen_bits() {
    for level in levels() {
        let half: Vec<half::f16> =
            through(cast(DType::F64, DType::F16, level), &[2049.0000001, 2049.0, 65519.999, 65520.0], &[]);
        assert_eq!(half.map_to_f64(), [2050.0, 2048.0, 65504.0, f64::INFINITY]);
        let above_tie = (1i64 << 40) + (1 << 32) + 1;
        let brain: Vec<half::bf16> =
            through(cast(DType::I64, DType::BF16, level), &[above_tie, -above_tie, above_tie - 1, 7], &[]);
        let next = ((1i64 << 40) + (1 << 33)) as f64;
        assert_eq!(brain.map_to_f64(), [next, -next, (1i64 << 40) as f64, 7.0]);
    }
}

trait MapToF64 {
    fn map_to_f64(&self) -> Vec<f64>;
}

impl MapToF64 for Vec<half::f16> {
    fn map_to_f64(&self) -> Vec<f64> {
        self.iter().map(|x| x.to_f64()).collect()
    }
}

impl MapToF64 for Vec<half::bf16> {
    fn map_to_f64(&self) -> Vec<f64> {
        self.iter().map(|x| x.to_f64()).collect()
    }
}

#[test]
fn division_follows_python() {
    let (a, b) = ([7i32, -7, 7, -7, 5, i32::MIN], [2, 2, -2, -2, 0, -1]);
    let (x, y) = (
        [7.0f64, -7.0, 7.5, -0.0, 1.0, -1.0, f64::INFINITY, 1e300],
        [2.0, 2.0, -2.0, 3.0, 0.0, f64::INFINITY, 2.0, 3.0],
    );
    for level in levels() {
        let of = |op, dtype| lane(op, dtype, level).unwrap();
        assert_eq!(through::<_, i32>(of(Op::FloorDivide, DType::I32), &a, &b), [3, -4, -4, 3, 0, i32::MIN]);
        assert_eq!(through::<_, i32>(of(Op::Remainder, DType::I32), &a, &b), [1, 1, -1, -1, 0, 0]);
        assert_eq!(through::<_, i32>(of(Op::Fmod, DType::I32), &a, &b), [1, -1, 1, -1, 0, 0]);
        let floor: Vec<f64> = through(of(Op::FloorDivide, DType::F64), &x, &y);
        assert_eq!(floor[..6], [3.0, -4.0, -4.0, -0.0, f64::INFINITY, -1.0]);
        assert!(floor[6].is_nan());
        let rest: Vec<f64> = through(of(Op::Remainder, DType::F64), &x, &y);
        assert_eq!(rest[..4], [1.0, 1.0, -0.5, 0.0]);
        assert!(rest[4].is_nan() && rest[5] == f64::INFINITY && rest[6].is_nan());
        assert_eq!(rest[7], 1e300 % 3.0);
    }
}

#[test]
fn wide_integers_divide_as_narrow_ones_do() {
    let near = [0u32, 1, 2, 31, 32, 50, 51, 52, 53, 62, 63].map(|bits| 1i64.wrapping_shl(bits));
    let near = near.into_iter().flat_map(|x| [x.wrapping_sub(1), x, x.wrapping_add(1), x.wrapping_neg()]);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let numbers = near.chain([0, 3, 7, -7, i64::MAX]).chain((0..40).map(|i| random.next() as i64 >> i));
    // Miri takes a thousand times as long.
    let numbers = numbers.step_by(if cfg!(miri) { 6 } else { 1 });
    let numbers: Vec<i64> = numbers.chain([0, -1, i64::MIN]).collect();
    let (a, b): (Vec<i64>, Vec<i64>) =
        numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))).unzip();
    let floor = |(&a, &b): (&i64, &i64)| match b {
        0 => (0, 0),
        -1 => (a.wrapping_neg(), 0),
        _ => {
            let (quotient, rest) = (a / b, a % b);
            let below = rest != 0 && (rest < 0) != (b < 0);
            if below { (quotient - 1, rest + b) } else { (quotient, rest) }
        }
    };
    let (quotients, rests): (Vec<i64>, Vec<i64>) = a.iter().zip(&b).map(floor).unzip();
    let unsigned = |x: &[i64]| x.iter().map(|x| *x as u64).collect::<Vec<u64>>();
    let (ua, ub) = (unsigned(&a), unsigned(&b));
    let whole: Vec<u64> = ua.iter().zip(&ub).map(|(a, b)| a.checked_div(*b).unwrap_or(0)).collect();
    let rest: Vec<u64> = ua.iter().zip(&ub).map(|(a, b)| a.checked_rem(*b).unwrap_or(0)).collect();
    for level in levels() {
        let of = |op, dtype| lane(op, dtype, level).unwrap();
        assert_eq!(through::<_, i64>(of(Op::FloorDivide, DType::I64), &a, &b), quotients);
        assert_eq!(through::<_, i64>(of(Op::Remainder, DType::I64), &a, &b), rests);
        assert_eq!(through::<_, u64>(of(Op::FloorDivide, DType::U64), &ua, &ub), whole);
        assert_eq!(through::<_, u64>(of(Op::Remainder, DType::U64), &ua, &ub), rest);
        assert_eq!(through::<_, u64>(of(Op::Fmod, DType::U64), &ua, &ub), rest);
    }
}

#[test]
fn a_pair_gives_the_bits_of_its_two_lanes() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let ops = Op::all().filter(|op| op.row().nin <= 2).flat_map(|op| {
        let places = 0..op.row().nin;
        places.map(move |place| Second::Op(op, place))
    });
    let seconds: Vec<Second> = ops.chain([Second::AddSquare]).collect();
    let mut pairs = 0;
    for dtype in [DType::F32, DType::F64] {
        let inputs = [0, 1, 2].map(|_| block(dtype, &mut random));
        let [a, b, c] = [0, 1, 2].map(|k| &*inputs[k]);
        for begin in First::ALL {
            let between = of_first(begin, dtype, a, b);
            for &second in &seconds {
                let Some(_) = pair(begin, second, dtype, SimdLevel::Portable) else { continue };
                pairs += 1;
                let (output, want) = of_second(second, dtype, &between, c);
                let uses = [true, begin.arity() == 2, second != Second::Op(Op::Sqrt, 0)];
                for level in levels() {
                    let f = pair(begin, second, dtype, level).unwrap();
                    for n in lengths() {
                        let what = || format!("{begin:?} {second:?} {dtype} {level:?} n={n}");
                        let expected = &want[..want.len() / ELEMENTS * n];
                        let mut out = Block([0xa5; BYTES]);
                        run(f, n, &mut out, [a, b, c]);
                        assert_eq!(canonical(output, n, &out), expected, "{}", what());
                        assert!(out.0[n * output.size()..].iter().all(|b| *b == 0xa5), "{} wrote on", what());
                        for k in (0..3).filter(|&k| uses[k] && output == dtype) {
                            let mut out = inputs[k].clone();
                            run_over(f, n, &mut out, [a, b, c], k);
                            assert_eq!(canonical(output, n, &out), expected, "{} over source {k}", what());
                        }
                    }
                }
            }
        }
    }
    assert!(pairs > 100, "only {pairs} pairs");
}

/// Blocks of which every element is one of another block's.
fn equal(dtype: DType, element: usize, from: &Block) -> Block {
    let size = dtype.size();
    let mut block = Block([0; BYTES]);
    for place in block.0.chunks_exact_mut(size) {
        place.copy_from_slice(&from.0[element * size..][..size]);
    }
    block
}

/// Runs a lane beside constants, apart and, if its result has the dtype of the elements, in place.
fn check_with_scalar(
    f: Lane,
    (dtype, output): (DType, DType),
    [a, b, c]: [&Block; 3],
    want: &[u64],
    what: &dyn Fn() -> String,
) {
    for n in lengths() {
        let expected = &want[..want.len() / ELEMENTS * n];
        let mut out = Block([0xa5; BYTES]);
        run(f, n, &mut out, [a, b, c]);
        assert_eq!(canonical(output, n, &out), expected, "{} n={n}", what());
        assert!(out.0[n * output.size()..].iter().all(|b| *b == 0xa5), "{} wrote on", what());
        if output == dtype {
            let mut out = a.clone();
            run_over(f, n, &mut out, [a, b, c], 0);
            assert_eq!(canonical(output, n, &out), expected, "{} n={n} in place", what());
        }
    }
}

#[test]
fn a_lane_beside_constants_gives_the_bits_of_blocks_of_them() {
    let mut random = Random(0x853c_49e6_748f_ea9b);
    let mut lanes = 0;
    for dtype in DType::ALL {
        let inputs = [0, 1, 2].map(|_| block(dtype, &mut random));
        let [a, low, high] = [0, 1, 2].map(|k| &*inputs[k]);
        for op in Op::all() {
            for place in 0..op.row().nin {
                let Some(_) = with_scalar(op, place, dtype, SimdLevel::Portable) else { continue };
                lanes += 1;
                let output = op.output(dtype);
                for element in [0, 7, ELEMENTS / 2].into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
                    let (b, c) = (equal(dtype, element, low), equal(dtype, element, high));
                    let blocks = if place == 0 { [a, &b, &c] } else { [&b, a, &c] };
                    let mut whole = Block([0; BYTES]);
                    run(lane(op, dtype, SimdLevel::Portable).unwrap(), ELEMENTS, &mut whole, blocks);
                    let want = canonical(output, ELEMENTS, &whole);
                    for level in levels() {
                        let f = with_scalar(op, place, dtype, level).unwrap();
                        let what = || format!("{op:?} at {place} of {dtype} {level:?}");
                        check_with_scalar(f, (dtype, output), [a, &b, &c], &want, &what);
                    }
                }
            }
        }
    }
    assert!(lanes > 200, "only {lanes} lanes");
}

#[test]
fn a_pair_beside_constants_gives_the_bits_of_blocks_of_them() {
    let mut random = Random(0xda3e_39cb_94b9_5bdb);
    let places = |op: Op| (0..op.row().nin).map(move |place| Second::Op(op, place));
    let seconds: Vec<Second> = Op::all().filter(|op| op.row().nin <= 2).flat_map(places).collect();
    for dtype in [DType::F32, DType::F64] {
        let inputs = [0, 1, 2].map(|_| block(dtype, &mut random));
        let (b, c) = (equal(dtype, 3, &inputs[1]), equal(dtype, 5, &inputs[2]));
        for begin in First::ALL {
            let between = of_first(begin, dtype, &inputs[0], &b);
            for &second in &seconds {
                let Some(_) = pair_with_scalar(begin, second, dtype, SimdLevel::Portable) else { continue };
                let (output, want) = of_second(second, dtype, &between, &c);
                for level in levels() {
                    let f = pair_with_scalar(begin, second, dtype, level).unwrap();
                    let what = || format!("{begin:?} {second:?} {dtype} {level:?}");
                    check_with_scalar(f, (dtype, output), [&inputs[0], &b, &c], &want, &what);
                }
            }
        }
    }
}

#[test]
fn sines_and_cosines_together_have_the_bits_of_each_alone() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for dtype in [DType::F32, DType::F64] {
        let angles = block(dtype, &mut random);
        let want = [Op::Sin, Op::Cos].map(|op| {
            let mut out = Block([0; BYTES]);
            run(
                lane(op, dtype, SimdLevel::Portable).unwrap(),
                ELEMENTS,
                &mut out,
                [&angles, &angles, &angles],
            );
            canonical(dtype, ELEMENTS, &out)
        });
        for level in levels() {
            let twins = sin_cos(dtype, level).unwrap();
            for n in lengths() {
                // Apart, then the sines over the angles, then the cosines.
                for over in [None, Some(0), Some(1)] {
                    let mut out = [Block([0xa5; BYTES]), Block([0xa5; BYTES])];
                    if let Some(k) = over {
                        out[k] = (*angles).clone();
                    }
                    let dst = out.each_mut().map(|block| block.0.as_mut_ptr());
                    let src = over.map_or(angles.0.as_ptr(), |k| dst[k].cast_const());
                    // SAFETY: blocks hold `n` elements; a destination is the source or apart from it.
                    unsafe { twins(n, dst, src) };
                    for (k, want) in want.iter().enumerate() {
                        assert_eq!(
                            canonical(dtype, n, &out[k]),
                            want[..n],
                            "{dtype} {level:?} n={n} {over:?}"
                        );
                        let rest = &out[k].0[n * dtype.size()..];
                        assert!(over == Some(k) || rest.iter().all(|b| *b == 0xa5), "wrote on");
                    }
                }
            }
        }
    }
}

/// The first function of a pair, op by op.
fn of_first(first: First, dtype: DType, a: &Block, b: &Block) -> Block {
    let of = |op, x: &Block, y: &Block| {
        let mut out = Block([0; BYTES]);
        run(lane(op, dtype, SimdLevel::Portable).unwrap(), ELEMENTS, &mut out, [x, y, y]);
        out
    };
    match first {
        First::Sum => of(Op::Add, a, b),
        First::Difference => of(Op::Subtract, a, b),
        First::Product => of(Op::Multiply, a, b),
        First::Square => of(Op::Multiply, a, a),
        First::SquareSum => of(Op::Add, &of(Op::Multiply, a, a), &of(Op::Multiply, b, b)),
    }
}

/// The result of a pair's second function, and its dtype.
fn of_second(second: Second, dtype: DType, between: &Block, c: &Block) -> (DType, Vec<u64>) {
    let mut out = Block([0; BYTES]);
    let mut of = |op, x: &Block, y: &Block| {
        run(lane(op, dtype, SimdLevel::Portable).unwrap(), ELEMENTS, &mut out, [x, y, y]);
        (op.output(dtype), canonical(op.output(dtype), ELEMENTS, &out))
    };
    match second {
        Second::Op(op, 0) => of(op, between, c),
        Second::Op(op, _) => of(op, c, between),
        Second::AddSquare => of(Op::Add, between, &of_first(First::Square, dtype, c, c)),
    }
}
