//! Errors that kernels find and the host raises later: a position beyond its axis goes into page-locked memory, and the
//! next call of the same thread that waits for the GPU raises it.
//!
//! Every check has a number. On the GPU a word for each says whether a check failed, for the kernels that would write by its
//! positions; in page-locked memory a record for each says which position it was, and one word whether there is any record.

use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use cuprum_core::{Error, Result};
use cuprum_graph::{Buffer, DeferredCheck};

use crate::context::{Gpu, MAX_GPUS};
use crate::device::Cuda;
use crate::memory::{PinnedBlock, Pool};
use crate::session::Session;

/// How many checks there can be before the GPU is waited for, to use their numbers again.
const MAX_CHECKS: usize = 4096;
/// Where the records begin: the word before them has a line of its own.
const RECORDS_OFFSET: usize = 64;

/// What checks write, and before it where they note that they did.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    /// The addresses of the check's word on the GPU and of the word that says whether there is any record.
    flag: u64,
    any: u64,
    found: Found,
}

/// A position that failed a check.
#[derive(Clone, Copy)]
#[repr(C)]
struct Found {
    set: i64,
    index: i64,
    axis: i64,
    length: i64,
}

/// The faults of one GPU.
pub(crate) struct Faults {
    gpu: &'static Gpu,
    /// The word that says whether there is a record, and the records.
    host: PinnedBlock,
    flags: Buffer,
    numbers: Mutex<CheckNumbers>,
    /// How many errors have been found that their threads have not come for.
    found: AtomicUsize,
}

#[derive(Default)]
struct CheckNumbers {
    /// Never used, or used and seen to be done.
    free: Vec<usize>,
    /// Used: the GPU may still be at work on them.
    used: Vec<usize>,
    /// What each number was given out for.
    given: Vec<GivenNumber>,
    count: u64,
    /// Those whose flags are set.
    failed: Vec<usize>,
    /// Errors that their threads have not come for.
    found: Vec<(GivenNumber, Error)>,
}

/// What a number was given out for: the op, when, and the thread.
#[derive(Clone, Default)]
struct GivenNumber {
    op: &'static str,
    when: u64,
    thread: Weak<()>,
}

impl GivenNumber {
    /// Whether this thread raises the error: it made the call, or the one that did is gone.
    fn is_ours(&self, me: &Arc<()>) -> bool {
        self.thread.upgrade().is_none_or(|thread| Arc::ptr_eq(&thread, me))
    }
}

thread_local! {
    /// Lives as long as the thread.
    static ME: Arc<()> = Arc::default();
}

fn this_thread() -> Arc<()> {
    ME.try_with(Arc::clone).unwrap_or_default()
}

static FAULTS: [OnceLock<Faults>; MAX_GPUS] = [const { OnceLock::new() }; MAX_GPUS];

/// The faults of a GPU; the memory for them is made when it is first asked for.
pub(crate) fn of(device: &'static Cuda) -> Result<&'static Faults> {
    let place = &FAULTS[device.gpu().ordinal];
    if let Some(known) = place.get() {
        return Ok(known);
    }
    let made = Faults::new(device)?;
    Ok(place.get_or_init(|| made))
}

/// Raises the first error that kernels have found in this thread's calls; after a wait, that is all they found in the work
/// waited for.
#[inline]
pub(crate) fn raise(gpu: &Gpu) -> Result<()> {
    match FAULTS[gpu.ordinal].get() {
        Some(faults)
            if faults.word().load(Ordering::Acquire) != 0 || faults.found.load(Ordering::Relaxed) != 0 =>
        {
            faults.first()
        }
        _ => Ok(()),
    }
}

/// The errors that no thread has come for, in the order of the calls that they are of.
pub(crate) fn all(gpu: &Gpu) -> Vec<Error> {
    FAULTS[gpu.ordinal].get().map(Faults::all).unwrap_or_default()
}

/// Notes that the checks of a graph are made anew, by a launch of this thread's.
pub(crate) fn launched(gpu: &Gpu, checks: &[DeferredCheck]) {
    if let Some(faults) = FAULTS[gpu.ordinal].get().filter(|_| !checks.is_empty()) {
        let mut numbers = faults.lock();
        for mark in checks {
            numbers.count += 1;
            let (when, thread) = (numbers.count, Arc::downgrade(&this_thread()));
            let given = &mut numbers.given[mark.number()];
            (given.when, given.thread) = (when, thread);
        }
    }
}

/// Gives a number back when the call that has it is over.
struct NumberLease {
    faults: &'static Faults,
    number: usize,
}

impl Drop for NumberLease {
    fn drop(&mut self) {
        self.faults.lock().used.push(self.number);
    }
}

impl Faults {
    fn new(device: &'static Cuda) -> Result<Faults> {
        let gpu = device.gpu();
        let host = PinnedBlock::new(gpu, RECORDS_OFFSET + MAX_CHECKS * size_of::<Record>())?;
        // SAFETY: the block is ours alone, and so large.
        unsafe { std::ptr::write_bytes(host.address() as *mut u8, 0, host.bytes()) };
        // Memory of its own: programs count what arrays use.
        let flags = Pool::new(gpu, false).allocate(4 * MAX_CHECKS)?;
        for number in 0..MAX_CHECKS {
            let place = (host.address() + RECORDS_OFFSET + number * size_of::<Record>()) as *mut Record;
            let (flag, any) = (flags.address() + 4 * number, host.address());
            let found = Found { set: 0, index: 0, axis: 0, length: 0 };
            // SAFETY: the record lies in the block, which is ours alone, and is aligned.
            unsafe { place.write(Record { flag: flag as u64, any: any as u64, found }) };
        }
        let session = Session::new(device)?;
        session.set_bytes(&flags, 0, 0, 4 * MAX_CHECKS)?;
        gpu.wait()?;
        let free = (0..MAX_CHECKS).rev().collect();
        let numbers =
            CheckNumbers { free, given: vec![GivenNumber::default(); MAX_CHECKS], ..CheckNumbers::default() };
        Ok(Faults { gpu, host, flags, numbers: Mutex::new(numbers), found: AtomicUsize::new(0) })
    }

    /// A number for the checks of `op`; `None` where all are being used at this moment.
    pub(crate) fn begin(&'static self, session: &Session, op: &'static str) -> Result<Option<DeferredCheck>> {
        let mut numbers = self.lock();
        // A stream that records cannot be waited for.
        if numbers.free.is_empty() && !session.is_capturing() {
            drop(numbers);
            self.renew(session)?;
            numbers = self.lock();
        }
        let Some(number) = numbers.free.pop() else { return Ok(None) };
        numbers.count += 1;
        let thread = Arc::downgrade(&this_thread());
        numbers.given[number] = GivenNumber { op, when: numbers.count, thread };
        Ok(Some(DeferredCheck::new(number, Arc::new(NumberLease { faults: self, number }))))
    }

    /// Makes all numbers that were used free again, once the GPU is done with them.
    pub(crate) fn renew(&self, session: &Session) -> Result<()> {
        let used = std::mem::take(&mut self.lock().used);
        if used.is_empty() {
            return Ok(());
        }
        let outcome = self.clear(session, &used);
        let mut numbers = self.lock();
        match outcome {
            Ok(()) => numbers.free.extend(used),
            Err(_) => numbers.used.extend(used),
        }
        outcome
    }

    /// Waits until the GPU is done with these numbers, and clears them for other checks.
    fn clear(&self, session: &Session, used: &[usize]) -> Result<()> {
        self.gpu.synchronize()?;
        let mut numbers = self.lock();
        self.collect(&mut numbers);
        self.found.store(numbers.found.len(), Ordering::Relaxed);
        let (again, kept) = numbers.failed.drain(..).partition(|number| used.contains(number));
        numbers.failed = kept;
        drop(numbers);
        let again: Vec<usize> = again;
        for number in &again {
            session.set_bytes(&self.flags, 4 * number, 0, 4)?;
        }
        if again.is_empty() { Ok(()) } else { self.gpu.wait() }
    }

    /// The address of the word on the GPU that says whether a check failed.
    pub(crate) fn flag(&self, mark: &DeferredCheck) -> usize {
        self.flags.address() + 4 * mark.number()
    }

    /// Makes a check's word zero, in the session's stream.
    pub(crate) fn clear_flag(&self, session: &Session, mark: &DeferredCheck) -> Result<()> {
        session.set_bytes(&self.flags, 4 * mark.number(), 0, 4)
    }

    /// The address of what a check writes in its record.
    pub(crate) fn found(&self, mark: &DeferredCheck) -> usize {
        self.record_at(mark.number()) + offset_of!(Record, found)
    }

    /// The address of a check's record; `None` for a number that was never given out.
    pub(crate) fn record(&self, mark: &DeferredCheck) -> Option<usize> {
        (mark.number() < MAX_CHECKS).then(|| self.record_at(mark.number()))
    }

    /// The address of the word that says whether there is any record.
    pub(crate) fn any(&self) -> usize {
        self.host.address()
    }

    fn record_at(&self, number: usize) -> usize {
        self.host.address() + RECORDS_OFFSET + number * size_of::<Record>()
    }

    fn word(&self) -> &AtomicU32 {
        // SAFETY: the block lives as long as we do and begins with this word; only the GPU writes it beside us.
        unsafe { AtomicU32::from_ptr(self.host.address() as *mut u32) }
    }

    /// The error of this thread's check that was given its number first. Its others, which may well follow from it, are
    /// forgotten.
    #[cold]
    fn first(&self) -> Result<()> {
        let mut numbers = self.lock();
        self.collect(&mut numbers);
        let me = this_thread();
        let (mut ours, others): (Vec<_>, Vec<_>) =
            numbers.found.drain(..).partition(|(given, _)| given.is_ours(&me));
        self.found.store(others.len(), Ordering::Relaxed);
        numbers.found = others;
        ours.sort_by_key(|(given, _)| given.when);
        ours.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
    }

    fn all(&self) -> Vec<Error> {
        let mut numbers = self.lock();
        self.collect(&mut numbers);
        self.found.store(0, Ordering::Relaxed);
        let mut found = std::mem::take(&mut numbers.found);
        found.sort_by_key(|(given, _)| given.when);
        found.into_iter().map(|(_, error)| error).collect()
    }

    /// Turns the records that the GPU has written into errors.
    fn collect(&self, numbers: &mut CheckNumbers) {
        if self.word().swap(0, Ordering::AcqRel) == 0 {
            return;
        }
        for number in 0..MAX_CHECKS {
            let place = (self.record_at(number) + offset_of!(Record, found)) as *mut Found;
            // SAFETY: the record lies in the block; the GPU writes one that is not set, and sets it last.
            let record = unsafe { place.read_volatile() };
            if record.set == 0 {
                continue;
            }
            // SAFETY: as above; it is set, so the GPU is done with it.
            unsafe { place.write_volatile(Found { set: 0, index: 0, axis: 0, length: 0 }) };
            let given = numbers.given[number].clone();
            let (axis, size) = (record.axis as usize, record.length as usize);
            let error = Error::Index { op: given.op.into(), index: record.index, axis, size };
            numbers.failed.push(number);
            numbers.found.push((given, error));
        }
    }

    fn lock(&self) -> MutexGuard<'_, CheckNumbers> {
        self.numbers.lock().unwrap_or_else(|e| e.into_inner())
    }
}
