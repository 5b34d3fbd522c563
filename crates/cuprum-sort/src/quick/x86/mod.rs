//! The engine's vectors in AVX2 and AVX-512.
//!
//! Methods are inlined into `sort_range` and `classify`, which are compiled for their instructions; most are unsafe for that
//! reason only.

pub(super) mod avx2;
pub(super) mod avx512;
