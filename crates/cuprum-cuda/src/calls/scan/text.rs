//! The texts of scans and segment reductions: the op that joins, the type it joins in, and its identity.

use cuprum_core::ops::Arithmetic;
use cuprum_core::{DType, Error, Op, Reduction, Result};
use cuprum_graph::ScanOp;

use crate::ops::{CudaText, FragmentSet, expression, fragments, memory_type, type_name};

const SCAN: &str = include_str!("../../kernels/scan.cuh");

/// What the texts of a scan depend on; its op may be applied in any grouping.
#[derive(Clone, Copy)]
pub(super) struct Scan {
    op: Op,
    pub dtype: DType,
}

/// The op's identity on both sides; `None` if the op must be applied from left to right.
pub(crate) fn neutral(op: Op, dtype: DType) -> Option<&'static str> {
    let is_floating = dtype.is_float();
    let text = match Reduction::of(op) {
        // -0.0 is the identity of sums: it leaves even -0.0 as it is.
        Reduction::Sum if dtype.is_complex() => "Acc(-0.0, -0.0)",
        Reduction::Sum if is_floating => "Acc(-0.0f)",
        Reduction::Sum | Reduction::BitOr | Reduction::BitXor | Reduction::Any | Reduction::Xor => "Acc(0)",
        // One would change the signs of zeros, and turn infinities into NaNs.
        Reduction::Prod if dtype.is_complex() => "Acc(sentinel<real_of<Acc>>(), sentinel<real_of<Acc>>())",
        Reduction::Prod if is_floating => "Acc(1.0f)",
        Reduction::Prod | Reduction::All => "Acc(1)",
        Reduction::BitAnd if dtype == DType::Bool => "true",
        Reduction::BitAnd => "(Acc)~(Acc)0",
        Reduction::Max if dtype.is_complex() => "Acc(-infinity<real_of<Acc>>(), -infinity<real_of<Acc>>())",
        Reduction::Min if dtype.is_complex() => "Acc(infinity<real_of<Acc>>(), infinity<real_of<Acc>>())",
        Reduction::Max if is_floating => "-infinity<Acc>()",
        Reduction::Min if is_floating => "infinity<Acc>()",
        // No complex number is neutral: a NaN as the first state would win over an element of which one part is NaN.
        Reduction::Fmax | Reduction::Fmin if dtype.is_complex() => return None,
        Reduction::Fmax | Reduction::Fmin if is_floating => "not_a_number<Acc>()",
        Reduction::Max | Reduction::Fmax => "lowest<Acc>()",
        Reduction::Min | Reduction::Fmin => "highest<Acc>()",
        Reduction::Fold(_)
        | Reduction::ArgMin
        | Reduction::ArgMax
        | Reduction::Count
        | Reduction::Variance => return None,
    };
    // Bools are joined by the logical ops.
    let is_number = !op.is_logical() || dtype == DType::Bool;
    is_number.then_some(text)
}

/// The dtype that sums and products of a dtype are accumulated in.
pub(crate) fn accumulator(op: Op, dtype: DType) -> DType {
    match (op, dtype) {
        (op, DType::F16 | DType::BF16) if op.row().accumulates => DType::F32,
        _ => dtype,
    }
}

fn check_closed(op: Op, dtype: DType) -> Result<()> {
    let is_closed = op.row().nin == 2
        && op.output(dtype) == dtype
        && op.input(0, dtype) == dtype
        && op.input(1, dtype) == dtype;
    if is_closed { Ok(()) } else { Err(Error::NoLoop { op: op.name().into(), dtypes: vec![dtype, dtype] }) }
}

/// Whether the op has no exact identity, so that a NaN of its own marks an empty state: products of complex numbers.
fn has_sentinel(op: Op, dtype: DType) -> bool {
    Reduction::of(op) == Reduction::Prod && dtype.is_complex()
}

/// A NaN that stands for no number at all, and how it is known.
const SENTINEL: &str = "
template <class R> R sentinel() {
    if constexpr (same<R, f32>) return from_bits(0x7fc2a5c3u);
    else return from_bits(0x7ff80f1e2a5c3d4bull);
}
template <class R> bool is_sentinel(R x) { return to_bits(x) == to_bits(sentinel<R>()); }
";

/// The types `T` and `Acc` of elements and accumulators, and `join` over accumulators.
pub(crate) fn joining(op: Op, dtype: DType) -> String {
    let wide = accumulator(op, dtype);
    let set = fragments(op, wide).union(FragmentSet::of_dtype(dtype)).union(FragmentSet::of(CudaText::Order));
    // Products of complex numbers step over what stands for no number: see `neutral`.
    let (before, steps_over) = if has_sentinel(op, dtype) {
        (
            SENTINEL,
            "if (is_sentinel(a.re) && is_sentinel(a.im)) return b; if (is_sentinel(b.re) && is_sentinel(b.im)) return a; ",
        )
    } else {
        ("", "")
    };
    format!(
        "{}{before}\ntypedef {} T;\ntypedef {} Acc;\ninline Acc join(Acc a, Acc b) {{ {steps_over}return {}; }}\n",
        set.text(),
        memory_type(dtype),
        type_name(wide),
        expression(op, &["a", "b"])
    )
}

/// The text that scans stand on: `joining`, what changes nothing, and scan.cuh. `None` where there is no such thing.
pub(crate) fn scanning(op: Op, dtype: DType) -> Option<String> {
    let kind = match Reduction::of(op).arithmetic() {
        Some(Arithmetic::Sum) => 0,
        Some(Arithmetic::Product) => 1,
        None => 2,
    };
    let nothing = neutral(op, dtype)?;
    Some(format!(
        "{}inline Acc nothing() {{ return {nothing}; }}\n#define KIND {kind}\n{SCAN}",
        joining(op, dtype)
    ))
}

impl Scan {
    /// `None` if the op must be applied from left to right.
    pub fn new(op: ScanOp, dtype: DType) -> Result<Option<Scan>> {
        let op = op.op();
        check_closed(op, dtype)?;
        Ok(neutral(op, dtype).map(|_| Scan { op, dtype }))
    }

    pub fn variant(self) -> [u32; 2] {
        [self.op as u32, self.dtype as u32]
    }

    /// Whether grouping shows: products of complex numbers give zeros of other signs. Short lines go in turn.
    pub fn is_in_turn(self) -> bool {
        has_sentinel(self.op, self.dtype)
    }

    pub fn accumulator_size(self) -> usize {
        accumulator(self.op, self.dtype).size()
    }

    /// Elements of a tile whose threads take so many packs of 16 bytes each.
    pub fn tile(self, packs: usize) -> usize {
        super::TILE_THREADS * packs * (16 / self.dtype.size())
    }

    fn start(self) -> String {
        scanning(self.op, self.dtype).expect("a scan is made of ops that can be grouped")
    }

    pub fn chain_text(self, packs: usize) -> String {
        format!("{}#define PACKS {packs}\n{}", self.start(), include_str!("../../kernels/scan_chain.cu"))
    }

    pub fn lines_text(self) -> String {
        format!("{}{}", self.start(), include_str!("../../kernels/scan_lines.cu"))
    }
}

pub(super) fn fold_text(op: Op, dtype: DType) -> String {
    format!(
        "{}\ntypedef {} T;\ninline {number} fold({number} a, {number} b) {{ return {}; }}\n{}",
        fragments(op, dtype).text(),
        memory_type(dtype),
        expression(op, &["a", "b"]),
        include_str!("../../kernels/scan_fold.cu"),
        number = type_name(dtype),
    )
}
