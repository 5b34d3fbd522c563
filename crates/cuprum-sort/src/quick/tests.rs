//! The engine against the standard library's sort, at every level of the machine.

use super::*;

/// Random numbers, the same ones every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Keys of kinds that sorts go wrong with.
fn keys<K: SortKey>(n: usize, kind: usize, numbers: &mut Numbers) -> Vec<K> {
    let bits = 8 * size_of::<K>() as u32;
    let ends = [K::MIN, K::MAX];
    let any = |x: u64| K::from_wide((x as i64) >> (64 - bits));
    let small = |x: u64| K::from_wide(x as i64);
    let mut made: Vec<K> = (0..n)
        .map(|i| {
            let x = numbers.next();
            match kind {
                0 => any(x),
                1 => small(x % 10),
                2 => small(7),
                3 => ends[(x % 2) as usize],
                4 => [K::MAX, any(x)][(x % 2) as usize],
                5 => small(i as u64),
                6 => small((n - i) as u64),
                7 => small((i % 33) as u64),
                _ => small(i.min(n - i) as u64),
            }
        })
        .collect();
    if n > 2 && kind == 5 {
        made.swap(0, n - 1);
    }
    made
}

/// Miri takes a thousand times as long.
fn lengths() -> impl Iterator<Item = usize> {
    let longer = [100, 127, 128, 129, 255, 256, 257, 300, 511, 513, 1000, 1025, 2048, 3001, 10_007];
    let (short, longer) = if cfg!(miri) { (4, &longer[3..4]) } else { (70, &longer[..]) };
    (0..short).chain(longer.to_vec())
}

fn kinds() -> impl Iterator<Item = usize> {
    (0..9).step_by(if cfg!(miri) { 4 } else { 1 })
}

/// Miri has no vector instructions.
fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| !cfg!(miri) || *level == SimdLevel::Portable)
}

fn sorts<K: SortKey + std::fmt::Debug>() {
    let mut numbers = Numbers(88_172_645_463_325_252);
    for n in lengths() {
        for kind in kinds() {
            let given: Vec<K> = keys(n, kind, &mut numbers);
            let mut want = given.clone();
            want.sort();
            for level in levels() {
                let mut got = given.clone();
                K::sort_keys(&mut got, level);
                assert!(got == want, "{n} keys of kind {kind} at {level:?}");
            }
        }
    }
}

fn selects<K: SortKey + std::fmt::Debug>() {
    let mut numbers = Numbers(1);
    for n in lengths().filter(|n| *n > 0) {
        for kind in kinds() {
            let given: Vec<K> = keys(n, kind, &mut numbers);
            let mut want = given.clone();
            want.sort();
            let mut several = vec![0, n / 3, n / 2, n - 1];
            several.dedup();
            for wanted in [vec![n / 2], vec![0], vec![n - 1], several] {
                for level in levels() {
                    let mut got = given.clone();
                    K::select(&mut got, &wanted, level);
                    for &k in &wanted {
                        assert_eq!(got[k], want[k], "{n} keys of kind {kind} at {level:?}");
                        assert!(got[..k].iter().all(|x| *x <= want[k]));
                        assert!(got[k..].iter().all(|x| *x >= want[k]));
                    }
                    got.sort();
                    assert!(got == want);
                }
            }
        }
    }
}

fn classifies<K: SortKey + std::fmt::Debug>() {
    let mut numbers = Numbers(5);
    for kind in [0, 1, 3, 4].into_iter().filter(|kind| !cfg!(miri) || *kind == 4) {
        let mut splitters: Vec<K> = keys(PART_COUNT - 1, kind, &mut numbers);
        splitters.sort();
        let tree = crate::samplesort::tree_of(&splitters);
        for n in [0, 1, 7, 8, 15, 16, 17, 1000].into_iter().filter(|n| !cfg!(miri) || *n == 17) {
            let mut given: Vec<K> = keys(n, kind, &mut numbers);
            given.extend_from_slice(&splitters);
            let want: Vec<u8> =
                given.iter().map(|k| splitters.iter().filter(|s| *s <= k).count() as u8).collect();
            for level in levels() {
                let mut got = vec![0; given.len()];
                K::classify(&tree, &given, &mut got, level);
                assert_eq!(got, want, "{n} keys of kind {kind} at {level:?}");
            }
        }
    }
}

#[test]
fn every_level_sorts_as_the_standard_library() {
    sorts::<i32>();
    sorts::<i64>();
}

#[test]
fn every_level_selects() {
    selects::<i32>();
    selects::<i64>();
}

#[test]
fn every_level_classifies() {
    classifies::<i32>();
    classifies::<i64>();
}
