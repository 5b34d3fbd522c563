//! The log of events. Each thread writes its own, so that no thread waits for another; whoever asks gets all of them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use super::clock::{Scale, begin_profile, nanoseconds, ticks};
use super::{Event, EventKind, Mark, ON, current_line, is_listening};
use crate::{DeviceKind, DeviceRef};

/// Entries that are kept; later ones are only counted.
const MAX_ENTRIES: usize = 1 << 20;
/// Entries of one piece of a log.
const PIECE_ENTRIES: usize = 1 << 12;
/// Blocks of memory smaller than this are not reported.
pub const REPORTED_BLOCK_MIN_BYTES: usize = 128 << 10;

/// Entries in pieces of one size: they stay where they are when more come.
struct Pieces<T>(Vec<Vec<T>>);

impl<T> Pieces<T> {
    fn push(&mut self, entry: T) {
        if let Some(piece) = self.0.last_mut().filter(|piece| piece.len() < PIECE_ENTRIES) {
            return piece.push(entry);
        }
        if RESERVED.fetch_add(PIECE_ENTRIES, Ordering::Relaxed) >= MAX_ENTRIES {
            LOST.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let mut piece = Vec::with_capacity(PIECE_ENTRIES);
        piece.push(entry);
        self.0.push(piece);
    }
}

/// A block of memory that was handed out or came back: there are more of these than of other events.
struct MemoryChange {
    kind: EventKind,
    device: DeviceKind,
    address: usize,
    bytes: usize,
    line: u32,
    at: u64,
}

struct Log {
    /// The thread, counted from one.
    thread: u32,
    events: Pieces<Event>,
    memory: Pieces<MemoryChange>,
}

/// The first mark of each device, and when it was made.
static FIRST_MARKS: Mutex<Vec<(DeviceKind, u64, Mark)>> = Mutex::new(Vec::new());
/// The logs of all threads that have reported, those of ended threads as long as they have entries.
static LOGS: Mutex<Vec<Arc<Mutex<Log>>>> = Mutex::new(Vec::new());
static THREADS: AtomicU32 = AtomicU32::new(0);
/// How often somebody began to listen.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// Entries that the pieces of all logs have room for.
static RESERVED: AtomicUsize = AtomicUsize::new(0);
static LOST: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static OWN: RefCell<Option<Arc<Mutex<Log>>>> = const { RefCell::new(None) };
}

/// Touches the log that a thread writes its spans to: what is dropped when it ends is known from then on.
///
/// ```
/// cuprum_graph::touch_thread_log();
/// ```
pub fn touch_thread_log() {
    OWN.with(|_| {});
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// Writes to this thread's log; a thread that is about to end has none.
fn with_own(write: impl FnOnce(&mut Log)) {
    let _ = OWN.try_with(|own| {
        let mut own = own.borrow_mut();
        let log = own.get_or_insert_with(|| {
            let thread = THREADS.fetch_add(1, Ordering::Relaxed) + 1;
            let log = Log { thread, events: Pieces(Vec::new()), memory: Pieces(Vec::new()) };
            let log = Arc::new(Mutex::new(log));
            lock(&LOGS).push(log.clone());
            log
        });
        write(&mut lock(log));
    });
}

/// Tells listeners apart.
pub(super) fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Starts or stops listening; what was heard before is forgotten when it starts.
///
/// ```
/// use cuprum_graph::{Event, EventKind, Span, listen, take_events};
/// listen(true);
/// Span::begin().end(|| Event::new(EventKind::Call, "sort"));
/// listen(false);
/// assert!(take_events().0.iter().flatten().any(|event| event.names[0] == "sort"));
/// ```
pub fn listen(on: bool) {
    if on {
        drop(take_logs());
        lock(&FIRST_MARKS).clear();
        LOST.store(0, Ordering::Relaxed);
        GENERATION.fetch_add(1, Ordering::Relaxed);
        begin_profile();
    }
    ON.store(on, Ordering::SeqCst);
}

/// What a thread's log has: the thread, its events and its memory's changes, block by block.
type ThreadLog = (u32, Vec<Vec<Event>>, Vec<Vec<MemoryChange>>);

/// What all logs have, which they forget.
fn take_logs() -> Vec<ThreadLog> {
    let mut logs = lock(&LOGS);
    let taken = logs.iter().map(|log| {
        let mut log = lock(log);
        (log.thread, std::mem::take(&mut log.events.0), std::mem::take(&mut log.memory.0))
    });
    let taken = taken.collect();
    logs.retain(|log| Arc::strong_count(log) > 1);
    RESERVED.store(0, Ordering::Relaxed);
    taken
}

/// What was heard so far in pieces, which is forgotten, and how many more events there were.
pub fn take_events() -> (Vec<Vec<Event>>, usize) {
    let scale = Scale::now();
    let mut kept = Vec::new();
    for (thread, events, memory) in take_logs() {
        for mut piece in events {
            for event in &mut piece {
                (event.start, event.duration) = (scale.moment(event.start), scale.length(event.duration));
                event.thread = thread;
            }
            kept.push(piece);
        }
        for piece in memory {
            kept.push(piece.iter().map(|change| change.as_event(thread, &scale)).collect());
        }
    }
    (kept, LOST.swap(0, Ordering::Relaxed))
}

impl MemoryChange {
    fn as_event(&self, thread: u32, scale: &Scale) -> Event {
        Event {
            device: Some(self.device),
            address: self.address,
            bytes: self.bytes,
            line: self.line,
            start: scale.moment(self.at),
            thread,
            ..Event::of(self.kind)
        }
    }
}

/// Writes an event that began at `start` and ends now, for so many alike.
pub(super) fn report(start: u64, weight: u32, mut event: Event) {
    (event.start, event.duration) = (start, ticks().saturating_sub(start));
    (event.line, event.weight) = (current_line(), weight);
    with_own(|log| log.events.push(event));
}

/// Tells that a block of memory was handed out, or came back.
#[inline]
pub fn report_memory(kind: EventKind, device: DeviceKind, address: usize, bytes: usize) {
    if bytes >= REPORTED_BLOCK_MIN_BYTES && is_listening() {
        // Memory comes back when its last owner goes, wherever that is.
        let line = if kind == EventKind::Free { 0 } else { current_line() };
        with_own(|log| log.memory.push(MemoryChange { kind, device, address, bytes, line, at: ticks() }));
    }
}

/// Makes a device's first mark.
pub(super) fn note_first(device: DeviceRef) {
    let kind = device.kind();
    if kind == DeviceKind::Cpu || lock(&FIRST_MARKS).iter().any(|(known, ..)| *known == kind) {
        return;
    }
    if let Some(mark) = device.mark() {
        lock(&FIRST_MARKS).push((kind, nanoseconds(), mark));
    }
}

impl Event {
    /// Nanoseconds of the device's clock from the first mark to the end of this work; `None` where the device works while the
    /// caller waits.
    pub fn device_end(&self, device: DeviceRef) -> Option<u64> {
        let mark = self.mark.as_ref()?;
        let marks = lock(&FIRST_MARKS);
        let (_, at, first) = marks.iter().find(|(kind, ..)| *kind == device.kind())?;
        Some(at + device.nanoseconds_between(first, mark)?)
    }
}
