//! The device texts that generated code stands on: the C types of the dtypes, and which fragments of CUDA C a
//! kernel must begin with. The texts themselves are `kernels/*.cuh`.

use cuprum_core::DType;

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
}

impl Fragment {
    /// Every fragment, each after those that it stands on.
    const ALL: [Fragment; 2] = [Fragment::Half, Fragment::Complex];

    fn text(self) -> &'static str {
        match self {
            Fragment::Half => include_str!("kernels/half.cuh"),
            Fragment::Complex => include_str!("kernels/complex.cuh"),
        }
    }

    /// The fragments that this one's text mentions.
    fn stands_on(self) -> FragmentSet {
        match self {
            Fragment::Half | Fragment::Complex => FragmentSet::NONE,
        }
    }
}

/// The fragments that a kernel needs, closed under what they stand on.
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

    /// The set of one fragment and what it stands on.
    pub fn of(fragment: Fragment) -> FragmentSet {
        FragmentSet(1 << fragment as u8).union(fragment.stands_on())
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
