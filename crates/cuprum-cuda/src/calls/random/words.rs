//! A Philox stream as kernels take it: what all its blocks share is worked out once, here.

use cuprum_core::Stream;
use cuprum_random::{Light, counter_after};
use smallvec::SmallVec;

use crate::launch::LaunchArgs;
use crate::ops::PRELUDE;

const MULTIPLIERS: [u64; 2] = [0xD2E7470EE14C6C93, 0xCA5A826395121157];
const WEYL: [u64; 2] = [0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B];
/// More blocks than any call takes.
const MAX_BLOCKS: u64 = 1 << 48;

/// The text of a kernel: the prelude, the stream, then `parts`. Macros and types that `parts` stand on go into `defines`.
pub(super) fn text(carry: bool, defines: &str, parts: &[&str]) -> String {
    let carry = format!("#define CARRY {}\n{defines}\n", u32::from(carry));
    [PRELUDE, &carry, include_str!("../../kernels/philox4x64.cuh")]
        .into_iter()
        .chain(parts.iter().copied())
        .collect()
}

/// The struct `Words` of `philox4x64.cuh`.
pub(super) struct Philox {
    key: [u64; 2],
    /// Of the first enciphered block.
    counter: [u64; 4],
    /// The blocks before it.
    lead: SmallVec<[[u64; 4]; 2]>,
    /// The place of the first draw in its block, in draws of 32 bits.
    shift: u32,
    /// Whether the counter's lowest word may overflow.
    pub carry: bool,
}

impl Philox {
    /// The stream's words.
    pub fn words(stream: &Stream) -> Philox {
        Philox::new(stream, [[0; 4], stream.lead], 8 + 2 * stream.taken.min(4))
    }

    /// The stream's draws of 32 bits, the one that waits first.
    pub fn halves(stream: &Stream) -> Philox {
        let (mut blocks, mut place) = ([[0; 4], stream.lead], 8 + 2 * stream.taken.min(4));
        if stream.has_half {
            // It stands in place of the upper half of the word before.
            place -= 1;
            let word = &mut blocks[place / 8][place % 8 / 2];
            *word = u64::from(stream.half) << 32 | (*word & 0xffff_ffff);
        }
        Philox::new(stream, blocks, place)
    }

    /// The stream's blocks, for elements that own one each.
    pub fn blocks(stream: &Stream) -> Philox {
        Philox::new(stream, [[0; 4]; 2], 16)
    }

    /// The stream from a place on, counted in draws of 32 bits: two blocks are given, the others follow the counter.
    fn new(stream: &Stream, given: [[u64; 4]; 2], place: usize) -> Philox {
        let counter = incremented(stream.counter, 0);
        let carry = counter[0] > u64::MAX - MAX_BLOCKS;
        let lead = given[(place / 8).min(2)..].iter().copied().collect();
        Philox { key: stream.key, counter, lead, shift: (place % 8) as u32, carry }
    }

    /// How many chunks of eight draws a warp makes.
    pub fn chunks_of_warp(&self) -> u64 {
        chunks_of_warp(self.shift)
    }

    /// Appends the struct to a launch's arguments.
    pub fn pass<'a>(&self, args: &'a mut LaunchArgs) -> &'a mut LaunchArgs {
        let round = |r: u64| [0, 1].map(|i| self.key[i].wrapping_add(WEYL[i].wrapping_mul(r)));
        let mut fields: SmallVec<[u64; 40]> = (2..10).flat_map(round).collect();
        fields.extend(self.start(self.counter));
        fields.extend(self.start(incremented(self.counter, 1)));
        fields.extend(self.key);
        fields.extend(self.counter);
        let lead = self.lead.iter().flatten().copied();
        fields.extend(lead.chain(std::iter::repeat(0)).take(8));
        fields.push(self.lead.len() as u64 | u64::from(self.shift) << 32);
        let bytes: SmallVec<[u8; 320]> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        args.bytes(&bytes)
    }

    /// What the first two rounds make of all but the lowest word of a counter.
    fn start(&self, [_, b, c, d]: [u64; 4]) -> [u64; 4] {
        let product = |x: u64, i: usize| {
            let wide = u128::from(x) * u128::from(MULTIPLIERS[i]);
            ((wide >> 64) as u64, wide as u64)
        };
        let (upper, lower) = product(c, 1);
        let next = [0, 1].map(|i| self.key[i].wrapping_add(WEYL[i]));
        let (second_upper, second_lower) = product(upper ^ b ^ self.key[0], 0);
        [d ^ self.key[1], lower ^ next[0], second_upper ^ next[1], second_lower]
    }
}

/// The struct `Light` of `philox4x32.cuh`.
pub(super) struct LightWords {
    /// Of the first block.
    lowest: u64,
    start: Light,
    /// Where the lowest word has overflowed.
    carried: Light,
    /// The place of the first draw in its light block, in draws of 32 bits,
    shift: u32,
    /// and which half of its block that is.
    half: u32,
    carry: bool,
}

impl LightWords {
    /// The stream's light words.
    pub fn words(stream: &Stream) -> LightWords {
        LightWords::new(stream, 8 + 2 * stream.taken.min(4))
    }

    /// The light draws of 32 bits; one that waits is the upper half of the word before.
    pub fn halves(stream: &Stream) -> LightWords {
        LightWords::new(stream, 8 + 2 * stream.taken.min(4) - usize::from(stream.has_half))
    }

    /// From a place on, counted in draws of 32 bits from the block before the stream's counter.
    fn new(stream: &Stream, place: usize) -> LightWords {
        let counter = counter_after(stream.counter, [place as u64 / 8, 0, 0, 0]);
        let counter = counter_after(counter, [u64::MAX; 4]);
        let light = |counter| Light::new(stream.key, counter);
        LightWords {
            lowest: counter[0],
            start: light(counter),
            carried: light(incremented(counter, 1)),
            shift: (place % 4) as u32,
            half: (place / 4 % 2) as u32,
            carry: counter[0] > u64::MAX - MAX_BLOCKS,
        }
    }

    /// Whether light blocks are chunks, and so many of them have one upper half of the counter's lowest word.
    fn is_plain(&self, chunks: u64) -> bool {
        let blocks = (chunks + u64::from(self.half)).div_ceil(2);
        self.shift == 0 && (self.lowest & 0xffff_ffff) + blocks <= 1 << 32
    }

    fn pass<'a>(&self, args: &'a mut LaunchArgs) -> &'a mut LaunchArgs {
        const MULTIPLIERS: [u32; 2] = [0xD2511F53, 0xCD9E8D57];
        const WEYL: [u32; 2] = [0x9E3779B9, 0xBB67AE85];
        let mut bytes = [0; 144];
        bytes[..8].copy_from_slice(&self.lowest.to_le_bytes());
        let mut write =
            |at: usize, field: u32| bytes[8 + 4 * at..][..4].copy_from_slice(&field.to_le_bytes());
        for (start, light) in [(0, self.start), (16, self.carried)] {
            let key = |round: u32, i: usize| light.key[i].wrapping_add(WEYL[i].wrapping_mul(round));
            for half in 0..2 {
                let product = u64::from(light.upper[0] | half) * u64::from(MULTIPLIERS[1]);
                write(start + half as usize, (product >> 32) as u32 ^ key(0, 0));
                write(start + 2 + half as usize, product as u32 ^ key(1, 0));
            }
            write(start + 4, light.upper[1] ^ key(0, 1));
            write(start + 5, key(1, 1));
            for round in 2..7 {
                write(start + 2 + 2 * round as usize, key(round, 0));
                write(start + 3 + 2 * round as usize, key(round, 1));
            }
        }
        write(32, self.shift);
        write(33, self.half);
        args.bytes(&bytes)
    }
}

/// What a fill takes its draws from.
pub(super) enum DrawSource {
    Words(Philox),
    Light(LightWords),
}

/// The cipher that draws come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CipherKind {
    Words,
    Light,
}

impl CipherKind {
    /// The struct that kernels take.
    pub fn type_name(self) -> &'static str {
        match self {
            CipherKind::Words => "Words",
            CipherKind::Light => "Light",
        }
    }

    /// How many draws of 32 bits a chunk is.
    pub fn draws(self) -> u64 {
        match self {
            CipherKind::Words => 8,
            CipherKind::Light => 4,
        }
    }
}

impl From<Philox> for DrawSource {
    fn from(words: Philox) -> DrawSource {
        DrawSource::Words(words)
    }
}

impl DrawSource {
    pub fn carry(&self) -> bool {
        match self {
            DrawSource::Words(words) => words.carry,
            DrawSource::Light(words) => words.carry,
        }
    }

    /// Whether chunks are blocks, and all of them are enciphered without a carry.
    pub fn is_plain(&self, chunks: u64) -> bool {
        match self {
            DrawSource::Words(words) => !words.carry && words.shift == 0 && words.lead.is_empty(),
            DrawSource::Light(words) => words.is_plain(chunks),
        }
    }

    /// The type of the kernels, and how many draws of 32 bits a chunk is.
    pub fn kind(&self) -> CipherKind {
        match self {
            DrawSource::Words(_) => CipherKind::Words,
            DrawSource::Light(_) => CipherKind::Light,
        }
    }

    /// How many chunks a warp makes.
    pub fn chunks_of_warp(&self) -> u64 {
        match self {
            DrawSource::Words(words) => words.chunks_of_warp(),
            DrawSource::Light(words) => chunks_of_warp(words.shift),
        }
    }

    pub fn pass<'a>(&self, args: &'a mut LaunchArgs) -> &'a mut LaunchArgs {
        match self {
            DrawSource::Words(words) => words.pass(args),
            DrawSource::Light(words) => words.pass(args),
        }
    }
}

impl From<LightWords> for DrawSource {
    fn from(words: LightWords) -> DrawSource {
        DrawSource::Light(words)
    }
}

fn chunks_of_warp(shift: u32) -> u64 {
    if shift == 0 { 32 } else { 31 }
}

/// The counter with one added to its word `from`, carried upwards.
fn incremented(mut counter: [u64; 4], from: usize) -> [u64; 4] {
    for word in &mut counter[from..] {
        *word = word.wrapping_add(1);
        if *word != 0 {
            break;
        }
    }
    counter
}
