//! Models of a pool: loom runs each of them once for every order of its threads' steps at the pool's lock and counts
//! (`make test-loom`).

use loom::model::Builder;
use loom::thread;

use super::*;

/// As large as blocks are that pools keep.
const BLOCK: usize = POOLED_MIN_BYTES;

/// Runs a model with at most this many preemptions.
fn explore(switches: usize, model: fn()) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(model);
}

/// A pool with a limit, after this thread and another one have used it at the same time.
fn share_with_a_thread(
    limit: usize,
    other: impl FnOnce(Arc<Pool>) + Send + 'static,
    own: impl FnOnce(Arc<Pool>),
) -> Arc<Pool> {
    let pool = Arc::new(Pool::new(true));
    pool.set_limit(Some(limit));
    let second = pool.clone();
    let thread = thread::spawn(move || other(second));
    own(pool.clone());
    thread.join().unwrap();
    pool
}

/// What must hold once nobody works on a pool any more.
fn check(pool: &Pool, limit: usize) {
    let free = pool.lock();
    assert_eq!(pool.used(), 0);
    assert_eq!(free.bytes, free.blocks.iter().map(|(size, blocks)| size * blocks.len()).sum::<usize>());
    assert!(free.bytes <= limit);
}

/// Takes a block, writes a number into it, and finds it there after others had their turn.
fn use_block(pool: &Arc<Pool>, number: u8) {
    let buffer = pool.clone().provide(BLOCK).unwrap();
    let place = buffer.address() as *mut u8;
    // SAFETY: the block is this thread's, which is what the models find out.
    unsafe { place.write(number) };
    thread::yield_now();
    // SAFETY: as above.
    assert_eq!(unsafe { place.read() }, number, "another thread has the block too");
}

#[test]
fn a_block_is_in_one_hand() {
    explore(3, || {
        let work = |number| {
            move |pool: Arc<Pool>| {
                use_block(&pool, number);
                use_block(&pool, number);
            }
        };
        check(&share_with_a_thread(4 * BLOCK, work(1), work(2)), 4 * BLOCK);
    });
}

#[test]
fn what_is_freed_meanwhile_is_counted_once() {
    explore(3, || {
        let pool = share_with_a_thread(
            2 * BLOCK,
            |pool| {
                use_block(&pool, 1);
                use_block(&pool, 1);
            },
            |pool| {
                pool.free_all();
                pool.set_limit(Some(BLOCK));
                pool.free_all();
            },
        );
        check(&pool, BLOCK);
    });
}

#[test]
fn a_request_that_is_refused_takes_no_room_from_others() {
    explore(3, || {
        let pool = share_with_a_thread(
            2 * BLOCK,
            |pool| assert!(pool.provide(1 << 40).is_err()),
            |pool| {
                let first = pool.clone().provide(BLOCK).unwrap();
                let second = pool.clone().provide(BLOCK).unwrap();
                assert!(pool.clone().provide(BLOCK).is_err(), "the limit holds");
                drop((first, second));
            },
        );
        check(&pool, 2 * BLOCK);
    });
}
