//! Every call gives the bits of `cuprum-random`, wherever the stream stands.

use cuprum_core::{Bound, Cipher, DISTRIBUTIONS, DType, Distribution, Layout, Stream, Words};
use cuprum_graph::{Call, RandomCall, RandomParameter, Slot};
use cuprum_random as random;

use super::super::testing::{Numbers, call, compiles, download, empty, gpu, upload};
use super::draws::{self, FillVariant, Maker};
use super::integers::{self, Widths};
use super::words::CipherKind;
use crate::device::Cuda;

const LEVEL: cuprum_core::SimdLevel = cuprum_core::SimdLevel::Portable;

/// Streams at every place of a block, with and without half a word that waits, and before the counter carries over.
fn streams() -> Vec<Stream> {
    let fresh = Stream::new([0x0123_4567_89ab_cdef, 42], [7, 0, 3, 1]);
    let mut all = vec![fresh];
    for words in 1..=4 {
        let mut stream = fresh;
        random::skip_words(&mut stream, words);
        all.push(stream);
        random::skip_halves(&mut stream, 1);
        all.push(stream);
    }
    // Nothing of this block is drawn yet, and the half that waits belongs to no word of it.
    all.push(Stream { lead: [1, 2, 3, 4], taken: 0, has_half: true, half: 0xdead_beef, ..fresh });
    // A half that is not its word's: states may be set by hand.
    all.push(Stream { lead: [5, 6, 7, 8], taken: 2, has_half: true, half: 0x0bad_cafe, ..fresh });
    all.push(Stream::new([1, 2], [u64::MAX - 2, u64::MAX, u64::MAX, 9]));
    let mut late = Stream::new([3, 4], [u64::MAX - 20, 0, 0, 0]);
    random::skip_halves(&mut late, 3);
    all.push(late);
    all
}

const SIZES: [usize; 7] = [1, 7, 8, 31, 250, 1025, 8195];

fn draw(gpu: &Cuda, random: RandomCall<'_>) {
    call(gpu, &Call::Random(random)).unwrap();
}

fn same_bits<T: Copy + PartialEq + std::fmt::Debug>(made: &[T], expected: &[T], what: &str) {
    let first = made.iter().zip(expected).position(|(a, b)| a != b);
    if let Some(i) = first {
        panic!("{what}: element {i} is {:?}, not {:?}", made[i], expected[i]);
    }
    assert_eq!(made.len(), expected.len(), "{what}");
}

fn bits64(numbers: &[f64]) -> Vec<u64> {
    // NaN is NaN: which one an operation makes differs between processors.
    numbers.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

fn bits32(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() }).collect()
}

#[test]
fn words_and_uniform_numbers() {
    let Some(gpu) = gpu() else { return };
    for (place, stream) in streams().iter().enumerate() {
        for n in SIZES {
            let what = format!("stream {place}, {n} elements");
            let (mut words, out) = (vec![0; n], empty(gpu, &[n], DType::U64));
            random::fill_raw(stream, &mut words, LEVEL).unwrap();
            draw(gpu, RandomCall::Raw { stream, out: &out });
            same_bits(&download::<u64>(gpu, &out), &words, &what);

            for cipher in [Cipher::Wide, Cipher::Light] {
                let what = format!("{cipher:?} {what}");
                let (mut numbers, out) = (vec![0.0; n], empty(gpu, &[n], DType::F64));
                random::fill_uniform(stream, cipher, &mut numbers, LEVEL).unwrap();
                draw(gpu, RandomCall::Uniform { stream, cipher, out: &out });
                same_bits(&bits64(&download(gpu, &out)), &bits64(&numbers), &what);

                let (mut numbers, out) = (vec![0.0; n], empty(gpu, &[n], DType::F32));
                random::fill_uniform_single(stream, cipher, &mut numbers, LEVEL).unwrap();
                draw(gpu, RandomCall::Uniform { stream, cipher, out: &out });
                same_bits(&bits32(&download(gpu, &out)), &bits32(&numbers), &what);
            }
        }
    }
}

#[test]
fn memory_that_is_not_aligned_for_vectors() {
    let Some(gpu) = gpu() else { return };
    let stream = &streams()[2];
    for cipher in [Cipher::Wide, Cipher::Light] {
        for (dtype, n) in [(DType::F32, 1001), (DType::F64, 1001)] {
            let whole = empty(gpu, &[n + 1], dtype);
            let layout = Layout { offset: dtype.size(), ..Layout::contiguous(&[n], dtype.size()) };
            let out = Slot { layout, ..whole };
            draw(gpu, RandomCall::Uniform { stream, cipher, out: &out });
            if dtype == DType::F32 {
                let mut numbers = vec![0.0; n];
                random::fill_uniform_single(stream, cipher, &mut numbers, LEVEL).unwrap();
                same_bits(&bits32(&download(gpu, &out)), &bits32(&numbers), "singles");
            } else {
                let mut numbers = vec![0.0; n];
                random::fill_uniform(stream, cipher, &mut numbers, LEVEL).unwrap();
                same_bits(&bits64(&download(gpu, &out)), &bits64(&numbers), "doubles");
            }
        }
    }
}

#[test]
fn memory_with_strides() {
    let Some(gpu) = gpu() else { return };
    let (stream, cipher) = (&streams()[3], Cipher::Wide);
    let whole = upload(gpu, &vec![-1.0f64; 60], &[60], DType::F64);
    let layout =
        Layout { shape: [5, 4].into_iter().collect(), strides: [96, 24].into_iter().collect(), offset: 8 };
    draw(gpu, RandomCall::Uniform { stream, cipher, out: &Slot { layout, ..whole.clone() } });
    let mut numbers = vec![0.0; 20];
    random::fill_uniform(stream, cipher, &mut numbers, LEVEL).unwrap();
    let mut expected = vec![-1.0; 60];
    for (i, number) in numbers.iter().enumerate() {
        expected[1 + 3 * i] = *number;
    }
    same_bits(&bits64(&download(gpu, &whole)), &bits64(&expected), "every third");
}

/// Results so large that blocks of threads have several rows, of which the last ones are not whole; and light counters whose
/// lower half overflows among them.
#[test]
fn rows_that_go_together() {
    let Some(gpu) = gpu() else { return };
    let rows = 33 * gpu.gpu().multiprocessors as usize;
    let crossing = Stream::new([5, 6], [0xffff_ff00, 0, 0, 0]);
    for (place, stream) in [streams()[0], streams()[2], streams()[3], crossing].iter().enumerate() {
        for n in [rows * 1024, rows * 1024 + 77] {
            let what = format!("stream {place}, {n} elements");
            let cipher = Cipher::Light;
            let (mut numbers, out) = (vec![0.0; n], empty(gpu, &[n], DType::F32));
            random::fill_uniform_single(stream, cipher, &mut numbers, LEVEL).unwrap();
            draw(gpu, RandomCall::Uniform { stream, cipher, out: &out });
            same_bits(&bits32(&download(gpu, &out)), &bits32(&numbers), &what);

            let (mut numbers, out) = (vec![0.0; n], empty(gpu, &[n], DType::F64));
            random::fill_uniform(stream, cipher, &mut numbers, LEVEL).unwrap();
            draw(gpu, RandomCall::Uniform { stream, cipher, out: &out });
            same_bits(&bits64(&download(gpu, &out)), &bits64(&numbers), &what);
        }
        for (loc, scale) in [(0.0, 1.0), (-3.5, 0.25)] {
            let given = [RandomParameter::Same(loc), RandomParameter::Same(scale)];
            let expected = [random::Parameter::Same(loc), random::Parameter::Same(scale)];
            compare(gpu, stream, Distribution::Normal, DType::F32, rows * 1024 + 77, &given, &expected);
            for dtype in [DType::F32, DType::F64] {
                compare(gpu, stream, Distribution::Uniform, dtype, rows * 512 + 1, &given, &expected);
            }
        }
    }
}

/// Parameters within their bounds that reach the branches of a sampler.
fn parameters(distribution: Distribution, n: usize) -> Vec<Vec<f64>> {
    let mut numbers = Numbers(distribution as u64);
    let mut uniform = || (numbers.next() >> 11) as f64 * 2f64.powi(-53);
    let row = distribution.row();
    let mut made = vec![Vec::with_capacity(n); row.parameters.len()];
    for i in 0..n {
        match distribution {
            Distribution::Binomial => {
                made[0].push((10f64.powf(4.0 * uniform()) - 1.0).floor());
                made[1].push([0.0, 1.0, uniform(), uniform()][i % 4]);
            }
            Distribution::Hypergeometric => {
                let (good, bad) = ((uniform() * 90.0).floor(), (uniform() * 700.0).floor());
                let (good, bad) = if i % 2 == 0 { (good, bad) } else { (bad, good) };
                made[0].push(good);
                made[1].push(bad);
                made[2].push((uniform() * (good + bad)).floor());
            }
            Distribution::Triangular => {
                let left = uniform() - 0.5;
                made[0].push(left);
                made[1].push(left + uniform());
                made[2].push(left + 1.0 + uniform());
            }
            Distribution::Zipf => made[0].push(1.0 + 10f64.powf(4.0 * uniform() - 2.0)),
            _ => {
                for (values, (_, bound)) in made.iter_mut().zip(row.parameters) {
                    values.push(match bound {
                        Bound::Any => 4.0 * uniform() - 2.0,
                        Bound::Unit | Bound::UnitAboveZero => 1.0 - uniform(),
                        Bound::UnitBelowOne => uniform(),
                        Bound::NonNegative if i % 16 == 5 => 0.0,
                        Bound::Mean if i % 16 == 5 => 0.0,
                        _ => 10f64.powf(5.0 * uniform() - 2.5),
                    });
                }
            }
        }
    }
    made
}

/// Draws on both devices, the parameters given as `given` and `expected`; formulas of one word by either cipher.
fn compare(
    gpu: &Cuda,
    stream: &Stream,
    distribution: Distribution,
    dtype: DType,
    n: usize,
    given: &[RandomParameter],
    expected: &[random::Parameter<'_>],
) {
    compare_by(gpu, stream, Cipher::Wide, distribution, (dtype, n), given, expected);
    if distribution.row().words == Words::One {
        compare_by(gpu, stream, Cipher::Light, distribution, (dtype, n), given, expected);
    }
}

fn compare_by(
    gpu: &Cuda,
    stream: &Stream,
    cipher: Cipher,
    distribution: Distribution,
    (dtype, n): (DType, usize),
    given: &[RandomParameter],
    expected: &[random::Parameter<'_>],
) {
    let out = empty(gpu, &[n], dtype);
    draw(gpu, RandomCall::Draw { stream, cipher, distribution, parameters: given, out: &out });
    let what = format!("{n} of {} as {dtype}, {cipher:?}, {stream:?}", distribution.row().name);
    match dtype {
        DType::F64 => {
            let mut numbers = vec![0.0; n];
            let draws = random::Draws::Double(&mut numbers);
            random::fill_distribution(stream, cipher, distribution, expected, draws, LEVEL).unwrap();
            same_bits(&bits64(&download(gpu, &out)), &bits64(&numbers), &what);
        }
        DType::F32 => {
            let mut numbers = vec![0.0; n];
            let draws = random::Draws::Single(&mut numbers);
            random::fill_distribution(stream, cipher, distribution, expected, draws, LEVEL).unwrap();
            same_bits(&bits32(&download(gpu, &out)), &bits32(&numbers), &what);
        }
        _ => {
            let mut numbers = vec![0; n];
            let draws = random::Draws::Whole(&mut numbers);
            random::fill_distribution(stream, cipher, distribution, expected, draws, LEVEL).unwrap();
            same_bits(&download::<i64>(gpu, &out), &numbers, &what);
        }
    }
}

#[test]
fn distributions_with_parameters_for_each_element() {
    let Some(gpu) = gpu() else { return };
    let n = 2051;
    for row in DISTRIBUTIONS {
        let values = parameters(row.distribution, n);
        let given: Vec<_> =
            values.iter().map(|v| RandomParameter::Each(upload(gpu, v, &[n], DType::F64))).collect();
        let expected: Vec<_> = values.iter().map(|v| random::Parameter::Each(v)).collect();
        for place in [0, 1, 2, 11] {
            compare(gpu, &streams()[place], row.distribution, DType::F64, n, &given, &expected);
        }
    }
}

#[test]
fn distributions_with_the_same_parameters() {
    let Some(gpu) = gpu() else { return };
    for row in DISTRIBUTIONS {
        let values = parameters(row.distribution, 4);
        let dtype = if row.discrete { DType::I64 } else { DType::F32 };
        for place in (0..streams().len()).step_by(5) {
            let chosen: Vec<f64> = values.iter().map(|v| v[place % 4]).collect();
            let given: Vec<_> = chosen.iter().map(|v| RandomParameter::Same(*v)).collect();
            let expected: Vec<_> = chosen.iter().map(|v| random::Parameter::Same(*v)).collect();
            compare(gpu, &streams()[place], row.distribution, dtype, 515, &given, &expected);
        }
    }
}

#[test]
fn normal_variates_of_every_size() {
    let Some(gpu) = gpu() else { return };
    for place in 0..streams().len() {
        for n in SIZES {
            for (loc, scale) in [(0.0, 1.0), (-3.5, 0.25)] {
                let given = [RandomParameter::Same(loc), RandomParameter::Same(scale)];
                let expected = [random::Parameter::Same(loc), random::Parameter::Same(scale)];
                for dtype in [DType::F32, DType::F64] {
                    compare(gpu, &streams()[place], Distribution::Normal, dtype, n, &given, &expected);
                }
            }
        }
    }
}

#[test]
fn parameters_of_both_kinds() {
    let Some(gpu) = gpu() else { return };
    let values: Vec<f64> = (0..999).map(f64::from).collect();
    let each = upload(gpu, &values, &[999], DType::F64);
    for distribution in [Distribution::Normal, Distribution::Uniform, Distribution::Gamma] {
        for flipped in [false, true] {
            let mut given = [RandomParameter::Each(each.clone()), RandomParameter::Same(1.5)];
            let mut expected = [random::Parameter::Each(&values), random::Parameter::Same(1.5)];
            if flipped {
                given.reverse();
                expected.reverse();
            }
            compare(gpu, &streams()[4], distribution, DType::F64, 999, &given, &expected);
        }
    }
}

/// What `moved` should hold.
fn movement(from: &Stream, to: &Stream) -> [u64; 3] {
    let blocks = to.counter[0].wrapping_sub(from.counter[0]);
    let words = blocks.wrapping_mul(4).wrapping_add(to.taken as u64).wrapping_sub(from.taken as u64);
    [words, u64::from(to.has_half), u64::from(to.half)]
}

fn host(bytes: &mut Vec<u8>, dtype: DType, n: usize, fill: impl FnOnce(random::Integers<'_>)) {
    fn parts<T: Copy + Default>(n: usize, bytes: &mut Vec<u8>, fill: impl FnOnce(&mut [T])) {
        let mut values = vec![T::default(); n];
        fill(&mut values);
        // SAFETY: plain numbers, seen as their bytes.
        let seen =
            unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(&values[..])) };
        bytes.extend_from_slice(seen);
    }
    match dtype.size() {
        1 if dtype == DType::Bool => parts(n, bytes, |v| fill(random::Integers::Bool(v))),
        1 => parts(n, bytes, |v| fill(random::Integers::Bits8(v))),
        2 => parts(n, bytes, |v| fill(random::Integers::Bits16(v))),
        4 => parts(n, bytes, |v| fill(random::Integers::Bits32(v))),
        _ => parts(n, bytes, |v| fill(random::Integers::Bits64(v))),
    }
}

#[test]
fn integers_of_one_range() {
    let Some(gpu) = gpu() else { return };
    let ranges: [(DType, &[u64]); 9] = [
        (DType::Bool, &[0, 1]),
        (DType::I8, &[0, 1, 99, 127, 128, 255]),
        (DType::U8, &[9, 255]),
        (DType::I16, &[200, 40_000, 65_535]),
        (DType::U16, &[33_000]),
        (DType::I32, &[5, 0x8000_0000, 0xffff_ffff]),
        (DType::U32, &[3_000_000_000]),
        (DType::I64, &[0, 5, 0x8000_0001, 0xffff_ffff, 0x1_0000_0000, 1 << 63, u64::MAX]),
        (DType::U64, &[0xa000_0000_0000_0000]),
    ];
    for (place, stream) in streams().iter().enumerate() {
        for (dtype, spans) in ranges {
            for &span in spans {
                for n in [1, 33, 5000, 20_011] {
                    let (mut end, mut expected) = (*stream, Vec::new());
                    let offset = if dtype == DType::Bool { 0 } else { 0u64.wrapping_sub(3) };
                    host(&mut expected, dtype, n, |out| {
                        random::fill_integers(&mut end, offset, span, out, LEVEL).unwrap();
                    });
                    let (out, moved) = (empty(gpu, &[n], dtype), empty(gpu, &[3], DType::U64));
                    draw(gpu, RandomCall::Integers { stream, offset, span, out: &out, moved: &moved });
                    let what = format!("{n} of {dtype} up to {span}, stream {place}");
                    same_bits(&download::<u8>(gpu, &out), &expected, &what);
                    assert_eq!(download::<u64>(gpu, &moved), movement(stream, &end), "{what}");
                }
            }
        }
    }
}

/// Integers between bounds of their own are the host's, and the stream is moved as far as the host's.
fn integers_between_agree(
    gpu: &Cuda,
    stream: &Stream,
    dtype: DType,
    offsets: &[u64],
    spans: &[u64],
    what: &str,
) {
    let n = spans.len();
    let (mut end, mut expected) = (*stream, Vec::new());
    host(&mut expected, dtype, n, |out| {
        random::fill_integers_between(&mut end, offsets, spans, out).unwrap();
    });
    let [low, wide] = [offsets, spans].map(|v| upload(gpu, v, &[n], DType::U64));
    let (out, moved) = (empty(gpu, &[n], dtype), empty(gpu, &[3], DType::U64));
    draw(gpu, RandomCall::IntegersBetween { stream, offsets: &low, spans: &wide, out: &out, moved: &moved });
    same_bits(&download::<u8>(gpu, &out), &expected, what);
    assert_eq!(download::<u64>(gpu, &moved), movement(stream, &end), "{what}");
}

#[test]
fn integers_with_bounds_for_each_element() {
    let Some(gpu) = gpu() else { return };
    let mut numbers = Numbers(5);
    for dtype in [DType::Bool, DType::I8, DType::U16, DType::I32, DType::U64] {
        for (place, stream) in streams().iter().enumerate() {
            for n in [1, 32, 33, 2000] {
                let most = u64::MAX >> (64 - 8 * dtype.size());
                let spans: Vec<u64> = (0..n)
                    .map(|i| match numbers.next() % 5 {
                        0 => 0,
                        1 => most,
                        2 => most / 2 + 1,
                        3 => numbers.next() % 100,
                        _ => numbers.next() >> (i % 64) & most,
                    })
                    .map(|span| if dtype == DType::Bool { span % 2 } else { span })
                    .collect();
                let offsets: Vec<u64> = (0..n)
                    .map(|_| numbers.next())
                    .map(|o| if dtype == DType::Bool { o % 2 } else { o })
                    .collect();
                let what = format!("{n} of {dtype}, stream {place}");
                integers_between_agree(gpu, stream, dtype, &offsets, &spans, &what);
            }
        }
    }
}

#[test]
fn many_integers_with_bounds_for_each_element() {
    let Some(gpu) = gpu() else { return };
    let n = 30_011;
    // Nothing is ever passed over; now and then an element draws nothing, a word, or is passed over half of the time.
    let rare: [fn(usize) -> u64; 4] = [
        |_| 0,
        |i| if i % 9000 == 8999 { u64::MAX } else { 0 },
        |i| if i % 7000 == 3500 { 0x8000_0000 } else { 0 },
        |i| if i > 20_000 { (i as u64) << 20 } else { 0 },
    ];
    for dtype in [DType::Bool, DType::U8, DType::I16, DType::U32, DType::I64] {
        for (kind, rare) in rare.iter().enumerate() {
            for place in [0, 1, 6, 9, 12] {
                let stream = &streams()[place];
                let most = if dtype == DType::Bool { 1 } else { u64::MAX >> (64 - 8 * dtype.size()) };
                let spans: Vec<u64> =
                    (0..n).map(|i| rare(i).max((kind != 1 || i % 11_000 > 0) as u64) & most).collect();
                let offsets: Vec<u64> =
                    (0..n as u64).map(|i| if dtype == DType::Bool { i % 2 } else { i }).collect();
                let what = format!("{dtype} of kind {kind}, stream {place}");
                integers_between_agree(gpu, stream, dtype, &offsets, &spans, &what);
            }
        }
    }
}

#[test]
fn orders_and_choices() {
    let Some(gpu) = gpu() else { return };
    for (place, stream) in streams().iter().enumerate().step_by(3) {
        for (rows, n) in [(1, 1), (1, 3000), (5, 60), (3, 700)] {
            let what = format!("{rows} rows of {n}, stream {place}");
            let weights: Vec<f64> = (0..n).map(|i| (i % 7) as f64 * 0.25).collect();
            let table = upload(gpu, &weights, &[n], DType::F64);
            for weighted in [false, true] {
                let mut expected = vec![0; rows * n];
                let host = weighted.then_some(&weights[..]);
                random::fill_orders(stream, n, host, &mut expected, LEVEL).unwrap();
                let out = empty(gpu, &[rows, n], DType::I64);
                draw(gpu, RandomCall::Orders { stream, weights: weighted.then_some(&table), out: &out });
                same_bits(&download::<i64>(gpu, &out), &expected, &what);
            }
        }
        let cumulative: Vec<f64> = (1..=13).map(|i| (f64::from(i) / 13.0).powi(2)).collect();
        let table = upload(gpu, &cumulative, &[13], DType::F64);
        let (mut expected, out) = (vec![0; 1234], empty(gpu, &[1234], DType::I64));
        random::fill_choices(stream, &cumulative, &mut expected, LEVEL).unwrap();
        draw(gpu, RandomCall::Choices { stream, cumulative: &table, out: &out });
        same_bits(&download::<i64>(gpu, &out), &expected, "choices");
    }
}

#[test]
fn multinomial_rows() {
    let Some(gpu) = gpu() else { return };
    for stream in &streams() {
        let chances = [0.1, 0.0, 0.35, 0.25, 0.3];
        let table = upload(gpu, &chances, &[5], DType::F64);
        let each: Vec<i64> = (0..77).map(|i| i * i).collect();
        for trials in [&each[..], &[1000], &[0]] {
            let given = upload(gpu, trials, &[trials.len()], DType::I64);
            let (mut expected, out) = (vec![-1; 77 * 5], empty(gpu, &[77, 5], DType::I64));
            random::fill_multinomial(stream, trials, &chances, &mut expected).unwrap();
            draw(gpu, RandomCall::Multinomial { stream, trials: &given, chances: &table, out: &out });
            same_bits(&download::<i64>(gpu, &out), &expected, "multinomial");
        }
    }
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn every_text_compiles() {
    for (maker, dtype) in [
        (Maker::Raw, DType::U64),
        (Maker::DoubleUniforms, DType::F64),
        (Maker::SingleUniforms, DType::F32),
        (Maker::SingleRanges, DType::F32),
        (Maker::Choices, DType::I64),
        (Maker::WeightedKeys, DType::U64),
        (Maker::StandardNormals, DType::F32),
        (Maker::StandardNormals, DType::F64),
    ] {
        for kind in [CipherKind::Words, CipherKind::Light] {
            for (carry, plain) in [(true, false), (false, true)] {
                let together = plain && kind == CipherKind::Light;
                let way = FillVariant { kind, carry, plain, together };
                compiles("fill", &draws::fill_text(way, maker, dtype, false));
            }
        }
    }
    for row in DISTRIBUTIONS {
        let second = if row.discrete { DType::I64 } else { DType::F32 };
        for (dtype, each) in [(DType::F64, true), (second, false)] {
            let text = match row.words {
                Words::Block => draws::own_text(false, row.distribution, dtype, each),
                _ => {
                    let way =
                        FillVariant { kind: CipherKind::Light, carry: false, plain: true, together: true };
                    draws::fill_text(way, Maker::Draw(row.distribution), dtype, each)
                }
            };
            compiles(row.name, &text);
        }
    }
    for (element, unit) in [(8, 8), (16, 16), (32, 32), (64, 32), (64, 64)] {
        compiles("integers", &integers::integers_text(false, Widths { element, unit }));
        compiles("constant", &integers::constant_text(element));
    }
    for bits in [1, 8, 16, 32, 64] {
        compiles("between", &integers::between_text(false, bits));
    }
    compiles("booleans", &integers::booleans_text(false));
    compiles("moved", &integers::moved_text(false));
    compiles("multinomial", &draws::multinomial_text(false));
}
