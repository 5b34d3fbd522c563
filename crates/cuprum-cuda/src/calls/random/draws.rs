//! Draws whose words follow from the elements' numbers: plain words, distributions, choices.

use cuprum_core::{Cipher, DType, Distribution, Error, Result, Stream, Words};
use cuprum_graph::{RandomParameter, Slot};

use super::words::{CipherKind, DrawSource, LightWords, Philox, text};
use crate::launch::LaunchArgs;
use crate::ops::type_name;
use crate::session::Session;

const THREADS: u32 = 256;
const MATH: &str = include_str!("../../kernels/random_math.cuh");
const LIGHT: &str = include_str!("../../kernels/philox4x32.cuh");
const SINGLE: &str = include_str!("../../kernels/random_single.cuh");
const FORMULAS: &str = include_str!("../../kernels/random_formulas.cuh");
const PER_ELEMENT: &str = include_str!("../../kernels/per_element_stream.cuh");
const COUNTS: &str = include_str!("../../kernels/random_counts.cuh");
const CONTINUOUS: &str = include_str!("../../kernels/random_continuous.cuh");

/// What a chunk of draws of 32 bits becomes.
#[derive(Clone, Copy)]
pub(super) enum Maker {
    Raw,
    DoubleUniforms,
    SingleUniforms,
    Choices,
    WeightedKeys,
    /// Normal variates as they are.
    StandardNormals,
    /// Uniform numbers of a range in single precision, made of light words.
    SingleRanges,
    Draw(Distribution),
}

impl Maker {
    fn number(self) -> u32 {
        match self {
            Maker::Raw => 0,
            Maker::DoubleUniforms => 1,
            Maker::SingleUniforms => 2,
            Maker::Choices => 3,
            Maker::WeightedKeys => 4,
            Maker::StandardNormals => 5,
            Maker::SingleRanges => 6,
            Maker::Draw(distribution) => 7 + distribution as u32,
        }
    }

    /// The type of `random_formulas.cuh`.
    fn type_name(self) -> String {
        match self {
            Maker::Raw => "RawWords".into(),
            Maker::DoubleUniforms => "DoubleUniforms".into(),
            Maker::SingleUniforms => "SingleUniforms".into(),
            Maker::Choices => "Choices".into(),
            Maker::WeightedKeys => "WeightedKeys".into(),
            Maker::SingleRanges => "SingleRanges".into(),
            Maker::StandardNormals | Maker::Draw(Distribution::Normal) => "Normals<false>".into(),
            Maker::Draw(Distribution::Lognormal) => "Normals<true>".into(),
            // Formulas are named as their distributions are.
            Maker::Draw(distribution) => format!("One<{distribution:?}>"),
        }
    }

    /// Whether elements are normal variates in single precision, which are made of light words.
    fn is_light(self, dtype: DType) -> bool {
        let is_normal = matches!(
            self,
            Maker::StandardNormals | Maker::Draw(Distribution::Normal | Distribution::Lognormal)
        );
        is_normal && dtype == DType::F32
    }

    /// How many elements a chunk becomes.
    fn elements(self, kind: CipherKind, dtype: DType) -> u64 {
        let is_single = matches!(self, Maker::SingleUniforms | Maker::SingleRanges);
        let each = if is_single || self.is_light(dtype) { 1 } else { 2 };
        kind.draws() / each
    }

    /// How many rows of results a kernel's threads share. Uniform numbers are bound by memory; normal ones by instructions,
    /// of which each takes fewer if several share a thread's set-up.
    fn together(self) -> FillShape {
        match self {
            Maker::StandardNormals => FillShape { unrolled: 16, passes: 1, blocks: 6 },
            Maker::Draw(_) | Maker::SingleRanges => FillShape { unrolled: 4, passes: 2, blocks: 1 },
            _ => FillShape { unrolled: 2, passes: 1, blocks: 1 },
        }
    }
}

/// How a thread of `random_fill.cu` goes through its elements: the constants of these names there.
struct FillShape {
    unrolled: u64,
    passes: u64,
    blocks: u64,
}

impl FillShape {
    /// Rows of chunks one after the other.
    const ROW_BY_ROW: FillShape = FillShape { unrolled: 0, passes: 1, blocks: 1 };

    fn rows(&self) -> u64 {
        self.unrolled * self.passes
    }
}

/// The struct `Parameters` of `random_formulas.cuh`, with the memory that it points to.
pub(super) struct Parameters {
    same: [f64; 3],
    each: [usize; 3],
    length: u64,
    _slots: Vec<Slot>,
}

impl Parameters {
    pub fn none() -> Parameters {
        Parameters { same: [0.0; 3], each: [0; 3], length: 0, _slots: Vec::new() }
    }

    /// One dense table.
    pub fn table(session: &Session, table: &Slot) -> Parameters {
        let length = table.layout.size() as u64;
        Parameters {
            each: [session.address(table), 0, 0],
            length,
            _slots: vec![table.clone()],
            ..Parameters::none()
        }
    }

    fn of_draw(session: &Session, given: &[RandomParameter]) -> Result<Parameters> {
        let mut parameters = Parameters::none();
        for (i, parameter) in given.iter().enumerate() {
            match parameter {
                RandomParameter::Same(value) => parameters.same[i] = *value,
                RandomParameter::Each(slot) => {
                    let slot = session.dense(slot)?;
                    parameters.each[i] = session.address(&slot);
                    parameters._slots.push(slot);
                }
            }
        }
        Ok(parameters)
    }

    fn has_each(&self) -> bool {
        self.each.iter().any(|address| *address != 0)
    }

    fn pass<'a>(&self, args: &'a mut LaunchArgs) -> &'a mut LaunchArgs {
        let mut bytes = [0; 56];
        for i in 0..3 {
            bytes[8 * i..][..8].copy_from_slice(&self.same[i].to_ne_bytes());
            bytes[24 + 8 * i..][..8].copy_from_slice(&self.each[i].to_ne_bytes());
        }
        bytes[48..].copy_from_slice(&self.length.to_ne_bytes());
        args.bytes(&bytes)
    }
}

/// What comes before the formulas: element type and the kinds of parameters.
fn defines(dtype: DType, each: bool, standard: bool) -> String {
    let [each, standard] = [each, standard].map(u32::from);
    format!("#define EACH {each}\n#define STANDARD {standard}\ntypedef {} T;", type_name(dtype))
}

/// Fills `out` chunk by chunk.
pub(super) fn fill(
    session: &Session,
    source: impl Into<DrawSource>,
    maker: Maker,
    parameters: &Parameters,
    out: &Slot,
) -> Result<()> {
    let source = source.into();
    let n = out.layout.size() as u64;
    if n == 0 {
        return Ok(());
    }
    session.with_dense_out(out, |out| {
        let each = matches!(maker, Maker::Draw(_) | Maker::SingleRanges) && parameters.has_each();
        let is_aligned = session.address(out).is_multiple_of(16);
        let kind = source.kind();
        let chunks = n.div_ceil(maker.elements(kind, out.dtype));
        let rows = chunks.div_ceil(source.chunks_of_warp() * u64::from(THREADS / 32));
        let multiprocessors = u64::from(session.gpu().multiprocessors);
        let plain = source.is_plain(chunks) && is_aligned;
        let is_large = rows >= maker.together().rows() * multiprocessors && chunks < 1 << 31;
        let together = kind == CipherKind::Light && plain && is_large;
        let way = FillVariant { kind, carry: source.carry(), plain, together };
        let flags = [each, kind == CipherKind::Light, way.carry, plain, together].map(u32::from);
        let variant = [maker.number(), out.dtype as u32, flags[0], flags[1], flags[2], flags[3], flags[4]];
        let kernel = session.kernel("random_fill", &variant, || fill_text(way, maker, out.dtype, each))?;
        // Several rows a block once there are blocks enough.
        let rows_each =
            if together { maker.together().rows() } else { (rows / (multiprocessors * 16)).clamp(1, 8) };
        let mut args = LaunchArgs::new();
        parameters.pass(source.pass(&mut args).pointer(session.address(out)).u64(n));
        args.u32(rows_each as u32);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, rows.div_ceil(rows_each) as u32, THREADS, &args) }
    })
}

/// The type that formulas take their draws from.
fn source_type(kind: CipherKind) -> String {
    format!("typedef {} Source;\n", kind.type_name())
}

/// What a fill's kernel may take for granted: see `random_fill.cu`.
#[derive(Clone, Copy)]
pub(super) struct FillVariant {
    pub kind: CipherKind,
    pub carry: bool,
    pub plain: bool,
    pub together: bool,
}

pub(super) fn fill_text(way: FillVariant, maker: Maker, dtype: DType, each: bool) -> String {
    let standard = matches!(maker, Maker::StandardNormals);
    let FillShape { unrolled, passes, blocks } =
        if way.together { maker.together() } else { FillShape::ROW_BY_ROW };
    let types = format!(
        "#define PLAIN {}\n#define UNROLLED {unrolled}\n#define PASSES {passes}\n#define BLOCKS {blocks}\ntypedef {} Maker;\n",
        u32::from(way.plain),
        maker.type_name()
    );
    let light = if way.kind == CipherKind::Light { LIGHT } else { "" };
    let kernel = include_str!("../../kernels/random_fill.cu");
    let parts = [light, &source_type(way.kind), MATH, SINGLE, FORMULAS, &types, kernel];
    text(way.carry, &defines(dtype, each, standard), &parts)
}

/// Draws of a distribution.
pub(super) fn distribution(
    session: &Session,
    stream: &Stream,
    cipher: Cipher,
    distribution: Distribution,
    given: &[RandomParameter],
    out: &Slot,
) -> Result<()> {
    let row = distribution.row();
    let n = out.layout.size();
    let fits = |p: &RandomParameter| !matches!(p, RandomParameter::Each(slot) if slot.layout.size() != n);
    if given.len() != row.parameters.len() || !given.iter().all(fits) {
        return Err(Error::value(row.name, "parameters and draws differ in number"));
    }
    if n == 0 {
        return Ok(());
    }
    let parameters = Parameters::of_draw(session, given)?;
    if row.words == Words::Block {
        return session
            .with_dense_out(out, |out| draw_per_element(session, stream, distribution, &parameters, out));
    }
    let standard =
        distribution == Distribution::Normal && !parameters.has_each() && parameters.same == [0.0, 1.0, 0.0];
    let one_light = row.words == Words::One && cipher == Cipher::Light;
    let maker = match distribution {
        _ if standard => Maker::StandardNormals,
        Distribution::Uniform if one_light && out.dtype == DType::F32 => Maker::SingleRanges,
        distribution => Maker::Draw(distribution),
    };
    let light = one_light || maker.is_light(out.dtype);
    let source: DrawSource =
        if light { LightWords::words(stream).into() } else { Philox::words(stream).into() };
    fill(session, source, maker, &parameters, out)
}

/// Draws where each element has a block of the stream to itself.
fn draw_per_element(
    session: &Session,
    stream: &Stream,
    distribution: Distribution,
    parameters: &Parameters,
    out: &Slot,
) -> Result<()> {
    const THREADS: u32 = 128;
    let (words, each) = (Philox::blocks(stream), parameters.has_each());
    let variant = [distribution as u32, out.dtype as u32, u32::from(each), u32::from(words.carry)];
    let kernel = session
        .kernel("random_per_element", &variant, || own_text(words.carry, distribution, out.dtype, each))?;
    let n = out.layout.size() as u64;
    // A few elements a thread, so that what depends on the parameters alone is worked out for all of them at once.
    let most = u64::from(session.gpu().multiprocessors) * 64;
    let grid = n.div_ceil(u64::from(THREADS)).min(most);
    let mut args = LaunchArgs::new();
    parameters.pass(words.pass(&mut args).pointer(session.address(out)).u64(n));
    // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
    unsafe { session.launch(kernel, grid as u32, THREADS, &args) }
}

pub(super) fn own_text(carry: bool, distribution: Distribution, dtype: DType, each: bool) -> String {
    let sampler = format!("typedef {distribution:?} Sampler;\n");
    let kernel = include_str!("../../kernels/random_per_element.cu");
    text(
        carry,
        &defines(dtype, each, false),
        &[
            &source_type(CipherKind::Words),
            MATH,
            SINGLE,
            FORMULAS,
            PER_ELEMENT,
            COUNTS,
            CONTINUOUS,
            &sampler,
            kernel,
        ],
    )
}

/// How often each outcome comes up.
pub(super) fn multinomial(
    session: &Session,
    stream: &Stream,
    trials: &Slot,
    chances: &Slot,
    out: &Slot,
) -> Result<()> {
    let outcomes = chances.layout.size() as u64;
    let rows = (out.layout.size() as u64).checked_div(outcomes).unwrap_or(0);
    let given = trials.layout.size() as u64;
    if given != 1 && given != rows {
        return Err(Error::value("multinomial", "trials and rows differ in number"));
    }
    if rows == 0 {
        return Ok(());
    }
    let (trials, chances) = (session.dense(trials)?, session.dense(chances)?);
    let words = Philox::blocks(stream);
    session.with_dense_out(out, |out| {
        let kernel = session
            .kernel("random_multinomial", &[u32::from(words.carry)], || multinomial_text(words.carry))?;
        let mut args = LaunchArgs::new();
        words.pass(&mut args).pointer(session.address(out)).u64(rows).u64(outcomes);
        args.pointer(session.address(&trials)).u64(u64::from(given != 1)).pointer(session.address(&chances));
        const THREADS: u32 = 64;
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, rows.div_ceil(u64::from(THREADS)) as u32, THREADS, &args) }
    })
}

pub(super) fn multinomial_text(carry: bool) -> String {
    let kernel = include_str!("../../kernels/random_multinomial.cu");
    let source = source_type(CipherKind::Words);
    text(
        carry,
        &defines(DType::I64, false, false),
        &[&source, MATH, SINGLE, FORMULAS, PER_ELEMENT, COUNTS, kernel],
    )
}
