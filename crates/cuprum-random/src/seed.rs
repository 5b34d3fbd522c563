//! NumPy's SeedSequence: entropy of any length, mixed into a pool, becomes well-spread words of state.

const INIT_A: u32 = 0x43b0d7e5;
const MULT_A: u32 = 0x931e8875;
const INIT_B: u32 = 0x8b51f9dd;
const MULT_B: u32 = 0x58f38ded;
const MIX_L: u32 = 0xca01f9dd;
const MIX_R: u32 = 0x4973f715;

/// The pool that seeds are taken from.
///
/// ```
/// use cuprum_random::SeedSequence;
/// let seeds = SeedSequence::new(&[42], &[], 4);
/// // As `numpy.random.SeedSequence(42).generate_state(2)`.
/// assert_eq!(seeds.generate(2), [3444837047, 2669555309]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeedSequence {
    pool: Vec<u32>,
}

impl SeedSequence {
    /// Mixes entropy and a spawn key, in words of 32 bits, into a pool of `size` words.
    pub fn new(entropy: &[u32], spawn_key: &[u32], size: usize) -> SeedSequence {
        let mut words = entropy.to_vec();
        // A child must not collide with a parent whose entropy ends in the child's key.
        if !spawn_key.is_empty() && words.len() < size {
            words.resize(size, 0);
        }
        words.extend_from_slice(spawn_key);

        let mut constant = INIT_A;
        let mut pool: Vec<u32> =
            (0..size).map(|i| hash(words.get(i).copied().unwrap_or(0), &mut constant, MULT_A)).collect();
        for source in 0..size {
            for target in (0..size).filter(|target| *target != source) {
                pool[target] = mix(pool[target], hash(pool[source], &mut constant, MULT_A));
            }
        }
        for word in words.iter().skip(size) {
            for place in &mut pool {
                *place = mix(*place, hash(*word, &mut constant, MULT_A));
            }
        }
        SeedSequence { pool }
    }

    /// A sequence of words that were mixed before.
    ///
    /// ```
    /// use cuprum_random::SeedSequence;
    /// let seeds = SeedSequence::new(&[42], &[], 4);
    /// assert_eq!(SeedSequence::from_pool(seeds.pool().to_vec()), seeds);
    /// ```
    pub fn from_pool(pool: Vec<u32>) -> SeedSequence {
        SeedSequence { pool }
    }

    /// The mixed words.
    pub fn pool(&self) -> &[u32] {
        &self.pool
    }

    /// `count` words of state; always the same ones.
    pub fn generate(&self, count: usize) -> Vec<u32> {
        let mut constant = INIT_B;
        self.pool.iter().cycle().take(count).map(|word| hash(*word, &mut constant, MULT_B)).collect()
    }

    /// `count` words of 64 bits, lower halves first.
    ///
    /// ```
    /// use cuprum_random::SeedSequence;
    /// let seeds = SeedSequence::new(&[5], &[], 4);
    /// // The key of `numpy.random.Philox(5)`.
    /// assert_eq!(seeds.generate_wide(2), [12631478326263854183, 4464650224815488352]);
    /// ```
    pub fn generate_wide(&self, count: usize) -> Vec<u64> {
        let halves = self.generate(2 * count);
        halves.chunks_exact(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
    }
}

fn hash(value: u32, constant: &mut u32, multiplier: u32) -> u32 {
    let mixed = value ^ *constant;
    *constant = constant.wrapping_mul(multiplier);
    let mixed = mixed.wrapping_mul(*constant);
    mixed ^ (mixed >> 16)
}

fn mix(x: u32, y: u32) -> u32 {
    let mixed = MIX_L.wrapping_mul(x).wrapping_sub(MIX_R.wrapping_mul(y));
    mixed ^ (mixed >> 16)
}
