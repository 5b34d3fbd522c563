//! Running all pending work, and pools with limits. One test each binary: both look at the whole process.

use cuprum::memory::{self, Allocator, MemorySource};
use cuprum::prelude::*;
use cuprum::{Error, creation};

const N: usize = 100_000;

#[test]
fn pending_work_runs_where_it_is_held_and_pools_hold_to_their_limits() {
    let a = Array::from_slice(&vec![1.0; N]);
    dropped_results_run_for_whoever_waits(&a);
    memory_forgets_dropped_results(&a);
    the_default_pool_is_limited(&a);
    a_pool_of_its_own_counts_its_own();
    transfers_are_counted();
}

fn dropped_results_run_for_whoever_waits(a: &Array) {
    cuprum_graph::log_programs(true);
    let kept = (a + 1.0).sqrt().unwrap();
    let dropped = a + 2.0;
    let interior = a + 3.0;
    let last = &interior * 2.0;
    drop((dropped, interior));
    memory::run_pending().unwrap();
    cuprum_graph::log_programs(false);
    assert_eq!(cuprum_graph::take_programs().len(), 3);
    assert!(!kept.view().storage().is_pending() && !last.view().storage().is_pending());
    assert_eq!(last.to_vec::<f64>().unwrap(), vec![8.0; N]);
}

fn memory_forgets_dropped_results(a: &Array) {
    cuprum_graph::log_programs(true);
    drop(a + 2.0);
    memory::run_referenced().unwrap();
    memory::run_pending().unwrap();
    cuprum_graph::log_programs(false);
    assert!(cuprum_graph::take_programs().is_empty());
}

fn the_default_pool_is_limited(a: &Array) {
    let pool = memory::default_pool().unwrap();
    memory::run_pending().unwrap();
    pool.set_limit(Some(pool.used() + 100_000));
    let result = a * 2.0;
    let error = result.force().unwrap_err();
    assert!(matches!(error, Error::Memory { asked: 800_000, .. }), "{error}");
    assert_eq!(result.force().unwrap_err(), error, "the error repeats");
    assert!(memory::run_pending().is_err());
    let huge = creation::full_scalar(&[1 << 20], Scalar::zero(DType::F64));
    assert!(matches!(huge, Err(Error::Memory { .. })), "what is made from nothing fails at the call");
    pool.set_limit(None);
    assert_eq!(result.sum().unwrap().item::<f64>().unwrap(), 2.0 * N as f64);
}

fn a_pool_of_its_own_counts_its_own() {
    let device = cuprum::default_device().unwrap();
    let pool = device.new_pool(true, MemorySource::Device);
    memory::set_allocator(Some((device, Allocator::Pool(pool.clone()))));
    let before = device.pool().used();
    let a = Array::from_slice(&vec![1.0; N]);
    assert!(pool.used() >= 8 * N && device.pool().used() == before);
    memory::set_allocator(None);
    drop(a);
    assert_eq!((pool.used(), pool.free_blocks()), (0, 1));
    pool.free_all();
    assert_eq!((pool.free_bytes(), pool.free_blocks()), (0, 0));
}

fn transfers_are_counted() {
    let before = memory::transfers();
    let a = Array::from_slice(&[1.0f32, 2.0]);
    let b = (&a + 1.0).to_vec::<f32>().unwrap();
    let after = memory::transfers();
    assert_eq!(b, vec![2.0, 3.0]);
    assert_eq!(after.to_device.bytes - before.to_device.bytes, 8);
    assert_eq!(after.to_host.calls - before.to_host.calls, 1);
}
