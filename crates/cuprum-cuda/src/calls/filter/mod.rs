//! Filters: windows along one axis or all.
//!
//! Each thread makes one output. Windows of neighbouring outputs overlap, so that nearly all reads are answered by the
//! cache; only windows that reach beyond the array ask how it goes on there.

mod line;
mod products;
mod rank;
#[cfg(test)]
mod tests;
mod window;

use cuprum_core::{DType, Error, Result, Scalar};
use cuprum_graph::{Buffer, Extension, FilterCall};

use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, memory_type, type_name};
use crate::session::Session;

const THREADS: u32 = 256;
/// Bytes of a table that are passed as arguments of one launch, the largest table that is passed so, and how many bytes of
/// a longer one are copied at a time.
const TABLE_BYTES_PER_LAUNCH: usize = 2048;
const LAUNCHED_TABLE_MAX_BYTES: usize = 8 * TABLE_BYTES_PER_LAUNCH;
const COPIED_BYTES: usize = 1 << 16;

/// Runs a filter.
pub(super) fn run(session: &Session, call: &FilterCall<'_>) -> Result<()> {
    match *call {
        FilterCall::Line { op, input, out, axis, start, boundary } => {
            let input = session.dense(input)?;
            session.with_dense_out(out, |out| line::run(session, op, &input, out, axis, start, boundary))
        }
        FilterCall::Window { op, input, out, footprint, boundary } => {
            let input = session.dense(input)?;
            session.with_dense_out(out, |out| window::run(session, op, &input, out, footprint, boundary))
        }
        FilterCall::Products { input, weights, out, starts, boundary } => {
            let (input, weights) = (session.dense(input)?, session.dense(weights)?);
            session.with_dense_out(out, |out| products::run(session, &input, &weights, out, starts, boundary))
        }
    }
}

/// What elements are computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ComputedIn {
    /// Numbers of another type, or of their own.
    As(DType),
    /// Integers that compare as the elements do; NaN stands first or last.
    Keys { nan_first: bool },
}

/// What the text of a filter begins with: types, then `filter.cuh`.
#[derive(Clone, Copy, Debug)]
struct Opening {
    input: DType,
    out: DType,
    held: ComputedIn,
    /// Whether outputs are numbered in 64 bits.
    long: bool,
}

impl Opening {
    fn new(input: DType, out: DType, held: ComputedIn, total: usize) -> Opening {
        Opening { input, out, held, long: total >= 1 << 31 }
    }

    /// What the text depends on.
    fn variant(&self) -> [u32; 4] {
        let held = match self.held {
            ComputedIn::As(dtype) => dtype as u32,
            ComputedIn::Keys { nan_first } => 100 + u32::from(nan_first),
        };
        [self.input as u32, self.out as u32, held, u32::from(self.long)]
    }

    fn text(&self) -> String {
        let index = if self.long { "u64" } else { "u32" };
        let common = include_str!("../../kernels/filter.cuh");
        match self.held {
            ComputedIn::As(held) => {
                let needed = [self.input, self.out, held].map(FragmentSet::of_dtype);
                format!(
                    "{}typedef {} In;\ntypedef {} Out;\ntypedef {} Held;\ntypedef {index} Index;\n#define KEYS 0\n{common}",
                    needed.into_iter().fold(FragmentSet::NONE, FragmentSet::union).text(),
                    memory_type(self.input),
                    type_name(self.out),
                    type_name(held),
                )
            }
            ComputedIn::Keys { nan_first } => {
                let (key, infinity) = key_of(self.input);
                format!(
                    "{}typedef {key} In;\ntypedef {key} Out;\ntypedef {index} Index;\n#define KEYS 1\n\
                     #define INFINITY_BITS {infinity}\n#define NAN_FIRST {}\n{common}",
                    FragmentSet::NONE.text(),
                    u32::from(nan_first),
                )
            }
        }
    }
}

/// The integer that stands for elements of a real dtype, and the bits of infinity for floats.
fn key_of(dtype: DType) -> (&'static str, &'static str) {
    match dtype {
        DType::Bool => ("u8", "0"),
        DType::F16 => ("i16", "0x7c00"),
        DType::BF16 => ("i16", "0x7f80"),
        DType::F32 => ("i32", "0x7f800000"),
        DType::F64 => ("i64", "0x7ff0000000000000"),
        other => (type_name(other), "0"),
    }
}

/// An error for elements that have no order.
fn ordered(dtype: DType) -> Result<()> {
    match dtype {
        DType::C64 | DType::C128 => Err(Error::type_error("filter", "complex numbers have no order")),
        _ => Ok(()),
    }
}

/// The kernels' number of an extension.
fn number_of(extension: Extension) -> u32 {
    match extension {
        Extension::Reflect => 0,
        Extension::Mirror => 1,
        Extension::Nearest => 2,
        Extension::Wrap => 3,
        Extension::Constant => 4,
    }
}

/// The number that says that an array does not go on: sums of products know it.
const NOTHING: u32 = 5;

/// The fill as an element of what is held.
fn fill_bytes(fill: Scalar, held: ComputedIn) -> Vec<u8> {
    match held {
        ComputedIn::As(dtype) if dtype != fill.dtype() => {
            Scalar::wrapping(fill.number(), dtype).bytes().to_vec()
        }
        _ => fill.bytes().to_vec(),
    }
}

/// Blocks for so many outputs.
fn blocks(total: usize) -> u32 {
    total.div_ceil(THREADS as usize) as u32
}

/// Brings a table onto the GPU.
fn upload(session: &Session, bytes: &[u8]) -> Result<Buffer> {
    let buffer = session.scratch(bytes.len().next_multiple_of(8).max(8))?;
    if bytes.len() > LAUNCHED_TABLE_MAX_BYTES {
        for (i, piece) in bytes.chunks(COPIED_BYTES).enumerate() {
            session.upload_small(&buffer, i * COPIED_BYTES, piece)?;
        }
        return Ok(buffer);
    }
    for (i, piece) in bytes.chunks(TABLE_BYTES_PER_LAUNCH).enumerate() {
        let kernel = session.kernel("put_table", &[], table_text)?;
        let mut words = [0; TABLE_BYTES_PER_LAUNCH];
        words[..piece.len()].copy_from_slice(piece);
        let mut args = LaunchArgs::new();
        args.pointer(buffer.address() + i * TABLE_BYTES_PER_LAUNCH)
            .bytes(&words)
            .u32(piece.len().div_ceil(8) as u32);
        // SAFETY: the kernel's own arguments; slots hold the elements of their layouts, and scratch what the kernel writes.
        unsafe { session.launch(kernel, 1, (TABLE_BYTES_PER_LAUNCH / 8) as u32, &args) }?;
    }
    Ok(buffer)
}

fn table_text() -> String {
    format!("{}{}", FragmentSet::NONE.text(), include_str!("../../kernels/store_table.cu"))
}
