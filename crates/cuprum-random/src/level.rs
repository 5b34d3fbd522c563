//! Instruction sets: a loop is written once and compiled for each of them, with the same bits.

/// The instruction set that a loop runs with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// What every CPU of the architecture has.
    Portable,
    /// AVX2, BMI2 and FMA.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Level {
    /// The best level of this CPU.
    ///
    /// ```
    /// use cuprum_random::Level;
    /// assert!(Level::detect().is_available());
    /// ```
    pub fn detect() -> Level {
        [Level::Avx512, Level::Avx2].into_iter().find(|level| level.is_available()).unwrap_or(Level::Portable)
    }

    /// Whether this CPU has the instructions.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = || {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("fma")
            };
            match self {
                Level::Portable => true,
                Level::Avx2 => avx2(),
                Level::Avx512 => {
                    avx2()
                        && is_x86_feature_detected!("avx512f")
                        && is_x86_feature_detected!("avx512bw")
                        && is_x86_feature_detected!("avx512dq")
                        && is_x86_feature_detected!("avx512vl")
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Level::Portable
        }
    }
}

/// A loop; its body is inlined into a function of each instruction set.
pub(crate) trait Loop {
    fn run(self);
}

/// Runs a loop compiled for `level`, or for every CPU where this one has no such instructions.
#[inline]
pub(crate) fn run<L: Loop>(level: Level, body: L) {
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
        if level != Level::Portable && level.is_available() {
            // SAFETY: the CPU has the instructions: the line above asked it.
            unsafe {
                match level {
                    Level::Avx512 => avx512(body),
                    _ => avx2(body),
                }
            }
            return;
        }
    }
    let _ = level;
    body.run();
}
