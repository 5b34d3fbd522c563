//! The CUDA C that generated kernels are built from: the C types of dtypes, and which of the texts in `kernels/*.cuh`
//! a kernel has to begin with.

pub use cuprum_core::ops::CudaText;
use cuprum_core::{DType, Op};

/// The text that every kernel begins with: types, limits and conversions.
pub const PRELUDE: &str = include_str!("kernels/prelude.cuh");

/// The source of a text.
fn source(text: CudaText) -> &'static str {
    match text {
        CudaText::Half => include_str!("kernels/half.cuh"),
        CudaText::Complex => include_str!("kernels/complex.cuh"),
        CudaText::Elementary => include_str!("kernels/elementary.cuh"),
        CudaText::Arithmetic => include_str!("kernels/ops_arithmetic.cuh"),
        CudaText::Order => include_str!("kernels/ops_order.cuh"),
        CudaText::Integer => include_str!("kernels/ops_integer.cuh"),
        CudaText::Division => include_str!("kernels/ops_division.cuh"),
        CudaText::Floating => include_str!("kernels/ops_floating.cuh"),
        CudaText::Exponential => include_str!("kernels/ops_exponential.cuh"),
        CudaText::Logarithm => include_str!("kernels/ops_logarithm.cuh"),
        CudaText::Roots => include_str!("kernels/ops_roots.cuh"),
        CudaText::Power => include_str!("kernels/ops_power.cuh"),
        CudaText::Trigonometric => include_str!("kernels/ops_trigonometric.cuh"),
        CudaText::InverseTrigonometric => include_str!("kernels/ops_inverse_trigonometric.cuh"),
        CudaText::BesselTables => include_str!("kernels/bessel_tables.cuh"),
        CudaText::Special => include_str!("kernels/ops_special.cuh"),
        CudaText::SpecialBase => include_str!("kernels/special_prelude.cuh"),
        CudaText::SpecialGamma => include_str!("kernels/special_gamma.cuh"),
        CudaText::SpecialErf => include_str!("kernels/special_erf.cuh"),
        CudaText::SpecialExponential => include_str!("kernels/special_exponential.cuh"),
        CudaText::SpecialIncomplete => include_str!("kernels/special_incomplete.cuh"),
        CudaText::SpecialBessel => include_str!("kernels/special_bessel.cuh"),
        CudaText::SpecialIntegrals => include_str!("kernels/special_integrals.cuh"),
        CudaText::SpecialElliptic => include_str!("kernels/special_elliptic.cuh"),
        CudaText::SpecialHypergeometric => include_str!("kernels/special_hypergeometric.cuh"),
        CudaText::SpecialComplexGamma => include_str!("kernels/special_complex_gamma.cuh"),
        CudaText::SpecialComplexErf => include_str!("kernels/special_complex_erf.cuh"),
        CudaText::SpecialComplexIntegrals => include_str!("kernels/special_complex_integrals.cuh"),
        CudaText::SpecialComplexBessel => include_str!("kernels/special_complex_bessel.cuh"),
        CudaText::SpecialFourArguments => include_str!("kernels/special_four_arguments.cuh"),
        CudaText::SpecialVoigt => include_str!("kernels/special_voigt.cuh"),
        CudaText::ComplexFunctions => include_str!("kernels/ops_complex.cuh"),
        CudaText::ComplexInverse => include_str!("kernels/ops_complex_inverse.cuh"),
    }
}

/// The texts that this one mentions.
fn depends_on(text: CudaText) -> &'static [CudaText] {
    match text {
        CudaText::Half
        | CudaText::Complex
        | CudaText::Elementary
        | CudaText::Arithmetic
        | CudaText::Order
        | CudaText::Integer => &[],
        CudaText::Division
        | CudaText::Floating
        | CudaText::Exponential
        | CudaText::Roots
        | CudaText::Trigonometric
        | CudaText::InverseTrigonometric
        | CudaText::BesselTables => &[CudaText::Elementary],
        CudaText::Logarithm | CudaText::Power => &[CudaText::Exponential],
        CudaText::Special => &[CudaText::Exponential, CudaText::BesselTables],
        CudaText::ComplexFunctions => &[
            CudaText::Complex,
            CudaText::Logarithm,
            CudaText::Roots,
            CudaText::Power,
            CudaText::Trigonometric,
            CudaText::InverseTrigonometric,
        ],
        CudaText::ComplexInverse => &[CudaText::ComplexFunctions],
        CudaText::SpecialBase => &[
            CudaText::Logarithm,
            CudaText::Roots,
            CudaText::Power,
            CudaText::Trigonometric,
            CudaText::InverseTrigonometric,
        ],
        CudaText::SpecialGamma | CudaText::SpecialErf | CudaText::SpecialExponential => {
            &[CudaText::SpecialBase]
        }
        CudaText::SpecialIncomplete => &[CudaText::SpecialGamma, CudaText::SpecialErf],
        CudaText::SpecialBessel => &[CudaText::SpecialIncomplete, CudaText::BesselTables],
        CudaText::SpecialIntegrals => &[CudaText::SpecialGamma],
        CudaText::SpecialElliptic => &[CudaText::SpecialBase],
        CudaText::SpecialHypergeometric => &[CudaText::SpecialBessel],
        CudaText::SpecialComplexGamma => &[CudaText::Complex, CudaText::SpecialGamma],
        CudaText::SpecialComplexErf => {
            &[CudaText::SpecialComplexGamma, CudaText::SpecialErf, CudaText::SpecialIntegrals]
        }
        CudaText::SpecialComplexIntegrals => &[CudaText::SpecialComplexErf],
        CudaText::SpecialComplexBessel => &[CudaText::SpecialComplexGamma, CudaText::SpecialBessel],
        CudaText::SpecialFourArguments => {
            &[CudaText::SpecialComplexGamma, CudaText::SpecialElliptic, CudaText::SpecialHypergeometric]
        }
        CudaText::SpecialVoigt => &[CudaText::SpecialComplexErf],
    }
}

/// A set of texts that a kernel needs after the prelude, with all that they depend on.
///
/// ```
/// use cuprum_core::DType;
/// use cuprum_cuda::ops::FragmentSet;
/// let set = FragmentSet::of_dtype(DType::F16).union(FragmentSet::of_dtype(DType::F32));
/// assert!(set.text().contains("HALF_TYPE(f16)"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FragmentSet(u64);

// A bit for every text.
const _: () = assert!(CudaText::ALL.len() <= 64);

impl FragmentSet {
    /// The empty set: the prelude alone.
    pub const NONE: FragmentSet = FragmentSet(0);

    /// The set of one text and what it depends on.
    pub fn of(text: CudaText) -> FragmentSet {
        let own = FragmentSet(1 << text as u8);
        depends_on(text).iter().fold(own, |set, &below| set.union(FragmentSet::of(below)))
    }

    /// The texts that the C type of a dtype needs.
    pub fn of_dtype(dtype: DType) -> FragmentSet {
        match dtype {
            DType::F16 | DType::BF16 => FragmentSet::of(CudaText::Half),
            DType::C64 | DType::C128 => FragmentSet::of(CudaText::Complex),
            _ => FragmentSet::NONE,
        }
    }

    /// The texts of both sets.
    #[must_use]
    pub fn union(self, other: FragmentSet) -> FragmentSet {
        FragmentSet(self.0 | other.0)
    }

    /// Whether the text is in the set.
    pub fn has(self, text: CudaText) -> bool {
        self.0 >> text as u8 & 1 == 1
    }

    /// The beginning of a kernel's text: the prelude, then the texts in order.
    pub fn text(self) -> String {
        let chosen = CudaText::ALL.into_iter().filter(|&text| self.has(text)).map(source);
        std::iter::once(PRELUDE).chain(chosen).collect()
    }
}

/// The texts that `op` needs when its loop runs in `dtype`, with those of the types of its arguments and result.
///
/// ```
/// use cuprum_core::{DType, Op};
/// use cuprum_cuda::ops::fragments;
/// assert!(fragments(Op::Tanh, DType::F32).text().contains("cu_tanh"));
/// ```
pub fn fragments(op: Op, dtype: DType) -> FragmentSet {
    let cuda = op.row().cuda;
    let text = if dtype.is_complex() { cuda.complex } else { cuda.text };
    let also = cuda.integral.filter(|_| dtype.is_integral());
    let texts = [Some(text), also].into_iter().flatten();
    texts.fold(FragmentSet::of_dtype(dtype), |set, text| set.union(FragmentSet::of(text)))
}

/// The CUDA C expression for one element of `op`: a call with `arguments`, which have the types of the loop.
///
/// ```
/// use cuprum_core::Op;
/// assert_eq!(cuprum_cuda::ops::expression(Op::Hypot, &["v0", "v1"]), "cu_hypot(v0, v1)");
/// ```
pub fn expression(op: Op, arguments: &[&str]) -> String {
    let row = op.row();
    assert_eq!(arguments.len(), row.nin, "{} takes {} arguments", row.name, row.nin);
    let mut text = String::with_capacity(row.cuda.call.len() + 8 * row.nin);
    let mut rest = row.cuda.call;
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        match &rest[..word] {
            "a" => text.push_str(arguments[0]),
            "b" => text.push_str(arguments[1]),
            "c" => text.push_str(arguments[2]),
            other => text.push_str(other),
        }
        let next = rest[word..].chars().next().map_or(0, char::len_utf8);
        text.push_str(&rest[word..word + next]);
        rest = &rest[word + next..];
    }
    text
}

/// The CUDA C type that elements of a dtype have in memory.
///
/// ```
/// use cuprum_core::DType;
/// use cuprum_cuda::ops::{memory_type, type_name};
/// assert_eq!((type_name(DType::Bool), memory_type(DType::Bool)), ("bool", "bool8"));
/// ```
pub const fn memory_type(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool8",
        other => type_name(other),
    }
}

/// The CUDA C type that a dtype is computed in.
pub const fn type_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::I8 => "i8",
        DType::U8 => "u8",
        DType::I16 => "i16",
        DType::U16 => "u16",
        DType::I32 => "i32",
        DType::U32 => "u32",
        DType::I64 => "i64",
        DType::U64 => "u64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::C64 => "c64",
        DType::C128 => "c128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_after_those_they_depend_on() {
        for (place, text) in CudaText::ALL.into_iter().enumerate() {
            assert_eq!(text as usize, place);
            assert!(depends_on(text).iter().all(|&below| (below as usize) < place), "{text:?}");
        }
    }
}
