//! The device texts that generated code is built on: the C types of the dtypes, and which fragments of CUDA C a
//! kernel must begin with. The texts themselves are `kernels/*.cuh`.

use cuprum_core::ops::CudaText;
use cuprum_core::{DType, Op};

/// The text that every kernel begins with: types, limits and conversions.
pub const PRELUDE: &str = include_str!("kernels/prelude.cuh");

/// A piece of CUDA C that some kernels need after the prelude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fragment {
    /// `f16` and `bf16`.
    Half,
    /// `c64` and `c128`.
    Complex,
    /// What the functions of floating-point numbers are made of.
    Elementary,
    /// Arithmetic, selection and the parts of numbers.
    Arithmetic,
    /// Comparisons, logic and extrema.
    Order,
    /// Bits, shifts, powers and divisors of integers.
    Integer,
    /// Division with remainder.
    Division,
    /// Rounding to whole numbers, and the make-up of floating-point numbers.
    Floating,
    /// Exponentials and hyperbolic functions.
    Exponential,
    /// Logarithms and inverse hyperbolic functions.
    Logarithm,
    /// Roots and lengths.
    Roots,
    /// Powers.
    Power,
    /// Sine, cosine and tangent.
    Trigonometric,
    /// Inverse sine, cosine and tangent, and angles.
    InverseTrigonometric,
    /// The Bessel function that NumPy has.
    Special,
    /// What the families of special functions have in common.
    SpecialBase,
    /// The gamma function and what is made of it.
    SpecialGamma,
    /// Error functions and the normal distribution.
    SpecialErf,
    /// Exponentials, logarithms and angles in forms that keep their digits.
    SpecialExponential,
    /// Incomplete gamma and beta functions.
    SpecialIncomplete,
    /// Bessel functions.
    SpecialBessel,
    /// Integrals of elementary functions.
    SpecialIntegrals,
    /// Elliptic integrals and functions.
    SpecialElliptic,
    /// Hypergeometric functions and orthogonal polynomials.
    SpecialHypergeometric,
    /// The gamma function of complex numbers and Lambert's W.
    SpecialComplexGamma,
    /// The Faddeeva function and the error functions of complex numbers.
    SpecialComplexErf,
    /// Integrals of elementary functions of complex numbers.
    SpecialComplexIntegrals,
    /// Bessel functions of complex arguments.
    SpecialComplexBessel,
    /// Functions of four arguments.
    SpecialFourArguments,
    /// Voigt's profile.
    SpecialVoigt,
    /// The elementary functions of complex numbers.
    ComplexFunctions,
    /// The inverse circular and hyperbolic functions of complex numbers.
    ComplexInverse,
}

impl Fragment {
    /// Every fragment, each after those that it depends on.
    const ALL: [Fragment; 32] = [
        Fragment::Half,
        Fragment::Complex,
        Fragment::Elementary,
        Fragment::Arithmetic,
        Fragment::Order,
        Fragment::Integer,
        Fragment::Division,
        Fragment::Floating,
        Fragment::Exponential,
        Fragment::Logarithm,
        Fragment::Roots,
        Fragment::Power,
        Fragment::Trigonometric,
        Fragment::InverseTrigonometric,
        Fragment::Special,
        Fragment::ComplexFunctions,
        Fragment::ComplexInverse,
        Fragment::SpecialBase,
        Fragment::SpecialGamma,
        Fragment::SpecialErf,
        Fragment::SpecialExponential,
        Fragment::SpecialIncomplete,
        Fragment::SpecialBessel,
        Fragment::SpecialIntegrals,
        Fragment::SpecialElliptic,
        Fragment::SpecialHypergeometric,
        Fragment::SpecialComplexGamma,
        Fragment::SpecialComplexErf,
        Fragment::SpecialComplexIntegrals,
        Fragment::SpecialComplexBessel,
        Fragment::SpecialFourArguments,
        Fragment::SpecialVoigt,
    ];

    fn text(self) -> &'static str {
        match self {
            Fragment::Half => include_str!("kernels/half.cuh"),
            Fragment::Complex => include_str!("kernels/complex.cuh"),
            Fragment::Elementary => include_str!("kernels/elementary.cuh"),
            Fragment::Arithmetic => include_str!("kernels/ops_arithmetic.cuh"),
            Fragment::Order => include_str!("kernels/ops_order.cuh"),
            Fragment::Integer => include_str!("kernels/ops_integer.cuh"),
            Fragment::Division => include_str!("kernels/ops_division.cuh"),
            Fragment::Floating => include_str!("kernels/ops_floating.cuh"),
            Fragment::Exponential => include_str!("kernels/ops_exponential.cuh"),
            Fragment::Logarithm => include_str!("kernels/ops_logarithm.cuh"),
            Fragment::Roots => include_str!("kernels/ops_roots.cuh"),
            Fragment::Power => include_str!("kernels/ops_power.cuh"),
            Fragment::Trigonometric => include_str!("kernels/ops_trigonometric.cuh"),
            Fragment::InverseTrigonometric => include_str!("kernels/ops_inverse_trigonometric.cuh"),
            Fragment::Special => include_str!("kernels/ops_special.cuh"),
            Fragment::SpecialBase => include_str!("kernels/special_prelude.cuh"),
            Fragment::SpecialGamma => include_str!("kernels/special_gamma.cuh"),
            Fragment::SpecialErf => include_str!("kernels/special_erf.cuh"),
            Fragment::SpecialExponential => include_str!("kernels/special_exponential.cuh"),
            Fragment::SpecialIncomplete => include_str!("kernels/special_incomplete.cuh"),
            Fragment::SpecialBessel => include_str!("kernels/special_bessel.cuh"),
            Fragment::SpecialIntegrals => include_str!("kernels/special_integrals.cuh"),
            Fragment::SpecialElliptic => include_str!("kernels/special_elliptic.cuh"),
            Fragment::SpecialHypergeometric => include_str!("kernels/special_hypergeometric.cuh"),
            Fragment::SpecialComplexGamma => include_str!("kernels/special_complex_gamma.cuh"),
            Fragment::SpecialComplexErf => include_str!("kernels/special_complex_erf.cuh"),
            Fragment::SpecialComplexIntegrals => include_str!("kernels/special_complex_integrals.cuh"),
            Fragment::SpecialComplexBessel => include_str!("kernels/special_complex_bessel.cuh"),
            Fragment::SpecialFourArguments => include_str!("kernels/special_four_arguments.cuh"),
            Fragment::SpecialVoigt => include_str!("kernels/special_voigt.cuh"),
            Fragment::ComplexFunctions => include_str!("kernels/ops_complex.cuh"),
            Fragment::ComplexInverse => include_str!("kernels/ops_complex_inverse.cuh"),
        }
    }

    /// The fragments that this one's text mentions.
    fn depends_on(self) -> &'static [Fragment] {
        match self {
            Fragment::Half
            | Fragment::Complex
            | Fragment::Elementary
            | Fragment::Arithmetic
            | Fragment::Order
            | Fragment::Integer => &[],
            Fragment::Division
            | Fragment::Floating
            | Fragment::Exponential
            | Fragment::Roots
            | Fragment::Trigonometric
            | Fragment::InverseTrigonometric => &[Fragment::Elementary],
            Fragment::Logarithm | Fragment::Power | Fragment::Special => &[Fragment::Exponential],
            Fragment::ComplexFunctions => &[
                Fragment::Complex,
                Fragment::Logarithm,
                Fragment::Roots,
                Fragment::Power,
                Fragment::Trigonometric,
                Fragment::InverseTrigonometric,
            ],
            Fragment::ComplexInverse => &[Fragment::ComplexFunctions],
            Fragment::SpecialBase => &[
                Fragment::Logarithm,
                Fragment::Roots,
                Fragment::Power,
                Fragment::Trigonometric,
                Fragment::InverseTrigonometric,
            ],
            Fragment::SpecialGamma | Fragment::SpecialErf | Fragment::SpecialExponential => {
                &[Fragment::SpecialBase]
            }
            Fragment::SpecialIncomplete => &[Fragment::SpecialGamma, Fragment::SpecialErf],
            Fragment::SpecialBessel => &[Fragment::SpecialIncomplete],
            Fragment::SpecialIntegrals => &[Fragment::SpecialGamma],
            Fragment::SpecialElliptic => &[Fragment::SpecialBase],
            Fragment::SpecialHypergeometric => &[Fragment::SpecialBessel],
            Fragment::SpecialComplexGamma => &[Fragment::Complex, Fragment::SpecialGamma],
            Fragment::SpecialComplexErf => {
                &[Fragment::SpecialComplexGamma, Fragment::SpecialErf, Fragment::SpecialIntegrals]
            }
            Fragment::SpecialComplexIntegrals => &[Fragment::SpecialComplexErf],
            Fragment::SpecialComplexBessel => &[Fragment::SpecialComplexGamma, Fragment::SpecialBessel],
            Fragment::SpecialFourArguments => {
                &[Fragment::SpecialComplexGamma, Fragment::SpecialElliptic, Fragment::SpecialHypergeometric]
            }
            Fragment::SpecialVoigt => &[Fragment::SpecialComplexErf],
        }
    }

    /// The fragment that is an op's text.
    fn of_text(text: CudaText) -> Fragment {
        match text {
            CudaText::Arithmetic => Fragment::Arithmetic,
            CudaText::Order => Fragment::Order,
            CudaText::Integer => Fragment::Integer,
            CudaText::Division => Fragment::Division,
            CudaText::Floating => Fragment::Floating,
            CudaText::Exponential => Fragment::Exponential,
            CudaText::Logarithm => Fragment::Logarithm,
            CudaText::Roots => Fragment::Roots,
            CudaText::Power => Fragment::Power,
            CudaText::Trigonometric => Fragment::Trigonometric,
            CudaText::InverseTrigonometric => Fragment::InverseTrigonometric,
            CudaText::Special => Fragment::Special,
            CudaText::SpecialGamma => Fragment::SpecialGamma,
            CudaText::SpecialErf => Fragment::SpecialErf,
            CudaText::SpecialExponential => Fragment::SpecialExponential,
            CudaText::SpecialIncomplete => Fragment::SpecialIncomplete,
            CudaText::SpecialBessel => Fragment::SpecialBessel,
            CudaText::SpecialIntegrals => Fragment::SpecialIntegrals,
            CudaText::SpecialElliptic => Fragment::SpecialElliptic,
            CudaText::SpecialHypergeometric => Fragment::SpecialHypergeometric,
            CudaText::SpecialComplexGamma => Fragment::SpecialComplexGamma,
            CudaText::SpecialComplexErf => Fragment::SpecialComplexErf,
            CudaText::SpecialComplexIntegrals => Fragment::SpecialComplexIntegrals,
            CudaText::SpecialComplexBessel => Fragment::SpecialComplexBessel,
            CudaText::SpecialFourArguments => Fragment::SpecialFourArguments,
            CudaText::SpecialVoigt => Fragment::SpecialVoigt,
            CudaText::ComplexFunctions => Fragment::ComplexFunctions,
            CudaText::ComplexInverse => Fragment::ComplexInverse,
        }
    }
}

/// The fragments that a kernel needs, closed under what they depend on.
///
/// ```
/// use cuprum_core::DType;
/// use cuprum_cuda::ops::FragmentSet;
/// let set = FragmentSet::of_dtype(DType::F16).union(FragmentSet::of_dtype(DType::F32));
/// assert!(set.text().contains("HALF_TYPE(f16)"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FragmentSet(u32);

impl FragmentSet {
    /// The prelude alone.
    pub const NONE: FragmentSet = FragmentSet(0);

    /// The set of one fragment and what it depends on.
    pub fn of(fragment: Fragment) -> FragmentSet {
        let own = FragmentSet(1 << fragment as u8);
        fragment.depends_on().iter().fold(own, |set, &below| set.union(FragmentSet::of(below)))
    }

    /// What the type of a dtype needs.
    pub fn of_dtype(dtype: DType) -> FragmentSet {
        match dtype {
            DType::F16 | DType::BF16 => FragmentSet::of(Fragment::Half),
            DType::C64 | DType::C128 => FragmentSet::of(Fragment::Complex),
            _ => FragmentSet::NONE,
        }
    }

    /// The fragments of both.
    #[must_use]
    pub fn union(self, other: FragmentSet) -> FragmentSet {
        FragmentSet(self.0 | other.0)
    }

    /// Whether the fragment is in the set.
    pub fn has(self, fragment: Fragment) -> bool {
        self.0 >> fragment as u8 & 1 == 1
    }

    /// The text that a kernel begins with: the prelude, then the fragments in order.
    pub fn text(self) -> String {
        let chosen = Fragment::ALL.into_iter().filter(|&f| self.has(f)).map(Fragment::text);
        std::iter::once(PRELUDE).chain(chosen).collect()
    }
}

/// What `op` needs when its loop runs in `dtype`, the types of its arguments and result included.
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
    texts.fold(FragmentSet::of_dtype(dtype), |set, text| set.union(FragmentSet::of(Fragment::of_text(text))))
}

/// One element of `op` as CUDA C: a call over `arguments`, which have the types of the loop.
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

/// The name of the type in CUDA C that elements of a dtype have in memory.
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

/// The name of a dtype's type in CUDA C.
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
