//! Bounded integers. Where draws may be rejected, the accepted ones are brought together in order: a first kernel writes
//! all draws and counts the accepted ones of each tile, a second one rewrites what follows the first rejection.

use cuprum_core::{DType, Error, Result, Stream};
use cuprum_graph::Slot;

use super::words::{Philox, text};
use crate::launch::LaunchArgs;
use crate::session::Session;

/// Threads of a block; `TILE_THREADS` in the text.
const THREADS: u32 = 256;
/// Up to this many elements one block makes them all.
const ONE_BLOCK_MAX: u64 = 1 << 13;
/// Elements from which a guess of all of them is worth its launch, how often one follows another, and how many elements a
/// warp walks between them.
const GUESSED_MIN: u64 = 1 << 14;
const MAX_GUESSES: u32 = 6;
const ELEMENTS_PER_WALK: u64 = 1 << 11;
const LEMIRE: &str = include_str!("../../kernels/random_lemire.cuh");
const INTEGERS: &str = include_str!("../../kernels/random_integers.cu");

/// How integers are made of draws: the bits of an element and of a draw.
#[derive(Clone, Copy)]
pub(super) struct Widths {
    pub element: u32,
    pub unit: u32,
}

impl Widths {
    fn of(dtype: DType, span: u64) -> Result<Widths> {
        let element = match dtype {
            DType::I8 | DType::U8 => 8,
            DType::I16 | DType::U16 => 16,
            DType::I32 | DType::U32 => 32,
            DType::I64 | DType::U64 => 64,
            other => return Err(Error::NoLoop { op: "integers".into(), dtypes: vec![other] }),
        };
        let narrow = element == 64 && span <= u64::from(u32::MAX);
        Ok(Widths { element, unit: if narrow { 32 } else { element } })
    }

    /// How many draws one of 32 bits holds; 0 where a draw is a word.
    fn parts(self) -> u64 {
        u64::from(32 / self.unit)
    }
}

/// The values from `offset` to `offset + span`.
struct ValueRange {
    offset: u64,
    values: u64,
    threshold: u64,
}

impl ValueRange {
    fn new(offset: u64, span: u64, unit: u32) -> ValueRange {
        let most = u64::MAX >> (64 - unit);
        if span >= most {
            return ValueRange { offset, values: 0, threshold: 0 };
        }
        let values = span + 1;
        ValueRange { offset, values, threshold: (most - span) % values }
    }

    fn pass<'a>(&self, args: &'a mut LaunchArgs) -> &'a mut LaunchArgs {
        let mut bytes = [0; 24];
        for (place, field) in bytes.chunks_exact_mut(8).zip([self.offset, self.values, self.threshold]) {
            place.copy_from_slice(&field.to_ne_bytes());
        }
        args.bytes(&bytes)
    }
}

/// Fills `out` with integers of one range; says how far the stream moved.
pub(super) fn run(
    session: &Session,
    stream: &Stream,
    offset: u64,
    span: u64,
    out: &Slot,
    moved: &Slot,
) -> Result<()> {
    let n = out.layout.size() as u64;
    let draws = IntegerDraws { session, stream, out: session.address(out), n, moved: session.address(moved) };
    if out.dtype == DType::Bool {
        return draws.booleans(offset, span);
    }
    let widths = Widths::of(out.dtype, span)?;
    if span == 0 || n == 0 {
        draws.constant(widths.element, offset)?;
        return draws.report(&Philox::halves(stream), 0, 0);
    }
    let words = if widths.unit == 64 { Philox::words(stream) } else { Philox::halves(stream) };
    draws.bounded(&words, widths, &ValueRange::new(offset, span, widths.unit))
}

/// A call: where the elements go and what the stream is.
struct IntegerDraws<'a> {
    session: &'a Session,
    stream: &'a Stream,
    out: usize,
    n: u64,
    moved: usize,
}

impl IntegerDraws<'_> {
    /// One value everywhere.
    fn constant(&self, bits: u32, value: u64) -> Result<()> {
        let IntegerDraws { session, out, n, .. } = *self;
        let kernel = session.kernel("random_constant", &[bits], || constant_text(bits))?;
        let mut args = LaunchArgs::new();
        args.pointer(out).u64(n).u64(value);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, n.div_ceil(u64::from(THREADS)) as u32, THREADS, &args) }
    }

    /// One bit a value.
    fn booleans(&self, offset: u64, span: u64) -> Result<()> {
        let IntegerDraws { session, out, n, .. } = *self;
        let words = Philox::halves(self.stream);
        if span == 0 || n == 0 {
            self.constant(8, u64::from(offset != 0))?;
            return self.report(&words, 0, 0);
        }
        let carry = words.carry;
        let kernel = session.kernel("random_booleans", &[u32::from(carry)], || booleans_text(carry))?;
        let tile = words.chunks_of_warp() * u64::from(THREADS / 32) * 256;
        let mut args = LaunchArgs::new();
        words.pass(&mut args).pointer(out).u64(n);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, n.div_ceil(tile) as u32, THREADS, &args) }?;
        self.report(&words, n, 32)
    }

    /// Writes how far the stream moved with so many units, `parts` of them to a draw of 32 bits.
    fn report(&self, words: &Philox, drawn: u64, parts: u64) -> Result<()> {
        let carry = words.carry;
        let kernel = self.session.kernel("random_advance", &[u32::from(carry)], || moved_text(carry))?;
        let mut args = LaunchArgs::new();
        words.pass(&mut args).u64(drawn).u64(parts);
        self.pass_half(&mut args);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { self.session.launch(kernel, 1, 1, &args) }
    }

    fn pass_half(&self, args: &mut LaunchArgs) {
        args.u32(u32::from(self.stream.has_half)).u32(self.stream.half).pointer(self.moved);
    }

    fn bounded(&self, words: &Philox, widths: Widths, range: &ValueRange) -> Result<()> {
        let IntegerDraws { session, out, n, .. } = *self;
        let kernel = |entry| {
            let variant = [widths.element, widths.unit, u32::from(words.carry)];
            session.kernel(entry, &variant, || integers_text(words.carry, widths))
        };
        let tile = words.chunks_of_warp() * u64::from(THREADS / 32) * u64::from(256 / widths.unit);
        if range.threshold == 0 {
            let mut args = LaunchArgs::new();
            words.pass(&mut args).pointer(out).u64(n).u64(n);
            range.pass(&mut args).u32(1).pointer(0).pointer(0);
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("random_integers")?, n.div_ceil(tile) as u32, THREADS, &args) }?;
            return self.report(words, n, widths.parts());
        }
        let (mut tiles, mut counts, mut state) = (0, 0, 0);
        let scratch;
        if n > ONE_BLOCK_MAX {
            let refused = range.threshold as f64 / 2f64.powi(widths.unit as i32);
            tiles = tiles_for(n, refused, tile);
            scratch = session.scratch((tiles as usize + 3) * 8)?;
            state = scratch.address();
            counts = state + 16;
            session.set_bytes(&scratch, 0, 0, 16)?;
            // Where many are passed over, hardly anything would stay where it is written first.
            let written = u32::from(refused * (n as f64) < 4.0);
            let mut args = LaunchArgs::new();
            words.pass(&mut args).pointer(out).u64(n).u64(tiles * tile);
            range.pass(&mut args).u32(written).pointer(counts).pointer(state);
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("random_integers")?, tiles as u32, THREADS, &args) }?;
            let mut args = LaunchArgs::new();
            args.pointer(counts).u64(tiles).pointer(state);
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("random_integers_scan")?, 1, THREADS, &args) }?;
            let mut args = LaunchArgs::new();
            words.pass(&mut args).pointer(out).u64(n).u64(tiles * tile);
            range.pass(&mut args).u32(written).pointer(counts).u64(tiles).pointer(state);
            let grid = tiles.min(u64::from(session.gpu().multiprocessors) * 6);
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("random_integers_pack")?, grid as u32, THREADS, &args) }?;
        }
        let mut args = LaunchArgs::new();
        words.pass(&mut args).pointer(out).u64(n).u64(tiles * tile);
        range.pass(&mut args).pointer(counts).u64(tiles).pointer(state).u64(widths.parts());
        self.pass_half(&mut args);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel("random_integers_rest")?, 1, THREADS, &args) }
    }
}

/// How many tiles hold `n` draws that count, unless chance is against it by ten deviations.
fn tiles_for(n: u64, refused: f64, tile: u64) -> u64 {
    let kept = 1.0 - refused;
    let mean = n as f64 / kept;
    let most = mean + 10.0 * (mean * refused).sqrt() / kept;
    (most as u64).max(n).div_ceil(tile)
}

/// Fills `out` with integers, each with bounds of its own.
pub(super) fn between(
    session: &Session,
    stream: &Stream,
    offsets: &Slot,
    spans: &Slot,
    out: &Slot,
    moved: &Slot,
) -> Result<()> {
    let n = out.layout.size();
    if offsets.layout.size() != n || spans.layout.size() != n {
        return Err(Error::value("integers", "bounds and results differ in number"));
    }
    let bits = if out.dtype == DType::Bool { 1 } else { Widths::of(out.dtype, u64::MAX)?.element };
    let words = if bits < 32 { Philox::halves(stream) } else { Philox::words(stream) };
    let kernel =
        |entry| session.kernel(entry, &[bits, u32::from(words.carry)], || between_text(words.carry, bits));
    let n = n as u64;
    let guesses = if n < GUESSED_MIN { 0 } else { MAX_GUESSES };
    let first = if guesses == 0 { 0 } else { n };
    let state = session.scratch(40)?;
    let fields = [0, 0, u64::from(stream.has_half), u64::from(stream.half), first];
    session.upload_small(&state, 0, fields.map(u64::to_ne_bytes).as_flattened())?;
    for round in 0..=guesses {
        if guesses > 0 {
            let mut args = LaunchArgs::new();
            words.pass(&mut args).pointer(session.address(out)).u64(n);
            args.pointer(session.address(offsets)).pointer(session.address(spans)).pointer(state.address());
            let grid = n.div_ceil(u64::from(THREADS)).min(u64::from(session.gpu().multiprocessors) * 16);
            // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
            unsafe { session.launch(kernel("random_between_guess")?, grid as u32, THREADS, &args) }?;
        }
        let most = if round == guesses { n } else { ELEMENTS_PER_WALK };
        let mut args = LaunchArgs::new();
        words.pass(&mut args).pointer(session.address(out)).u64(n).u64(most);
        args.pointer(session.address(offsets)).pointer(session.address(spans)).pointer(state.address());
        args.u32(u32::from(stream.has_half)).u32(stream.half).pointer(session.address(moved));
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel("random_between")?, 1, 32, &args) }?;
    }
    Ok(())
}

pub(super) fn integers_text(carry: bool, widths: Widths) -> String {
    let types = format!("typedef u{} T;\ntypedef u{} Unit;", widths.element, widths.unit);
    text(carry, &types, &[LEMIRE, INTEGERS])
}

pub(super) fn booleans_text(carry: bool) -> String {
    text(carry, "", &[include_str!("../../kernels/random_booleans.cu")])
}

pub(super) fn moved_text(carry: bool) -> String {
    text(carry, "", &[LEMIRE, include_str!("../../kernels/random_advance.cu")])
}

pub(super) fn between_text(carry: bool, bits: u32) -> String {
    let types = format!("#define BITS {bits}\ntypedef u{} T;", bits.max(8));
    text(carry, &types, &[LEMIRE, include_str!("../../kernels/random_between.cu")])
}

pub(super) fn constant_text(bits: u32) -> String {
    text(false, &format!("typedef u{bits} T;"), &[include_str!("../../kernels/random_constant.cu")])
}
