//! SFC64: Chris Doty-Humphrey's small fast chaotic generator, three words and a counter.

use super::words::Engine;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sfc64 {
    pub(super) state: [u64; 4],
}

impl Sfc64 {
    /// The generator of three words of seed, mixed by twelve steps.
    pub(super) fn new(seed: &[u64; 3]) -> Sfc64 {
        let mut made = Sfc64 { state: [seed[0], seed[1], seed[2], 1] };
        for _ in 0..12 {
            made.next();
        }
        made
    }
}

impl Engine for Sfc64 {
    #[inline]
    fn next(&mut self) -> u64 {
        let [a, b, c, counter] = self.state;
        let word = a.wrapping_add(b).wrapping_add(counter);
        self.state = [
            b ^ (b >> 11),
            c.wrapping_add(c << 3),
            c.rotate_left(24).wrapping_add(word),
            counter.wrapping_add(1),
        ];
        word
    }
}
