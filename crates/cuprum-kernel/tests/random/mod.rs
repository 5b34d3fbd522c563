//! Numbers for what tests make up at random: the same in every run (SplitMix64).

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Of any type of integers; 0 where there are none below.
    pub fn below<T: TryInto<u64> + TryFrom<u64>>(&mut self, count: T) -> T {
        let count = count.try_into().unwrap_or_else(|_| panic!("a count")).max(1);
        T::try_from(self.next() % count).unwrap_or_else(|_| panic!("less than the count"))
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
