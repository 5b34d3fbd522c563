//! The CUDA device's texts against the lanes: every op in every dtype, and every conversion, compiled for this machine
//! by g++ and run over special values and a stream of bits. Both devices compute the same operations in the same
//! order, so results must have the same bits; the exceptions are named below.

mod stream;

use std::ffi::{CString, c_void};
use std::path::Path;
use std::process::Command;

use cuprum_core::SimdLevel;
use cuprum_core::ops::Namespace;
use cuprum_core::{DType, Op};
use cuprum_cuda::ops::{FragmentSet, expression, fragments, memory_type, type_name};
use cuprum_lanes::{cast, lane};
use half::{bf16, f16};
use stream::Stream;

/// Elements of each run.
const POINTS: usize = 20_000;
/// Compilers that run at a time at most: each takes some hundred megabytes.
const MAX_COMPILERS: usize = 8;

impl Stream {
    /// A number of the sort at which some function is delicate.
    fn real(&mut self) -> f64 {
        let sign = if self.bits() & 1 == 0 { 1.0 } else { -1.0 };
        match self.bits() % 8 {
            0 => self.uniform(-1.0, 1.0),
            1 => self.uniform(-4.0, 4.0),
            2 => self.uniform(-100.0, 100.0),
            3 => self.uniform(-1000.0, 1000.0).round(),
            4 => sign * self.uniform(-140.0, 127.0).exp2(),
            5 => sign * (1.0 + self.uniform(-30.0, -2.0).exp2()),
            6 => (self.uniform(-2e4, 2e4).round() * std::f64::consts::FRAC_PI_2) as f32 as f64,
            _ => sign * self.uniform(-20.0, 12.0).exp2(),
        }
    }
}

/// Numbers at the edges of formats and functions.
const EDGES: &[f64] = &[
    0.0,
    1.0,
    0.5,
    1.5,
    2.0,
    2.5,
    3.0,
    7.0,
    0.1,
    100.0,
    1e-5,
    65504.0,
    65520.0,
    2147483647.0,
    2147483648.0,
    4294967296.0,
    9223372036854775808.0,
    18446744073709551616.0,
    1e10,
    1e19,
    1e30,
    1.1754943508222875e-38,
    1e-45,
    6e-8,
    3.4028234663852886e38,
    1.7976931348623157e308,
    2.2250738585072014e-308,
    5e-324,
    1e160,
    1e-160,
    710.0,
    88.8,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    f64::INFINITY,
    f64::NAN,
];

/// The bytes of one part of a number, rounded to `dtype` where it is a float.
fn encode(x: f64, dtype: DType) -> u64 {
    match dtype {
        DType::F16 => f16::from_f64(x).to_bits() as u64,
        DType::BF16 => bf16::from_f64(x).to_bits() as u64,
        DType::F32 => (x as f32).to_bits() as u64,
        DType::F64 => x.to_bits(),
        _ => x as i64 as u64,
    }
}

/// The value of one part of an element.
fn decode(bits: u64, dtype: DType) -> f64 {
    match dtype {
        DType::F16 => f16::from_bits(bits as u16).to_f64(),
        DType::BF16 => bf16::from_bits(bits as u16).to_f64(),
        DType::F32 => f32::from_bits(bits as u32) as f64,
        DType::F64 => f64::from_bits(bits),
        _ => bits as f64,
    }
}

/// The special values of a real dtype, as bits.
fn specials(dtype: DType) -> Vec<u64> {
    match dtype {
        // Every byte but zero is true.
        DType::Bool => vec![0, 1, 2, 20, 128, 255],
        _ if dtype.is_float() => EDGES.iter().flat_map(|&x| [encode(x, dtype), encode(-x, dtype)]).collect(),
        _ => {
            let top = 1u64 << (8 * dtype.size() - 1);
            let small = (0..9).flat_map(|i: u64| [i, i.wrapping_neg()]);
            let edges = [top, top - 1, top + 1, top >> 1, 63, 64, 65, 255, 32767, 65535, 1_000_003];
            small.chain(edges).collect()
        }
    }
}

/// One part of a random element of a real dtype.
fn random(stream: &mut Stream, dtype: DType) -> u64 {
    match dtype {
        DType::Bool => stream.bits() & stream.bits() & 0xff,
        _ if dtype.is_float() => match stream.bits() % 4 {
            0 => stream.bits(),
            _ => encode(stream.real(), dtype),
        },
        _ => match stream.bits() % 3 {
            0 => stream.bits(),
            1 => stream.bits() % 100,
            _ => (stream.bits() % 100).wrapping_neg(),
        },
    }
}

/// A block of elements, aligned for every dtype.
struct Block {
    words: Vec<u128>,
    dtype: DType,
}

impl Block {
    fn zeros(dtype: DType, n: usize) -> Block {
        Block { words: vec![0; (n * dtype.size()).div_ceil(16)], dtype }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: any 128-bit word is 16 bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), 16 * self.words.len()) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: any 128-bit word is 16 bytes, and any bytes are words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), 16 * self.words.len()) }
    }

    /// The bits of part `i`, of which complex elements have two.
    fn part(&self, i: usize) -> u64 {
        let size = self.dtype.real().size();
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.bytes()[i * size..(i + 1) * size]);
        u64::from_le_bytes(word)
    }

    fn set_part(&mut self, i: usize, bits: u64) {
        let size = self.dtype.real().size();
        self.bytes_mut()[i * size..(i + 1) * size].copy_from_slice(&bits.to_le_bytes()[..size]);
    }

    fn shown(&self, i: usize) -> String {
        let show = |bits: u64| match self.dtype.real() {
            real if real.is_float() => format!("{:e} ({bits:#x})", decode(bits, real)),
            real => format!("{} ({bits:#x})", decode(bits, real)),
        };
        match self.dtype.is_complex() {
            true => format!("{} + i {}", show(self.part(2 * i)), show(self.part(2 * i + 1))),
            false => show(self.part(i)),
        }
    }
}

/// Arguments of one position: the combinations of special values first, then random ones.
fn arguments(dtype: DType, position: usize, of: usize, stream: &mut Stream) -> Block {
    let mut block = Block::zeros(dtype, POINTS);
    let real = dtype.real();
    let special = specials(real);
    let parts = if dtype.is_complex() { 2 } else { 1 };
    // Every position and part runs through the special values at a pace of its own.
    let combined = special.len().pow((of * parts) as u32).min(POINTS * 2 / 3);
    for i in 0..POINTS {
        for part in 0..parts {
            let pace = special.len().pow((position * parts + part) as u32);
            let bits = if i < combined { special[i / pace % special.len()] } else { random(stream, real) };
            block.set_part(i * parts + part, bits);
        }
    }
    block
}

/// The library that g++ made.
struct Texts(*mut c_void);

impl Texts {
    /// Compiles `source` to a library and loads it; `None` where there is no g++.
    fn compile(source: &str, name: &str) -> Option<Texts> {
        if Command::new("g++").arg("--version").output().is_err() {
            eprintln!("skipped: g++ is not installed");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (text, library) = (folder.join(format!("{name}.cpp")), folder.join(format!("{name}.so")));
        std::fs::write(&text, source).expect("the source is written");
        let made = Command::new("g++")
            .args([
                "-std=c++17",
                "-O1",
                "-ffp-contract=off",
                "-Wall",
                "-Wno-unknown-pragmas",
                "-Werror",
                "-fPIC",
                "-shared",
            ])
            .arg("-o")
            .args([&library, &text])
            .output()
            .expect("g++ starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let path = CString::new(library.to_str().expect("a path in UTF-8")).expect("no zero in a path");
        // SAFETY: the library has no constructors.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!handle.is_null(), "the library loads");
        Some(Texts(handle))
    }

    /// Runs a function of the library over whole blocks.
    fn run(&self, name: &str, arguments: &[Block], result: &mut Block, points: usize) {
        let symbol = CString::new(name).expect("no zero in a name");
        // SAFETY: the handle is open.
        let address = unsafe { libc::dlsym(self.0, symbol.as_ptr()) };
        assert!(!address.is_null(), "{name} is in the library");
        // SAFETY: every function of the library has this signature.
        let function: extern "C" fn(u64, *const *const c_void, *mut c_void) =
            unsafe { std::mem::transmute(address) };
        let pointers: Vec<*const c_void> = arguments.iter().map(|b| b.words.as_ptr().cast()).collect();
        function(points as u64, pointers.as_ptr(), result.words.as_mut_ptr().cast());
    }
}

/// A loop over elements, which are read as kernels read them and have the names `a0`, `a1` ...
fn function(name: &str, inputs: &[DType], output: DType, body: &str) -> String {
    let arguments: String = inputs
        .iter()
        .enumerate()
        .map(|(i, &d)| {
            format!("const {} a{i} = ((const {}*)p[{i}])[i]; (void)a{i}; ", type_name(d), memory_type(d))
        })
        .collect();
    format!(
        "extern \"C\" void {name}(u64 n, const void* const* p, void* out) {{ {0}* y = ({0}*)out; \
         for (u64 i = 0; i < n; ++i) {{ {arguments}y[i] = {body}; }} }}\n",
        type_name(output)
    )
}

/// Where the lanes leave an argument to the standard library, and the text does not.
fn is_rare(op: Op, dtype: DType, x: f64, y: f64) -> bool {
    let ratio = if dtype.real() == DType::F64 { 1e270 } else { 1e30 };
    match op {
        Op::Arctan2 | Op::Angle => {
            let (longer, shorter) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
            longer > ratio || longer < 1.0 / ratio || shorter < longer / ratio
        }
        _ => false,
    }
}

/// The functions whose complex lanes stand on the standard library's real functions.
fn is_analytic(op: Op) -> bool {
    !op.row().loops.starts_with(['?', 'b']) && !matches!(op, Op::Divide | Op::Angle | Op::Rint)
}

/// The last place of a number of this dtype.
fn last_place(x: f64, dtype: DType) -> f64 {
    let (digits, least) = match dtype {
        DType::F16 => (10, -14),
        DType::BF16 => (7, -126),
        DType::F32 => (23, -126),
        _ => (52, -1022),
    };
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).clamp(least, 1023);
    2f64.powi(exponent) * 2f64.powi(-digits)
}

fn agree(got: u64, want: u64, dtype: DType, scale: f64, ulps: f64) -> bool {
    // Lanes that move bools leave their bytes as they are.
    if got == want || (dtype == DType::Bool && got != 0 && want != 0) {
        return true;
    }
    if !dtype.is_float() {
        return false;
    }
    let (got, want) = (decode(got, dtype), decode(want, dtype));
    let near = |a: f64, b: f64| (a - b).abs() <= ulps * last_place(scale, dtype);
    (got.is_nan() && want.is_nan()) || (ulps > 0.0 && got.is_finite() && want.is_finite() && near(got, want))
}

/// Compares one element; `ulps` are allowed where they count in the last place of the modulus.
fn same_element(got: &Block, want: &Block, i: usize, ulps: f64) -> bool {
    let real = want.dtype.real();
    if !want.dtype.is_complex() {
        return agree(got.part(i), want.part(i), real, decode(want.part(i), real), ulps);
    }
    let modulus = decode(want.part(2 * i), real).hypot(decode(want.part(2 * i + 1), real));
    (2 * i..2 * i + 2).all(|p| agree(got.part(p), want.part(p), real, modulus, ulps))
}

#[test]
fn ops_give_the_results_of_the_lanes() {
    let has_loop = |(op, d): &(Op, DType)| op.has_loop(*d);
    let loops: Vec<_> = Op::all().flat_map(|op| DType::ALL.map(|d| (op, d))).filter(has_loop).collect();
    // The compiler takes most of the time, and one core.
    let parts = std::thread::available_parallelism().map_or(1, |n| n.get()).min(MAX_COMPILERS);
    let failures: String = std::thread::scope(|scope| {
        let part = |nth: usize| loops.iter().copied().skip(nth).step_by(parts).collect::<Vec<_>>();
        let begin = |nth: usize| scope.spawn(move || differences(&part(nth), &format!("cuda_ops_{nth}")));
        let begun: Vec<_> = (0..parts).map(begin).collect();
        begun.into_iter().map(|thread| thread.join().expect("a part ends")).collect()
    });
    assert!(failures.is_empty(), "the text's result for the lane's:\n{failures}");
}

/// Where the texts of these loops, compiled as a library of that name, differ from the lanes.
fn differences(loops: &[(Op, DType)], library: &str) -> String {
    let loops = || loops.iter().copied();
    let set = loops().fold(FragmentSet::NONE, |set, (op, d)| set.union(fragments(op, d)));
    let mut source = format!("#include <cmath>\n{}", set.text());
    let inputs = |op: Op, d: DType| (0..op.row().nin).map(move |i| op.input(i, d)).collect::<Vec<_>>();
    for (op, d) in loops() {
        let body = expression(op, &["a0", "a1", "a2"][..op.row().nin]);
        source +=
            &function(&format!("{}_{}", op.name(), d.code() as u32), &inputs(op, d), op.output(d), &body);
    }
    let Some(texts) = Texts::compile(&source, library) else { return String::new() };

    let mut failures = String::new();
    for (op, d) in loops() {
        let mut stream = Stream(op as u64 * 64 + d as u64);
        let types = inputs(op, d);
        let args: Vec<Block> =
            types.iter().enumerate().map(|(i, &t)| arguments(t, i, types.len(), &mut stream)).collect();
        let (mut got, mut want) = (Block::zeros(op.output(d), POINTS), Block::zeros(op.output(d), POINTS));
        // Series and recurrences of special functions take their time.
        let points = if op.row().namespace == Namespace::Special { POINTS / 40 } else { POINTS };
        texts.run(&format!("{}_{}", op.name(), d.code() as u32), &args, &mut got, points);
        let pointer = |i: usize| args.get(i).map_or(std::ptr::null(), |b| b.words.as_ptr().cast());
        let run = lane(op, d, SimdLevel::detect()).expect("a lane for every loop");
        // SAFETY: blocks of the lane's dtypes, all of `POINTS` elements, which are no fewer.
        unsafe { run(points, want.words.as_mut_ptr().cast(), [pointer(0), pointer(1), pointer(2)]) };
        let mut wrong = 0;
        for i in 0..points {
            let value = |block: &Block, part: usize| decode(block.part(part), block.dtype.real());
            let (x, y) = match args[0].dtype.is_complex() {
                true => (value(&args[0], 2 * i), value(&args[0], 2 * i + 1)),
                false => (value(&args[0], i), args.get(1).map_or(1.0, |b| value(b, i))),
            };
            let ulps = match d.is_complex() {
                true if matches!(op, Op::Power | Op::FloatPower) => {
                    // The error of the logarithm counts as often as the exponent has it.
                    let (re, im) = (value(&args[1], 2 * i), value(&args[1], 2 * i + 1));
                    let turn = re.hypot(im) * (x.hypot(y).ln().abs() + 4.0);
                    if turn >= 1e6 && [x, y, re, im].iter().all(|part| part.is_finite()) {
                        continue;
                    }
                    200.0 + 8.0 * turn
                }
                true if is_analytic(op) => 8.0,
                false if is_rare(op, d, x, y) => 2.0,
                _ => 0.0,
            };
            if !same_element(&got, &want, i, ulps) {
                wrong += 1;
                if wrong <= 3 {
                    let shown: Vec<String> = args.iter().map(|a| a.shown(i)).collect();
                    let line = format!(
                        "{} {d} of {}: {} for {}\n",
                        op.name(),
                        shown.join(", "),
                        got.shown(i),
                        want.shown(i)
                    );
                    failures += &line;
                }
            }
        }
        if wrong > 3 {
            failures += &format!("{} {d}: {wrong} of {points} differ\n", op.name());
        }
    }
    failures
}

#[test]
fn conversions_give_the_results_of_the_lanes() {
    let pairs = || DType::ALL.into_iter().flat_map(|from| DType::ALL.map(|to| (from, to)));
    let set = DType::ALL.into_iter().fold(FragmentSet::NONE, |set, d| set.union(FragmentSet::of_dtype(d)));
    let mut source = format!("#include <cmath>\n{}", set.text());
    for (from, to) in pairs() {
        let body = format!("cast<{}>(a0)", type_name(to));
        source += &function(&format!("cast_{from}_{to}"), &[from], to, &body);
    }
    let Some(texts) = Texts::compile(&source, "cuda_casts") else { return };
    for (from, to) in pairs() {
        let mut stream = Stream(from as u64 * 64 + to as u64);
        let argument = arguments(from, 0, 1, &mut stream);
        let (mut got, mut want) = (Block::zeros(to, POINTS), Block::zeros(to, POINTS));
        let run = cast(from, to, SimdLevel::detect());
        // SAFETY: blocks of these dtypes, both of `POINTS` elements.
        unsafe { run(POINTS, want.words.as_mut_ptr().cast(), [argument.words.as_ptr().cast(); 3]) };
        texts.run(&format!("cast_{from}_{to}"), std::slice::from_ref(&argument), &mut got, POINTS);
        for i in 0..POINTS {
            let same = same_element(&got, &want, i, 0.0);
            assert!(same, "{from} to {to} of {}: {} for {}", argument.shown(i), got.shown(i), want.shown(i));
        }
    }
}

/// Angles with their sine, cosine and tangent, among them those of each type that come nearest to a multiple of pi/2, of
/// which the standard library makes a dozen ulps.
const FAR_ANGLES: [(DType, [f64; 4]); 8] = [
    (DType::F64, [5.319372648326541e255, 1.0, -4.687165924254628e-19, -2.133485385753704e18]),
    (DType::F64, [1e22, -0.8522008497671888, 0.523214785395139, -1.6287782256068988]),
    (DType::F64, [f64::MAX, 0.004961954789184062, -0.9999876894265599, -0.004962015874444895]),
    (DType::F64, [123456789.125, 0.9998763854272629, 0.01572303612257408, 63.59308581576732]),
    (DType::F32, [7.729178919452902e28, 1.0, -1.6147697982476211e-9, -619283318.9506139]),
    (DType::F32, [f32::MAX as f64, -0.5218765233336585, 0.8530210398303042, -0.6117979498342481]),
    (DType::F32, [33333.3359375, 0.8613305826874941, 0.5080449068017728, 1.6953827725775528]),
    (DType::F32, [1e10, -0.4875060250875107, 0.873119622676856, -0.5583496378112418]),
];

#[test]
fn far_angles_are_reduced_exactly() {
    let functions = [Op::Sin, Op::Cos, Op::Tan];
    let mut source = format!("#include <cmath>\n{}", fragments(Op::Sin, DType::F64).text());
    for (op, d) in functions.into_iter().flat_map(|op| [(op, DType::F32), (op, DType::F64)]) {
        source += &function(&format!("{}_{d}", op.name()), &[d], d, &expression(op, &["a0"]));
    }
    let Some(texts) = Texts::compile(&source, "cuda_angles") else { return };
    for (d, [x, exact @ ..]) in FAR_ANGLES {
        for (op, exact) in functions.into_iter().zip(exact) {
            let (mut argument, mut got) = (Block::zeros(d, POINTS), Block::zeros(d, POINTS));
            argument.set_part(0, encode(x, d));
            texts.run(&format!("{}_{d}", op.name()), std::slice::from_ref(&argument), &mut got, POINTS);
            let ulps = (decode(got.part(0), d) - exact).abs() / last_place(exact, d);
            assert!(
                ulps < 1.3,
                "{} of {x:e} in {d}: {} is {ulps} ulps from {exact:e}",
                op.name(),
                got.shown(0)
            );
        }
    }
}

#[test]
fn the_tangent_of_f32_is_within_its_row() {
    let inputs = [DType::F32];
    let set = fragments(Op::Tanh, DType::F32);
    let body = expression(Op::Tanh, &["a0"]);
    let source =
        format!("#include <cmath>\n{}{}", set.text(), function("tanh_single", &inputs, DType::F32, &body));
    let Some(texts) = Texts::compile(&source, "cuda_tanh") else { return };
    let mut stream = Stream(1);
    let mut worst: f64 = 0.0;
    for round in 0..40 {
        let mut argument = Block::zeros(DType::F32, POINTS);
        for i in 0..POINTS {
            // Around 0.8 one formula takes over from the other.
            let x = if round % 4 == 0 { stream.uniform(0.5, 1.2) } else { stream.uniform(-14.0, 3.5).exp2() };
            argument.set_part(i, encode(x, DType::F32));
        }
        let mut got = Block::zeros(DType::F32, POINTS);
        texts.run("tanh_single", std::slice::from_ref(&argument), &mut got, POINTS);
        for i in 0..POINTS {
            let exact = decode(argument.part(i), DType::F32).tanh();
            let error = (decode(got.part(i), DType::F32) - exact).abs() / last_place(exact, DType::F32);
            worst = worst.max(error);
        }
    }
    assert!(worst <= Op::Tanh.row().ulps.single, "{worst} ulps");
}
