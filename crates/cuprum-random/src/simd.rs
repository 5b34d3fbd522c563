//! Loops compiled for each instruction set, with the same bits.

use cuprum_core::SimdLevel;

/// A loop; its body is inlined into a function of each instruction set.
pub(crate) trait Loop {
    fn run(self);
}

/// Runs a loop compiled for `level`, or for every CPU where this one has no such instructions.
#[inline]
pub(crate) fn run<L: Loop>(level: SimdLevel, body: L) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi2,fma")]
        fn avx2<L: Loop>(body: L) {
            body.run();
        }
        #[target_feature(enable = "avx2,bmi2,fma,avx512f,avx512bw,avx512dq,avx512vl")]
        fn avx512<L: Loop>(body: L) {
            body.run();
        }
        if level != SimdLevel::Portable && level.is_available() {
            // SAFETY: the CPU has the instructions: the line above asked it.
            unsafe {
                match level {
                    SimdLevel::Avx512 => avx512(body),
                    _ => avx2(body),
                }
            }
            return;
        }
    }
    let _ = level;
    body.run();
}
