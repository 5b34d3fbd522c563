//! What distributions draw from: words of 64 and 32 bits and the uniform numbers made of them.

/// A sequence of random words.
pub(super) trait WordSource {
    /// A word of 64 bits.
    fn next64(&mut self) -> u64;

    /// A word of 32 bits.
    fn next32(&mut self) -> u32;

    /// A word as the generator makes it.
    #[inline]
    fn raw(&mut self) -> u64 {
        self.next64()
    }

    /// A number from 0 up to, but without, 1.
    #[inline]
    fn next_double(&mut self) -> f64 {
        unit(self.next64())
    }

    /// The same in single precision.
    #[inline]
    fn next_float(&mut self) -> f32 {
        (self.next32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
}

/// The upper 53 bits of a word as a fraction.
#[inline]
pub(super) fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// An engine of words of 64 bits.
pub(super) trait Engine {
    fn next(&mut self) -> u64;
}

/// An engine whose words are halved for draws of 32 bits, the lower half first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Halved<E> {
    pub(super) engine: E,
    /// The upper half that waits to be drawn, and whether it does. A half that was drawn stays, as in NumPy.
    pub(super) half: u32,
    pub(super) has_half: bool,
}

impl<E> Halved<E> {
    pub(super) fn new(engine: E) -> Halved<E> {
        Halved { engine, half: 0, has_half: false }
    }
}

impl<E: Engine> WordSource for Halved<E> {
    #[inline]
    fn next64(&mut self) -> u64 {
        self.engine.next()
    }

    #[inline]
    fn next32(&mut self) -> u32 {
        if self.has_half {
            self.has_half = false;
            return self.half;
        }
        let word = self.engine.next();
        self.has_half = true;
        self.half = (word >> 32) as u32;
        word as u32
    }
}

/// A floating-point number without its fraction; what is beyond 64 bits becomes the lowest integer, as x86's conversion has it and NumPy's
/// rejection loops rely on.
#[inline]
pub(super) fn whole(x: f64) -> i64 {
    if (-9.223372036854776e18..9.223372036854776e18).contains(&x) { x as i64 } else { i64::MIN }
}
