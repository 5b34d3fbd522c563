//! The arguments of a launch: one struct, whose bytes are laid out here as the compiler lays out the text's `Args`.

use smallvec::SmallVec;

/// The bytes of a kernel's one parameter.
#[derive(Clone, Debug, Default)]
pub struct ProgramArgs {
    bytes: SmallVec<[u8; 384]>,
}

impl ProgramArgs {
    /// The bytes, to be given by address as the kernel's only parameter.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Pads as C does before a field of that alignment.
    fn align(&mut self, alignment: usize) {
        let end = self.bytes.len().next_multiple_of(alignment);
        self.bytes.resize(end, 0);
    }

    /// A field aligned to its own size; gives its place.
    pub(super) fn push(&mut self, field: &[u8]) -> usize {
        self.align(field.len());
        self.bytes.extend_from_slice(field);
        self.bytes.len() - field.len()
    }

    /// An address.
    pub(super) fn push_address(&mut self, address: usize) {
        self.push(&(address as u64).to_le_bytes());
    }

    /// Writes an address over the one that is the `nth` field, all before it being addresses too.
    pub(super) fn set_address(&mut self, nth: usize, address: usize) {
        self.bytes[nth * 8..nth * 8 + 8].copy_from_slice(&(address as u64).to_le_bytes());
    }

    /// Pads the end as C does for the struct's own alignment.
    pub(super) fn finish(&mut self) {
        self.align(16);
    }
}

/// Adds counts, divisors and strides in the width of the kernel's `Index`.
pub(super) struct IndexArgs<'a> {
    pub(super) args: &'a mut ProgramArgs,
    pub(super) wide: bool,
}

impl IndexArgs<'_> {
    pub(super) fn count(&mut self, count: usize) {
        if self.wide {
            self.args.push(&(count as u64).to_le_bytes());
        } else {
            self.args.push(&(count as u32).to_le_bytes());
        }
    }

    pub(super) fn stride(&mut self, stride: isize) {
        if self.wide {
            self.args.push(&(stride as i64).to_le_bytes());
        } else {
            self.args.push(&(stride as i32).to_le_bytes());
        }
    }

    /// A `Divisor`: in 32 bits a multiplier and a shift stand for the division of numbers below two to the 31st.
    pub(super) fn divisor(&mut self, size: usize) {
        self.count(size);
        if !self.wide {
            let (multiplier, shift) = reciprocal(size as u32);
            self.args.push(&multiplier.to_le_bytes());
            self.args.push(&shift.to_le_bytes());
        }
    }
}

/// `(m, s)` such that `n / d == (mulhi(n, m) + n) >> s` for all `n` below two to the 31st.
fn reciprocal(d: u32) -> (u32, u32) {
    let shift = 32 - (d - 1).leading_zeros();
    let multiplier = ((1u64 << 32) * ((1u64 << shift) - u64::from(d)) / u64::from(d) + 1) as u32;
    (multiplier, shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_divide() {
        let divide = |n: u32, (m, s): (u32, u32)| (((u64::from(n) * u64::from(m)) >> 32) as u32 + n) >> s;
        let most = (1u32 << 31) - 1;
        for d in (1..2000).chain([3 << 20, 65_535, 65_536, 65_537, most - 1, most]) {
            let r = reciprocal(d);
            let near = [0u32, 1, d - 1, d, d.saturating_add(1), 2 * (d / 2) + 1, most - 1, most];
            let multiples = (1..50u32).filter_map(|k| d.checked_mul(k * 37)).flat_map(|m| [m - 1, m]);
            for n in near.into_iter().chain(multiples).filter(|&n| n <= most) {
                assert_eq!(divide(n, r), n / d, "{n} / {d}");
            }
        }
    }

    #[test]
    fn fields_lie_as_c_lays_them_out() {
        let mut args = ProgramArgs::default();
        args.push(&[1]);
        args.push(&[2, 2]);
        args.push_address(3);
        args.push(&[4; 16]);
        args.push(&[5]);
        args.finish();
        let places: Vec<usize> =
            [1, 2, 3, 4, 5].iter().map(|b| args.bytes().iter().position(|x| x == b).unwrap()).collect();
        assert_eq!(places, [0, 2, 8, 16, 32]);
        assert_eq!(args.bytes().len(), 48);
    }
}
