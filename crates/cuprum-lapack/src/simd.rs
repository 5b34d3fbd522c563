//! Loops compiled for each instruction set.

#[cfg(target_arch = "x86_64")]
use cuprum_core::SimdLevel;

/// Runs `body`, which the compiler inlines here, with the instructions of [`SimdLevel::detect`].
#[inline]
pub(crate) fn run<R>(body: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        match SimdLevel::detect() {
            // SAFETY: the CPU has the instructions of the level.
            SimdLevel::Avx512 => unsafe { with_avx512(body) },
            // SAFETY: as above.
            SimdLevel::Avx2 => unsafe { with_avx2(body) },
            SimdLevel::Portable => body(),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    body()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2")]
fn with_avx512<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(body: impl FnOnce() -> R) -> R {
    body()
}
