//! The races and uninitialised reads that the checker reports, and what it must not report.

use std::collections::HashMap;

use super::{AccessKind, Checker, Finding};

const GLOBAL: u64 = 0x10_0000;
const SHARED: u64 = 0x20_0000;
const LOCAL: u64 = 0x30_0000;

fn checker(threads: u32) -> Checker {
    Checker::new(true, true, threads, false)
}

fn enter(checker: &mut Checker, block: u32) {
    checker.enter_block(block, SHARED..SHARED + 4096, [LOCAL..LOCAL + 4096, 0..0]);
}

/// Who is on the other side of a race: block, thread, place.
#[track_caller]
fn race(outcome: Result<(), Finding>) -> (u32, u32, u32) {
    match outcome {
        Err(Finding::Race { other, .. }) => (other.block, other.thread, other.site),
        outcome => panic!("no race: {outcome:?}"),
    }
}

#[test]
fn neighbours_in_shared_memory_race_without_a_barrier_and_not_with_one() {
    for with_barrier in [false, true] {
        let mut c = checker(64);
        enter(&mut c, 0);
        for thread in 0..64 {
            c.access(thread, 1, SHARED + 4 * u64::from(thread), 4, AccessKind::Write).unwrap();
        }
        if with_barrier {
            c.barrier();
        }
        let outcome = c.access(5, 2, SHARED + 24, 4, AccessKind::Read);
        if with_barrier {
            assert_eq!(outcome, Ok(()));
        } else {
            assert_eq!(race(outcome), (0, 6, 1));
        }
    }
}

#[test]
fn a_write_races_with_a_read_before_it() {
    let mut c = checker(64);
    enter(&mut c, 0);
    c.access(3, 1, GLOBAL, 8, AccessKind::Read).unwrap();
    c.access(4, 1, GLOBAL, 8, AccessKind::Read).unwrap();
    let outcome = c.access(3, 2, GLOBAL + 4, 4, AccessKind::Write);
    assert_eq!(race(outcome), (0, 4, 1));
    assert!(matches!(outcome, Err(Finding::Race { address, .. }) if address == GLOBAL + 4));
}

#[test]
fn blocks_race_in_global_memory_whatever_barriers_they_have_and_not_in_shared() {
    let mut c = checker(32);
    enter(&mut c, 0);
    c.access(0, 1, GLOBAL, 4, AccessKind::Write).unwrap();
    c.access(0, 1, SHARED, 4, AccessKind::Write).unwrap();
    c.barrier();
    enter(&mut c, 1);
    c.access(1, 3, SHARED, 4, AccessKind::Write).unwrap();
    c.barrier();
    assert_eq!(race(c.access(9, 2, GLOBAL, 4, AccessKind::Read)), (0, 0, 1));
}

#[test]
fn bytes_beside_each_other_do_not_race() {
    let mut c = checker(32);
    enter(&mut c, 0);
    for thread in 0..32 {
        c.access(thread, 1, GLOBAL + u64::from(thread), 1, AccessKind::Write).unwrap();
    }
    assert_eq!(race(c.access(0, 2, GLOBAL + 1, 2, AccessKind::Read)), (0, 1, 1));
}

#[test]
fn words_become_bytes_with_what_they_knew() {
    let mut c = checker(32);
    enter(&mut c, 0);
    c.access(0, 1, GLOBAL, 8, AccessKind::Write).unwrap();
    c.access(0, 1, GLOBAL + 100, 1, AccessKind::Write).unwrap();
    assert_eq!(race(c.access(1, 2, GLOBAL + 7, 1, AccessKind::Read)), (0, 0, 1));
}

#[test]
fn atomics_race_with_plain_accesses_alone() {
    let mut c = checker(64);
    enter(&mut c, 0);
    c.access(0, 9, SHARED, 4, AccessKind::Write).unwrap();
    c.barrier();
    for thread in 0..64 {
        c.access(thread, 1, SHARED, 4, AccessKind::Atomic).unwrap();
    }
    // The thread that reads was the last to add; the others' additions are still on their way.
    assert!(matches!(c.access(63, 2, SHARED, 4, AccessKind::Read), Err(Finding::Race { .. })));
    c.barrier();
    c.access(63, 2, SHARED, 4, AccessKind::Read).unwrap();
}

#[test]
fn loops_of_compare_and_swap_may_begin_with_a_plain_read() {
    let mut c = checker(32);
    for block in 0..2 {
        enter(&mut c, block);
        c.access(0, 1, GLOBAL, 4, AccessKind::Read).unwrap();
        c.access(0, 2, GLOBAL, 4, AccessKind::Atomic).unwrap();
    }
    assert_eq!(race(c.access(0, 3, GLOBAL, 4, AccessKind::Write)), (0, 0, 1));
}

#[test]
fn syncwarp_orders_the_lanes_of_its_mask() {
    let mut c = checker(64);
    enter(&mut c, 0);
    for lane in 0..32 {
        c.access(lane, 1, SHARED + 4 * u64::from(lane), 4, AccessKind::Write).unwrap();
    }
    c.sync_warp(0, 0xffff);
    c.access(0, 2, SHARED + 4 * 15, 4, AccessKind::Read).unwrap();
    assert_eq!(race(c.access(0, 2, SHARED + 4 * 16, 4, AccessKind::Read)), (0, 16, 1));
    assert_eq!(race(c.access(40, 2, SHARED + 4 * 15, 4, AccessKind::Read)), (0, 15, 1));
    // Through two masks that share a lane.
    c.sync_warp(0, 1 << 15 | 1 << 20);
    c.access(20, 3, SHARED + 4, 4, AccessKind::Read).unwrap();
    // What a lane writes after it is not ordered by it.
    c.access(15, 4, SHARED + 4 * 99, 4, AccessKind::Write).unwrap();
    assert_eq!(race(c.access(20, 5, SHARED + 4 * 99, 4, AccessKind::Read)), (0, 15, 4));
}

/// The sum of all blocks by the last one to finish: a fence and an atomic publish each block's part.
#[test]
fn a_fence_and_an_atomic_publish_to_who_sees_it() {
    const COUNT: u64 = GLOBAL + 0x1000;
    for (fence, sees) in [(true, true), (false, true), (true, false)] {
        let mut c = checker(32);
        for block in 0..3 {
            enter(&mut c, block);
            c.access(7, 1, GLOBAL + 4 * u64::from(block), 4, AccessKind::Write).unwrap();
            c.barrier();
            if fence {
                c.fence(0);
            }
            if sees || block < 2 {
                c.access(0, 2, COUNT, 4, AccessKind::Atomic).unwrap();
            }
            c.barrier();
        }
        let outcome = c.access(5, 3, GLOBAL, 4, AccessKind::Read);
        if fence && sees {
            assert_eq!(outcome, Ok(()));
        } else {
            assert_eq!(race(outcome), (0, 7, 1));
        }
    }
}

#[test]
fn what_all_threads_fence_before_a_barrier_one_of_them_publishes() {
    let mut c = checker(32);
    enter(&mut c, 0);
    c.access(9, 1, GLOBAL, 4, AccessKind::Write).unwrap();
    c.fence(9);
    c.access(9, 1, GLOBAL + 4, 4, AccessKind::Write).unwrap();
    c.barrier();
    c.access(0, 2, GLOBAL + 64, 4, AccessKind::Atomic).unwrap();
    enter(&mut c, 1);
    c.access(0, 2, GLOBAL + 64, 4, AccessKind::VolatileRead).unwrap();
    c.access(0, 3, GLOBAL, 4, AccessKind::Read).unwrap();
    assert_eq!(race(c.access(0, 3, GLOBAL + 4, 4, AccessKind::Read)), (0, 9, 1));
    assert_eq!(race(c.access(1, 3, GLOBAL, 4, AccessKind::Read)), (0, 9, 1));
}

#[test]
fn a_lock_orders_what_it_guards() {
    const LOCK: u64 = GLOBAL + 64;
    let mut c = checker(32);
    for block in 0..4 {
        enter(&mut c, block);
        c.access(0, 1, LOCK, 4, AccessKind::Atomic).unwrap();
        c.access(0, 2, GLOBAL, 4, AccessKind::Read).unwrap();
        c.access(0, 3, GLOBAL, 4, AccessKind::Write).unwrap();
        c.fence(0);
        c.access(0, 4, LOCK, 4, AccessKind::Atomic).unwrap();
    }
    assert_eq!(race(c.access(1, 5, GLOBAL, 4, AccessKind::Read)), (3, 0, 3));
}

#[test]
fn a_grid_barrier_orders_all() {
    let mut c = Checker::new(true, true, 32, true);
    for block in 0..2 {
        enter(&mut c, block);
        c.access(0, 1, GLOBAL + 4 * u64::from(block), 4, AccessKind::Write).unwrap();
    }
    c.grid_sync();
    for block in 0..2 {
        enter(&mut c, block);
        c.access(3, 2, GLOBAL + 4 - 4 * u64::from(block), 4, AccessKind::Read).unwrap();
    }
    // Block 0 again, in the same round: what it did is its own, what block 1 did is not.
    c.access(3, 4, GLOBAL + 8, 4, AccessKind::Write).unwrap();
    enter(&mut c, 0);
    c.access(3, 5, GLOBAL + 4, 4, AccessKind::Write).unwrap();
    assert_eq!(race(c.access(3, 5, GLOBAL, 4, AccessKind::Write)), (1, 3, 2));
    assert_eq!(race(c.access(3, 5, GLOBAL + 8, 4, AccessKind::Read)), (1, 3, 4));
}

#[test]
fn shared_and_local_memory_is_written_before_it_is_read() {
    let mut c = checker(32);
    enter(&mut c, 0);
    let nothing = |address| Err(Finding::Uninitialised { address });
    assert_eq!(c.access(0, 1, SHARED + 8, 4, AccessKind::Read), nothing(SHARED + 8));
    c.access(0, 1, SHARED + 8, 4, AccessKind::Write).unwrap();
    assert_eq!(c.access(0, 1, SHARED + 8, 8, AccessKind::Read), nothing(SHARED + 12));
    assert_eq!(c.access(0, 1, SHARED + 16, 4, AccessKind::Atomic), nothing(SHARED + 16));
    c.access(0, 1, SHARED + 8, 8, AccessKind::Copy).unwrap();
    c.access(0, 1, GLOBAL, 4, AccessKind::Read).unwrap();
    // Local memory is each thread's own, though threads that do not wait share a place.
    c.access(0, 1, LOCAL, 4, AccessKind::Write).unwrap();
    c.access(0, 1, LOCAL, 4, AccessKind::Read).unwrap();
    assert_eq!(c.access(1, 1, LOCAL, 4, AccessKind::Read), nothing(LOCAL));
    // Another block's shared memory at the same place is new.
    enter(&mut c, 1);
    assert_eq!(c.access(0, 1, SHARED + 8, 4, AccessKind::Read), nothing(SHARED + 8));
    assert_eq!(c.access(0, 1, LOCAL, 4, AccessKind::Read), nothing(LOCAL));
}

#[test]
fn what_is_not_asked_for_is_not_found() {
    let mut c = Checker::new(false, false, 32, false);
    enter(&mut c, 0);
    c.access(0, 1, SHARED, 4, AccessKind::Read).unwrap();
    c.access(0, 1, SHARED, 4, AccessKind::Write).unwrap();
    c.access(1, 1, SHARED, 4, AccessKind::Write).unwrap();
}

/// A small generator of numbers, so that each run is the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A block and a thread of it.
type Who = (u32, u32);
type Clock = HashMap<Who, u32>;

/// Full vector clocks and full histories: slow, and without any of the shortcuts.
struct Model {
    clocks: HashMap<Who, Clock>,
    history: HashMap<u64, Vec<(Who, u32, AccessKind)>>,
}

fn begins_a_loop(read: AccessKind, atomic: AccessKind) -> bool {
    !read.writes() && !read.synchronises() && atomic.synchronises()
}

impl Model {
    fn tick(&mut self, members: &[Who]) {
        let mut joined = Clock::new();
        for member in members {
            let clock = self.clocks.entry(*member).or_default();
            *clock.entry(*member).or_insert(0) += 1;
            for (who, time) in clock.iter() {
                let known = joined.entry(*who).or_insert(0);
                *known = (*known).max(*time);
            }
        }
        for member in members {
            self.clocks.insert(*member, joined.clone());
        }
    }

    /// Whether the access races with any before it.
    fn access(&mut self, who: Who, address: u64, kind: AccessKind) -> bool {
        let clock = self.clocks.entry(who).or_default().clone();
        let history = self.history.entry(address).or_default();
        let races = history.iter().any(|(other, time, old)| {
            *other != who
                && (old.writes() || kind.writes())
                && !(old.synchronises() && kind.synchronises())
                && !(begins_a_loop(*old, kind) || begins_a_loop(kind, *old))
                && clock.get(other).copied().unwrap_or(0) <= *time
        });
        history.push((who, clock.get(&who).copied().unwrap_or(0), kind));
        races
    }
}

#[test]
fn random_programs_race_where_full_vector_clocks_say_so() {
    let (mut raced, mut passed) = (0, 0);
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let mut c = checker(64);
        let mut model = Model { clocks: HashMap::new(), history: HashMap::new() };
        let mut found = false;
        'blocks: for block in 0..3 {
            enter(&mut c, block);
            for _ in 0..60 {
                match numbers.below(24) {
                    0 | 1 => {
                        c.barrier();
                        model.tick(&(0..64).map(|thread| (block, thread)).collect::<Vec<_>>());
                    }
                    2..6 => {
                        let warp = numbers.below(2) as u32;
                        let mask = [u32::MAX, 0xff, 0xfff0][numbers.below(3) as usize];
                        c.sync_warp(warp, mask);
                        let lanes = (0..32).filter(|lane| mask >> lane & 1 != 0);
                        model.tick(&lanes.map(|lane| (block, warp * 32 + lane)).collect::<Vec<_>>());
                    }
                    _ => {
                        let thread = [0, 1, 5, 14, 33][numbers.below(5) as usize];
                        // Some addresses are read by all, some are for atomics, some each block's own; few accesses
                        // are where they do not belong.
                        let place = if numbers.below(100) == 0 { numbers.below(3) } else { 9 };
                        let (kind, address) = match (numbers.below(3), place) {
                            (0, 9) | (_, 0) => (AccessKind::Atomic, numbers.below(2)),
                            (1, 9) | (_, 1) => (AccessKind::Read, 10 + numbers.below(2)),
                            (2, 9) if numbers.below(2) == 0 => {
                                (AccessKind::Write, 20 + u64::from(block * 64 + thread))
                            }
                            (_, 9) => (AccessKind::Read, 20 + u64::from(block * 64 + thread)),
                            _ => {
                                (AccessKind::Read, [1, 20 + numbers.below(64 * 3)][numbers.below(2) as usize])
                            }
                        };
                        let kind = if place < 2 && numbers.below(2) == 0 { AccessKind::Write } else { kind };
                        let address = GLOBAL + 4 * address;
                        let want = model.access((block, thread), address, kind);
                        let got = c.access(thread, 0, address, 4, kind).is_err();
                        assert_eq!(got, want, "seed {seed}: {kind:?} of thread {thread} of block {block}");
                        if want {
                            found = true;
                            break 'blocks;
                        }
                    }
                }
            }
        }
        if found { raced += 1 } else { passed += 1 }
    }
    assert!(raced > 30 && passed > 30, "{raced} {passed}");
}
