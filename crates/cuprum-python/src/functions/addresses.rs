//! Memory by plain addresses on the CPU: copies and fills that look first whether the memory is there.
//!
//! What we gave out ourselves is known to the byte (`cuprum::kernel::exposed_at`), also that it is gone. Of the program's own
//! memory the system says whether it is mapped: an address that means nothing is an error, and not the end of the process.

use std::ops::Range;

use cuprum::kernel::{ExposedMemory, exposed_at};
use cuprum_graph::mark_written;
use pyo3::prelude::*;
use pyo3::wrap_pyfunction;

use crate::gate;

/// Nothing is ever mapped below this address.
const LOWEST_MAPPED: usize = 4096;

/// What is to be done with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
}

/// Where memory may be from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// From us alone: what a program calls memory of the device.
    Us,
    /// From us or from the program.
    Anywhere,
}

/// Memory that is there; what is ours stays while this is kept.
pub struct Present {
    _kept: Option<ExposedMemory>,
}

/// The memory in a range, if all of it is there and can be used so.
pub fn present(range: Range<usize>, usage: Use, from: From) -> Option<Present> {
    if range.is_empty() {
        return Some(Present { _kept: None });
    }
    if let Some(known) = exposed_at(range.start) {
        let room = known.range();
        let usable = known.is_writable() || usage == Use::Read || is_mapped(&range, usage);
        return (range.end <= room.end && usable).then_some(Present { _kept: Some(known) });
    }
    (from == From::Anywhere && is_mapped(&range, usage)).then_some(Present { _kept: None })
}

/// Whether the system has memory in all of a range, which this process may use so.
#[cfg(target_os = "linux")]
fn is_mapped(range: &Range<usize>, usage: Use) -> bool {
    if range.start < LOWEST_MAPPED {
        return false;
    }
    // SAFETY: a question for a number, which has no conditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
    let first = range.start / page * page;
    let advice = if usage == Use::Read { libc::MADV_POPULATE_READ } else { libc::MADV_POPULATE_WRITE };
    // SAFETY: the call changes no contents; it brings pages in that are about to be used, or says that there are none.
    let answer = unsafe { libc::madvise(first as *mut libc::c_void, range.end - first, advice) };
    // Kernels before 5.14 do not know the question, and some memory cannot be asked about: the list of mappings tells as well.
    answer == 0 || is_listed(range, usage)
}

/// Whether the process's list of mappings holds all of a range.
#[cfg(target_os = "linux")]
fn is_listed(range: &Range<usize>, usage: Use) -> bool {
    // Without the list nothing is known against it.
    let Ok(list) = std::fs::read_to_string("/proc/self/maps") else { return true };
    let mut reached = range.start;
    for line in list.lines() {
        let mut words = line.split_ascii_whitespace();
        let (Some(bounds), Some(rights)) = (words.next(), words.next()) else { continue };
        let Some((start, end)) = bounds.split_once('-') else { continue };
        let (Ok(start), Ok(end)) = (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16)) else {
            continue;
        };
        let allowed = rights.starts_with('r') && (usage == Use::Read || rights[1..].starts_with('w'));
        if start <= reached && reached < end && allowed {
            reached = end;
        }
    }
    reached >= range.end
}

#[cfg(not(target_os = "linux"))]
fn is_mapped(range: &Range<usize>, _usage: Use) -> bool {
    range.start >= LOWEST_MAPPED
}

/// `rows` rows of `width` bytes that begin `pitch` bytes apart; `None` where no addresses are that large.
fn rows_at(address: usize, pitch: usize, width: usize, rows: usize) -> Option<Range<usize>> {
    if width == 0 || rows == 0 {
        return Some(address..address);
    }
    let reach = pitch.checked_mul(rows - 1)?.checked_add(width)?;
    let end = address.checked_add(reach)?;
    (end <= isize::MAX as usize).then_some(address..end)
}

/// Copies rows of bytes; `false`, and nothing is done, where memory is missing. `target_ours` and `source_ours` say which
/// side must be memory of the device.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn copy_memory(
    py: Python<'_>,
    target: usize,
    target_pitch: usize,
    source: usize,
    source_pitch: usize,
    width: usize,
    rows: usize,
    target_ours: bool,
    source_ours: bool,
) -> bool {
    let from = |ours: bool| if ours { From::Us } else { From::Anywhere };
    let (Some(to), Some(origin)) =
        (rows_at(target, target_pitch, width, rows), rows_at(source, source_pitch, width, rows))
    else {
        return false;
    };
    gate::released(py, || {
        let (Some(_to), Some(_origin)) = (
            present(to.clone(), Use::Write, from(target_ours)),
            present(origin, Use::Read, from(source_ours)),
        ) else {
            return false;
        };
        if !to.is_empty() {
            for row in 0..rows {
                let (origin, to) = (source + row * source_pitch, target + row * target_pitch);
                // SAFETY: both ranges are there, and stay where they are ours; `copy` allows them to overlap.
                unsafe { std::ptr::copy(origin as *const u8, to as *mut u8, width) };
            }
        }
        mark_written(to.start, to.len());
        true
    })
}

/// Sets bytes of the device's memory; `false`, and nothing is done, where it is missing. `ours` is as in `copy_memory`.
#[pyfunction]
fn fill_memory(py: Python<'_>, target: usize, value: u8, size: usize, ours: bool) -> bool {
    let Some(to) = rows_at(target, size, size, 1) else { return false };
    let from = if ours { From::Us } else { From::Anywhere };
    gate::released(py, || {
        let Some(_to) = present(to.clone(), Use::Write, from) else { return false };
        if !to.is_empty() {
            // SAFETY: the range is there, and stays where it is ours.
            unsafe { std::ptr::write_bytes(target as *mut u8, value, size) };
        }
        mark_written(to.start, to.len());
        true
    })
}

/// Whether memory of the CPU can be read, or written; with `ours`, whether we gave it out and it is still in use.
#[pyfunction]
fn has_memory(py: Python<'_>, address: usize, size: usize, write: bool, ours: bool) -> bool {
    let Some(range) = rows_at(address, size, size, 1) else { return false };
    let (usage, from) =
        (if write { Use::Write } else { Use::Read }, if ours { From::Us } else { From::Anywhere });
    gate::released(py, || present(range, usage, from).is_some())
}

/// Adds the functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(copy_memory, module)?)?;
    module.add_function(wrap_pyfunction!(fill_memory, module)?)?;
    module.add_function(wrap_pyfunction!(has_memory, module)?)
}
