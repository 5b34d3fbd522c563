//! Recursive filters. A thread runs a line or a segment of one; how lines are cut follows from the shape alone.

#[cfg(test)]
mod tests;

use cuprum_core::{DType, Result};
use cuprum_graph::{Buffer, RecurrenceCall};

use crate::compile::Kernel;
use crate::launch::LaunchArgs;
use crate::ops::{FragmentSet, type_name};
use crate::session::Session;

/// Threads of a block.
const THREADS: usize = 64;
/// Segments that are chained one after the other: a power of two.
const CHAIN_SEGMENTS: usize = 32;
/// How many threads are wanted, and the most segments of a line.
const WANTED_THREADS: usize = 1 << 15;
const MAX_SEGMENTS: usize = 2048;
/// The shortest segment, a power of two.
const SEGMENT_MIN: usize = 64;
/// The largest order of filters whose lines are cut.
const MAX_ORDER: usize = 32;
/// The largest order whose coefficients and tiles find room in shared memory; beyond it lines are read one by one.
const MAX_TILED_ORDER: usize = 256;

/// What the kernels' text depends on.
#[derive(Clone, Copy)]
struct RecurrenceVariant {
    dtype: DType,
    order: usize,
    tiled: bool,
}

impl RecurrenceVariant {
    fn wide(self) -> DType {
        if self.dtype.is_complex() { DType::C128 } else { DType::F64 }
    }

    fn text(self) -> String {
        let (complex, wide) = (self.dtype.is_complex(), self.wide());
        let fragments = FragmentSet::of_dtype(self.dtype).union(FragmentSet::of_dtype(wide));
        format!(
            "{}typedef {} T;\ntypedef {} V;\n#define ORDER {}\n#define TILED {}\n#define GROUP {CHAIN_SEGMENTS}\n{}{}",
            fragments.text(),
            type_name(self.dtype),
            type_name(wide),
            self.order,
            u32::from(self.tiled),
            if complex { "#define COMPLEX_STATE\n" } else { "" },
            include_str!("../../kernels/recurrence.cu"),
        )
    }
}

/// How lines are cut.
#[derive(Clone, Copy)]
struct LineCut {
    outer: usize,
    length: usize,
    inner: usize,
    part: usize,
}

impl LineCut {
    fn new(shape: &[usize], axis: usize, order: usize) -> LineCut {
        let (outer, inner) = (shape[..axis].iter().product(), shape[axis + 1..].iter().product());
        let length = shape[axis];
        let lines: usize = outer * inner;
        let wanted = if order <= MAX_ORDER { (WANTED_THREADS / lines).clamp(1, MAX_SEGMENTS) } else { 1 };
        let part = length.div_ceil(wanted).next_power_of_two().max(SEGMENT_MIN);
        LineCut { outer, length, inner, part: if wanted == 1 { length } else { part } }
    }

    fn lines(self) -> usize {
        self.outer * self.inner
    }

    fn parts(self) -> usize {
        self.length.div_ceil(self.part)
    }

    /// The kernels' struct.
    fn bytes(self) -> [u8; 40] {
        let mut bytes = [0; 40];
        let fields = [self.outer, self.length, self.inner, self.part, self.parts()];
        for (place, field) in bytes.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&(field as u64).to_ne_bytes());
        }
        bytes
    }
}

fn blocks(threads: usize) -> u32 {
    threads.div_ceil(THREADS) as u32
}

/// Runs recursive filters, one after the other: all but the first in place.
pub(super) fn run(session: &Session, call: &RecurrenceCall<'_>) -> Result<()> {
    let [b, a, input, state] = [call.b, call.a, call.input, call.state].map(|slot| session.dense(slot));
    let (b, a, input, state) = (b?, a?, input?, state?);
    session.with_dense_out(call.last, |last| {
        session.with_dense_out(call.out, |out| {
            let cut = LineCut::new(&out.layout.shape, call.axis, call.order());
            let tiled = cut.inner == 1 && call.order() <= MAX_TILED_ORDER;
            let plan = RecurrenceVariant { dtype: out.dtype, order: call.order(), tiled };
            let (row, states) = ((plan.order + 1), cut.lines() * plan.order);
            let wide = plan.wide().size();
            for section in 0..call.sections() {
                let [b, a] = [&b, &a].map(|slot| session.address(slot) + section * row * wide);
                let [before, after] =
                    [&state, last].map(|slot| session.address(slot) + section * states * wide);
                let input = session.address(if section == 0 { &input } else { out });
                let filter = Filter { session, plan, cut, input, b, a };
                // SAFETY: the addresses are of this section's parts of dense slots.
                unsafe { filter.run(before, session.address(out), after)? };
            }
            Ok(())
        })
    })
}

/// A filter and the addresses of what it reads.
struct Filter<'a> {
    session: &'a Session,
    plan: RecurrenceVariant,
    cut: LineCut,
    input: usize,
    b: usize,
    a: usize,
}

impl Filter<'_> {
    fn kernel(&self, entry: &'static str) -> Result<Kernel> {
        let variant = [self.plan.dtype as u32, self.plan.order as u32, u32::from(self.plan.tiled)];
        self.session.kernel(entry, &variant, || self.plan.text())
    }

    /// # Safety
    /// As for [`Session::launch`].
    unsafe fn launch(&self, entry: &'static str, threads: usize, args: &LaunchArgs) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.session.launch(self.kernel(entry)?, blocks(threads), THREADS as u32, args) }
    }

    /// # Safety
    /// The filter's addresses are of elements as its variant and its lines say; there are states at `before`, and room for
    /// states at `after` and for the result at `out`.
    unsafe fn run(&self, before: usize, out: usize, after: usize) -> Result<()> {
        let cut = self.cut;
        // SAFETY: the caller's promise.
        let carries = if cut.parts() > 1 { Some(unsafe { self.states(before) }?) } else { None };
        let states = carries.as_ref().map_or(before, |buffer| buffer.address());
        let mut args = LaunchArgs::new();
        args.pointer(self.input).pointer(out).bytes(&cut.bytes());
        args.pointer(self.b).pointer(self.a).pointer(states).pointer(after);
        // SAFETY: the kernel's own arguments, over what the caller promises.
        unsafe { self.launch("recurrence_segments", cut.lines() * cut.parts(), &args) }
    }

    /// The state before each segment.
    ///
    /// # Safety
    /// As for [`Filter::run`].
    unsafe fn states(&self, before: usize) -> Result<Buffer> {
        let (session, cut, wide) = (self.session, self.cut, self.plan.wide().size());
        let Filter { input, b, a, .. } = *self;
        let shape = cut.bytes();
        let (parts, groups) = (cut.parts(), cut.parts().div_ceil(CHAIN_SEGMENTS));
        let totals = session.scratch(cut.lines() * parts * self.plan.order * wide)?;
        let group_totals = session.scratch(cut.lines() * groups * self.plan.order * wide)?;
        // Two matrices to square in, then the two powers, each entry a pair; then two words.
        let matrix = (self.plan.order * wide).pow(2) / 64 * 16;
        let matrices = session.scratch(4 * matrix + 8)?;
        let [work, power, group_power, finite] = [0, 2, 3, 4].map(|at| matrices.address() + at * matrix);

        let mut args = LaunchArgs::new();
        args.pointer(a).u32(cut.part.trailing_zeros()).u32(CHAIN_SEGMENTS.trailing_zeros());
        args.pointer(work).pointer(power).pointer(group_power).pointer(finite);
        // SAFETY: the kernel's own arguments, over what the caller promises and scratch as large as it writes.
        unsafe { session.launch(self.kernel("recurrence_powers")?, 1, 256, &args) }?;

        let mut args = LaunchArgs::new();
        args.pointer(input).bytes(&shape).pointer(b).pointer(a).pointer(totals.address());
        // SAFETY: as above.
        unsafe { self.launch("recurrence_totals", cut.lines() * parts, &args)? };

        let mut args = LaunchArgs::new();
        args.bytes(&shape).pointer(totals.address()).pointer(power).pointer(finite);
        args.pointer(group_totals.address());
        // SAFETY: as above.
        unsafe { self.launch("recurrence_groups", cut.lines() * groups, &args)? };

        let mut args = LaunchArgs::new();
        args.pointer(input).bytes(&shape).pointer(b).pointer(a).pointer(before).pointer(totals.address());
        args.pointer(power).pointer(group_power).pointer(finite).pointer(group_totals.address());
        // SAFETY: as above.
        unsafe { self.launch("recurrence_chain", cut.lines(), &args)? };

        let mut args = LaunchArgs::new();
        args.pointer(input).bytes(&shape).pointer(b).pointer(a).pointer(group_totals.address());
        args.pointer(power).pointer(finite).pointer(totals.address());
        // SAFETY: as above.
        unsafe { self.launch("recurrence_carries", cut.lines() * groups, &args)? };
        Ok(totals)
    }
}
