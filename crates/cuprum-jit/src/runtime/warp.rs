//! Warp collectives: what each lane gets, from what all lanes of a mask bring.
//!
//! Shuffles follow the PTX instruction `shfl.sync`, with the operands that CUDA's `__shfl_*_sync` give it. When a
//! collective fires is the scheduler's part.

use cuprum_kernel::ir::{Type, Warp};

/// Lanes of a warp.
pub const LANES: usize = 32;

/// What a lane brings.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lane {
    /// The value's bits; those above its type's width are not read.
    pub value: u64,
    /// The lane, delta or lane mask of a shuffle.
    pub lane: u32,
    /// The width of a shuffle's groups.
    pub width: u32,
}

/// The lane that a shuffle reads for `own`: itself where the wanted lane is outside its group.
pub fn source(op: Warp, own: u32, lane: u32, width: u32) -> u32 {
    // Of the lane's number, the bits that all lanes of a group share.
    let group = 32u32.wrapping_sub(width) & 31;
    let by = lane & 31;
    let first = own & group;
    let last = first | (31 & !group);
    let (wanted, within) = match op {
        Warp::ShuffleUp => {
            let wanted = own.wrapping_sub(by);
            (wanted, wanted as i32 >= first as i32)
        }
        Warp::ShuffleDown => (own + by, own + by <= last),
        // Lanes of groups below may be read, those of groups above not.
        Warp::ShuffleXor => (own ^ by, own ^ by <= last),
        _ => {
            let wanted = first | (by & !group & 31);
            (wanted, wanted <= last)
        }
    };
    if within { wanted & 31 } else { own }
}

/// Whether it is a shuffle.
pub fn is_shuffle(op: Warp) -> bool {
    matches!(op, Warp::Shuffle | Warp::ShuffleUp | Warp::ShuffleDown | Warp::ShuffleXor)
}

/// The result of each lane of `mask`, of values of type `ty`. A shuffle from a lane that is not in `mask` gives the lane's
/// own value: CUDA leaves it open.
pub fn evaluate(op: Warp, ty: Type, mask: u32, lanes: &[Lane; LANES]) -> [u64; LANES] {
    let width = u64::MAX >> (64 - 8 * ty.bytes());
    let members = || (0..LANES).filter(|lane| mask >> lane & 1 != 0);
    let value = |lane: usize| lanes[lane].value & width;
    let mut results = [0; LANES];
    if is_shuffle(op) {
        for own in members() {
            let from = source(op, own as u32, lanes[own].lane, lanes[own].width) as usize;
            results[own] = if mask >> from & 1 != 0 { value(from) } else { value(own) };
        }
        return results;
    }
    if op == Warp::MatchAny {
        for own in members() {
            let same = members().filter(|lane| value(*lane) == value(own));
            results[own] = same.fold(0, |bits, lane| bits | 1 << lane);
        }
        return results;
    }
    let ballot = || members().filter(|lane| value(*lane) != 0).fold(0u32, |bits, lane| bits | 1 << lane);
    let reduce = |combine: fn(u32, u32) -> u32| {
        u64::from(members().map(|lane| value(lane) as u32).reduce(combine).unwrap_or(0))
    };
    let common = match op {
        Warp::Ballot => u64::from(ballot()),
        Warp::All => u64::from(ballot() == mask),
        Warp::Any => u64::from(ballot() != 0),
        Warp::MatchAll => {
            let mut values = members().map(value);
            let first = values.next();
            if values.all(|value| Some(value) == first) { u64::from(mask) } else { 0 }
        }
        Warp::ReduceAdd => reduce(u32::wrapping_add),
        Warp::ReduceMinS => reduce(|a, b| (a as i32).min(b as i32) as u32),
        Warp::ReduceMaxS => reduce(|a, b| (a as i32).max(b as i32) as u32),
        Warp::ReduceMinU => reduce(u32::min),
        Warp::ReduceMaxU => reduce(u32::max),
        Warp::ReduceAnd => reduce(|a, b| a & b),
        Warp::ReduceOr => reduce(|a, b| a | b),
        Warp::ReduceXor => reduce(|a, b| a ^ b),
        Warp::Shuffle | Warp::ShuffleUp | Warp::ShuffleDown | Warp::ShuffleXor | Warp::MatchAny => 0,
    };
    for own in members() {
        results[own] = common;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(make: impl Fn(u32) -> Lane) -> [Lane; LANES] {
        std::array::from_fn(|lane| make(lane as u32))
    }

    /// The programming guide's words, for widths that are powers of two: the warp is split into groups of `width`.
    fn guide(op: Warp, own: i64, by: i64, width: i64) -> i64 {
        let (group, within) = (own / width, own % width);
        match op {
            Warp::Shuffle => group * width + by.rem_euclid(width),
            Warp::ShuffleUp if within - by >= 0 => own - by,
            Warp::ShuffleDown if within + by < width => own + by,
            Warp::ShuffleXor if (own ^ by) / width <= group => own ^ by,
            _ => own,
        }
    }

    #[test]
    fn shuffles_follow_the_programming_guide() {
        for op in [Warp::Shuffle, Warp::ShuffleUp, Warp::ShuffleDown, Warp::ShuffleXor] {
            for width in [1, 2, 4, 8, 16, 32] {
                for by in 0..32 {
                    let got = evaluate(
                        op,
                        Type::I32,
                        u32::MAX,
                        &lanes(|lane| Lane { value: 100 + u64::from(lane), lane: by, width }),
                    );
                    for own in 0..32 {
                        let want = 100 + guide(op, own, i64::from(by), i64::from(width));
                        assert_eq!(got[own as usize], want as u64, "{op:?} {own} by {by} of {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_shuffle_takes_lanes_modulo_the_width() {
        assert_eq!(source(Warp::Shuffle, 5, -1i32 as u32, 8), 7);
        assert_eq!(source(Warp::Shuffle, 13, 9, 4), 13);
        assert_eq!(source(Warp::Shuffle, 3, 40, 32), 8);
    }

    #[test]
    fn lanes_outside_the_mask_give_nothing_and_get_nothing() {
        let got = evaluate(
            Warp::ShuffleDown,
            Type::F64,
            0b0111,
            &lanes(|lane| Lane { value: f64::from(lane).to_bits(), lane: 1, width: 32 }),
        );
        let got: Vec<f64> = got[..4].iter().map(|bits| f64::from_bits(*bits)).collect();
        assert_eq!(got, [1.0, 2.0, 2.0, 0.0]);
    }

    #[test]
    fn votes_and_matches() {
        let odd = lanes(|lane| Lane { value: u64::from(lane % 2) | 1 << 40, ..Lane::default() });
        let mask = 0xffff;
        assert_eq!(evaluate(Warp::Ballot, Type::I32, mask, &odd)[3], 0xaaaa);
        assert_eq!(evaluate(Warp::All, Type::I32, mask, &odd)[3], 0);
        assert_eq!(evaluate(Warp::All, Type::I32, 0xaaaa, &odd)[3], 1);
        assert_eq!(evaluate(Warp::Any, Type::I32, 0x5555, &odd)[2], 0);
        assert_eq!(evaluate(Warp::MatchAny, Type::I32, mask, &odd)[..2], [0x5555, 0xaaaa]);
        assert_eq!(evaluate(Warp::MatchAll, Type::I32, 0x5555, &odd)[2], 0x5555);
        assert_eq!(evaluate(Warp::MatchAll, Type::I32, mask, &odd)[2], 0);
    }

    #[test]
    fn reductions_are_of_the_lanes_in_the_mask() {
        let values = lanes(|lane| Lane { value: u64::from((lane as i32 - 16) as u32), ..Lane::default() });
        let of = |op| evaluate(op, Type::I32, 0x00ff_ff00, &values)[8] as u32 as i32;
        assert_eq!(of(Warp::ReduceAdd), (8..24).map(|lane| lane - 16).sum::<i32>());
        assert_eq!((of(Warp::ReduceMinS), of(Warp::ReduceMaxS)), (-8, 7));
        assert_eq!((of(Warp::ReduceMinU), of(Warp::ReduceMaxU)), (0, -1));
        assert_eq!((of(Warp::ReduceAnd), of(Warp::ReduceOr)), (0, -1));
        assert_eq!(of(Warp::ReduceXor), (8..24).map(|lane| lane - 16).fold(0, |a, b| a ^ b));
    }
}
