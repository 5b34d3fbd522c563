//! The instruction sets that loops are compiled for, and the one that this process uses.

use std::sync::OnceLock;

/// An instruction set. A loop is written once and compiled for each of them.
///
/// The variants are ordered: each level has the instructions of those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SimdLevel {
    /// What every CPU of the architecture has.
    Portable,
    /// AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// The same with AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

impl SimdLevel {
    /// Every level, the portable one first.
    pub const ALL: [SimdLevel; 3] = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];

    /// Whether only few processors of this architecture need the portable level: x86-64 without AVX2. Code of that level is
    /// then kept small: what is there for speed alone is left out.
    ///
    /// ```
    /// use cuprum_core::SimdLevel;
    /// assert_eq!(SimdLevel::PORTABLE_IS_RARE, cfg!(target_arch = "x86_64"));
    /// ```
    pub const PORTABLE_IS_RARE: bool = cfg!(target_arch = "x86_64");

    /// The best level of this CPU, or the one that `CUPRUM_SIMD` names (`portable`, `avx2`, `avx512`) if the CPU has
    /// it. It is looked up once.
    ///
    /// ```
    /// use cuprum_core::SimdLevel;
    /// assert!(SimdLevel::detect().is_available());
    /// ```
    #[inline]
    pub fn detect() -> SimdLevel {
        static DETECTED: OnceLock<SimdLevel> = OnceLock::new();
        *DETECTED.get_or_init(|| {
            let named = match std::env::var("CUPRUM_SIMD").as_deref() {
                Ok("portable") => Some(SimdLevel::Portable),
                Ok("avx2") => Some(SimdLevel::Avx2),
                Ok("avx512") => Some(SimdLevel::Avx512),
                _ => None,
            };
            named.filter(|level| level.is_available()).unwrap_or_else(SimdLevel::best)
        })
    }

    /// The best level of this CPU, whatever `CUPRUM_SIMD` says.
    ///
    /// ```
    /// use cuprum_core::SimdLevel;
    /// assert!(SimdLevel::detect() <= SimdLevel::best());
    /// ```
    pub fn best() -> SimdLevel {
        SimdLevel::ALL.into_iter().rfind(|level| level.is_available()).unwrap_or(SimdLevel::Portable)
    }

    /// This level if the CPU has its instructions, [`SimdLevel::Portable`] otherwise.
    ///
    /// ```
    /// use cuprum_core::SimdLevel;
    /// assert!(SimdLevel::Avx512.or_portable().is_available());
    /// ```
    #[inline]
    pub fn or_portable(self) -> SimdLevel {
        if self.is_available() { self } else { SimdLevel::Portable }
    }

    /// Whether this CPU has the instructions of this level.
    ///
    /// ```
    /// assert!(cuprum_core::SimdLevel::Portable.is_available());
    /// ```
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn is_available(self) -> bool {
        let avx2 = || {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        };
        match self {
            SimdLevel::Portable => true,
            SimdLevel::Avx2 => avx2(),
            SimdLevel::Avx512 => {
                avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    /// Whether this CPU has the instructions of this level.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline]
    pub fn is_available(self) -> bool {
        self == SimdLevel::Portable
    }
}
