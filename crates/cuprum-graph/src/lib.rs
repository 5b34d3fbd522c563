//! Deferred work: what is recorded, how it fuses into Programs, and what a device must be able to do.
//!
//! Arrays are [`View`]s of [`Storage`]s. An elementwise op or a reduction is recorded as a [`Node`] that belongs to the
//! storage of its result; when a value is needed, [`Storage::force`] fuses the pending nodes behind it into one
//! [`Program`] and hands that to the storage's [`Device`].

#![deny(unsafe_code)]

mod allocator;
mod builder;
mod call;
mod cluster;
mod deferred_check;
mod device;
mod events;
mod hooks;
mod log;
mod node;
mod parts;
mod pending;
mod plan;
mod plan_cache;
mod program;
mod record;
mod row_stages;
mod run;
mod shared_pass;
mod shortcuts;
mod storage;
mod sync;
mod take;
mod transfers;
mod uninit_map;
mod unread;
mod write;

pub use allocator::{
    AllocateFunction, Allocator, MemoryPool, MemorySource, Replacement, replace_thread_allocator,
    replaced_allocator, set_allocator,
};
pub use call::{
    Call, CountCall, FftCall, FftKind, InterpolateCall, LinalgCall, QrResult, RandomCall, RandomParameter,
    ScanOp, Side, Slot, SortCall, SparseGroupCall, SparsePair, SparsePairCall, SparsePairStartsCall,
    SparsePlaces, SparseProductCall, SparseRows, SparseTransposedProductCall,
};
pub use deferred_check::{DeferredCheck, ReportTo};
pub use device::{
    Buffer, Device, DeviceCache, DeviceKind, DeviceRef, Joins, ProgramRun, ShortSum, StartCost,
    mixed_devices, same_device, tree_joins,
};
pub use events::{
    Event, EventKind, LineFunction, Mark, Span, event_clock, fingerprint, is_listening, listen,
    report_memory, set_line_function, take_events, touch_thread_log,
};
pub use hooks::{
    BlockInfo, MemoryHook, MemoryStage, giving_memory, has_memory_hooks, replace_memory_hook,
    tell_memory_hook,
};
pub use log::{log_programs, take_programs};
pub use node::{Args, Node, NodeArg, NodeKind, Piece};
pub use pending::{run_pending, run_referenced, run_takes};
pub use program::{Input, Instr, InstrKind, Output, Program, Reduce, Reduced, Reg, Rows};
pub use record::{
    Operand, assemble, cast, converted, defer_enabled, fill, iota, layout_among, map, map_small, reduce,
    result_layout, set_defer, try_record,
};
pub use row_stages::{RowLevels, RowShape};
pub use shortcuts::{
    DenseStep, EAGER_MAX, IndexedRows, MaskedRows, NodeWork, SINGLE_NODE_MAX, Shortcuts, SmallProduct,
    WRITTEN_MAX, eager, single_node, written,
};
pub use storage::{Storage, View};
pub use take::take;
pub use transfers::{Moved, Transfers, count_to_device, count_to_host, transfers};
pub use uninit_map::{UninitMap, hand_out, mark_written, uninit_maps};
pub use unread::{forget_unread, note_dropped};
pub use write::{buffer_if_idle, readied_buffer, writable_buffer, write};

// What filters are made of.
pub use call::{Boundary, Extension, FilterCall, Footprint, LineOp, RecurrenceCall, WindowOp};
