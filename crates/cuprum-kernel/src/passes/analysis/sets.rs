//! Sets of small numbers.

/// A set of numbers below a bound, a bit each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> BitSet {
        BitSet { words: vec![0; bound.div_ceil(64)] }
    }

    /// Whether it holds `value`.
    pub fn contains(&self, value: usize) -> bool {
        self.words.get(value / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    /// Adds `value`, which is below the bound. Whether it is new.
    pub fn insert(&mut self, value: usize) -> bool {
        let word = &mut self.words[value / 64];
        let before = *word;
        *word |= 1 << (value % 64);
        *word != before
    }

    /// Takes `value` out.
    pub fn remove(&mut self, value: usize) {
        if let Some(word) = self.words.get_mut(value / 64) {
            *word &= !(1 << (value % 64));
        }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds all of `other`. Whether any is new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Adds what is in `all` but not in `but`. Whether any is new.
    pub fn union_difference(&mut self, all: &BitSet, but: &BitSet) -> bool {
        let mut changed = false;
        for ((word, more), less) in self.words.iter_mut().zip(&all.words).zip(&but.words) {
            let more = more & !less;
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Its numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_in_and_out() {
        let mut set = BitSet::new(200);
        assert!(set.insert(3) && set.insert(64) && set.insert(199) && !set.insert(3));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 199]);
        set.remove(64);
        let mut other = BitSet::new(200);
        assert!(other.union_with(&set) && !other.union_with(&set));
        assert!(other.contains(199) && !other.contains(64) && !other.contains(4000));
        assert!(!other.is_empty());
    }
}
