//! PCG64 (XSL-RR) and PCG64DXSM: a linear congruential generator of 128 bits, permuted on output.

use super::words::Engine;

const MULTIPLIER: u128 = 2_549_297_995_355_413_924 << 64 | 4_865_540_595_714_422_341;
const CHEAP_MULTIPLIER: u64 = 0xda94_2042_e4dd_58b5;

/// How far `jumped` goes: 2^128 times the fraction of the golden ratio.
const JUMP: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// The generator. `DXSM` has the cheap multiplier and permutes the state before its step, the other after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pcg<const DXSM: bool> {
    pub(super) state: u128,
    pub(super) increment: u128,
}

impl<const DXSM: bool> Pcg<DXSM> {
    const MULTIPLIER: u128 = if DXSM { CHEAP_MULTIPLIER as u128 } else { MULTIPLIER };

    /// The generator of four words of seed: the state and the sequence, upper words first.
    pub(super) fn new(seed: &[u64; 4]) -> Pcg<DXSM> {
        let [state, sequence] = [join(seed[0], seed[1]), join(seed[2], seed[3])];
        let increment = sequence << 1 | 1;
        // Either kind is seeded by steps of the first, as in NumPy: from zero, then from the sum with the seed.
        let start = increment.wrapping_add(state).wrapping_mul(MULTIPLIER).wrapping_add(increment);
        Pcg { state: start, increment }
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(Self::MULTIPLIER).wrapping_add(self.increment);
    }

    /// Moves on by `delta` words in as many steps as it has bits.
    pub(super) fn advance(&mut self, mut delta: u128) {
        let (mut multiplier, mut increment) = (Self::MULTIPLIER, self.increment);
        let (mut by, mut plus) = (1u128, 0u128);
        while delta > 0 {
            if delta & 1 == 1 {
                by = by.wrapping_mul(multiplier);
                plus = plus.wrapping_mul(multiplier).wrapping_add(increment);
            }
            increment = multiplier.wrapping_add(1).wrapping_mul(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            delta >>= 1;
        }
        self.state = by.wrapping_mul(self.state).wrapping_add(plus);
    }

    pub(super) fn jump(&mut self, times: u128) {
        self.advance(JUMP.wrapping_mul(times));
    }
}

impl<const DXSM: bool> Engine for Pcg<DXSM> {
    #[inline]
    fn next(&mut self) -> u64 {
        if DXSM {
            let (mut high, low) = ((self.state >> 64) as u64, self.state as u64 | 1);
            high ^= high >> 32;
            high = high.wrapping_mul(CHEAP_MULTIPLIER);
            high ^= high >> 48;
            self.step();
            return high.wrapping_mul(low);
        }
        self.step();
        let (high, low) = ((self.state >> 64) as u64, self.state as u64);
        (high ^ low).rotate_right((self.state >> 122) as u32)
    }
}

/// A number of 128 bits from its halves.
#[inline]
pub(super) fn join(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}
