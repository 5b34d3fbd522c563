//! Slots become locals where every access is at a place that is known: the fields of structs, small arrays, variables
//! whose address was taken for a call.
//!
//! A slot is divided into cells, ranges of bytes that are read and written together. Where accesses overlap otherwise
//! (unions, halves of a word) a cell is an integer and its parts are shifted in and out. Copies of structs become copies
//! of their cells, also to and from memory.

use super::dominators::{self, Dominators};
use crate::ir::{Binary, Block, Convert, Function, Inst, Local, LocalInfo, Op, SlotId, Type};

/// Larger slots stay memory.
const MAX_BYTES: u64 = 512;
/// Slots with more cells stay memory.
const MAX_CELLS: usize = 64;

/// Promotes what can be. Returns whether anything was.
pub fn promote(function: &mut Function) -> bool {
    if function.slots.is_empty() {
        return false;
    }
    let places = places(function);
    let mut uses = Uses::gather(function, &places);
    uses.unify_copied_cells();
    if !uses.slots.iter().any(|slot| slot.promoted && slot.used) {
        return false;
    }
    for slot in uses.slots.iter_mut().filter(|slot| slot.promoted) {
        for cell in &mut slot.cells {
            let ty = cell.local_type();
            cell.local = Local(function.locals.len() as u32);
            function.locals.push(LocalInfo { ty, name: slot.name.clone() });
        }
    }
    let mut blocks = std::mem::take(&mut function.blocks);
    for block in &mut blocks {
        rewrite(function, &uses, &places, block);
    }
    function.blocks = blocks;
    true
}

/// A place in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    slot: SlotId,
    offset: i64,
}

/// For each local that always holds the address of one place in a slot: that place.
fn places(function: &Function) -> Vec<Option<Place>> {
    let dominators = Dominators::new(function);
    let sites = dominators::values(function, &dominators);
    let mut places: Vec<Option<Place>> = vec![None; function.locals.len()];
    let mut numbers: Vec<Option<u64>> = vec![None; function.locals.len()];
    // Values are written before they are read in this order.
    for id in &dominators.order {
        for inst in &function.blocks[id.index()].insts {
            let Some(dst) = inst.op.dst().filter(|dst| sites[dst.index()].is_some()) else { continue };
            places[dst.index()] = match &inst.op {
                Op::Const { bits, .. } => {
                    numbers[dst.index()] = Some(*bits);
                    None
                }
                Op::SlotAddress { slot, .. } => Some(Place { slot: *slot, offset: 0 }),
                Op::Copy { src, .. } => {
                    numbers[dst.index()] = numbers[src.index()];
                    places[src.index()]
                }
                Op::Binary { op: Binary::Add, a, b, .. } => match (places[a.index()], places[b.index()]) {
                    (Some(place), None) => moved(place, numbers[b.index()]),
                    (None, Some(place)) => moved(place, numbers[a.index()]),
                    _ => None,
                },
                Op::Binary { op: Binary::Sub, a, b, .. } => match (places[a.index()], numbers[b.index()]) {
                    (Some(place), Some(by)) => moved(place, Some(by.wrapping_neg())),
                    _ => None,
                },
                _ => None,
            };
        }
    }
    places
}

fn moved(place: Place, by: Option<u64>) -> Option<Place> {
    Some(Place { slot: place.slot, offset: place.offset.checked_add(by? as i64)? })
}

/// A range of a slot's bytes that becomes a local.
#[derive(Clone, Debug)]
struct Cell {
    start: u64,
    bytes: u64,
    /// The type of all accesses; none where they differ.
    ty: Option<Type>,
    local: Local,
}

impl Cell {
    fn local_type(&self) -> Type {
        self.ty.unwrap_or_else(|| integer(self.bytes))
    }

    fn end(&self) -> u64 {
        self.start + self.bytes
    }
}

fn integer(bytes: u64) -> Type {
    match bytes {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    }
}

struct SlotUses {
    name: String,
    bytes: u64,
    promoted: bool,
    used: bool,
    /// Ascending and apart from each other.
    cells: Vec<Cell>,
}

/// A copy of bytes of which at least one side is a place in a slot.
struct Copied {
    to: Option<Place>,
    from: Option<Place>,
    bytes: u64,
}

struct Uses {
    slots: Vec<SlotUses>,
    copies: Vec<Copied>,
    zeroed: Vec<(Place, u64)>,
}

impl Uses {
    fn gather(function: &Function, places: &[Option<Place>]) -> Uses {
        let slots = function.slots.iter().map(|slot| SlotUses {
            name: slot.name.clone(),
            bytes: slot.bytes,
            promoted: slot.bytes <= MAX_BYTES,
            used: false,
            cells: Vec::new(),
        });
        let mut uses = Uses { slots: slots.collect(), copies: Vec::new(), zeroed: Vec::new() };
        let place = |local: &Local| places[local.index()];
        for block in &function.blocks {
            for inst in &block.insts {
                match &inst.op {
                    Op::Load { dst, addr, offset, volatile: false } if place(addr).is_some() => {
                        uses.access(place(addr), *offset, function.locals[dst.index()].ty);
                    }
                    Op::Store { addr, offset, src, volatile: false } if place(addr).is_some() => {
                        uses.access(place(addr), *offset, function.locals[src.index()].ty);
                        uses.keep(place(src));
                    }
                    Op::CopyBytes { to, from, bytes } => {
                        let (to, from) = (place(to), place(from));
                        if to.is_some() || from.is_some() {
                            uses.copies.push(Copied { to, from, bytes: *bytes });
                        }
                    }
                    Op::CheckAligned { addr, .. } if place(addr).is_some() => {}
                    Op::ZeroBytes { to, bytes } => {
                        uses.zeroed.extend(place(to).map(|to| (to, *bytes)));
                    }
                    op if op.dst().is_some_and(|dst| places[dst.index()].is_some()) => {}
                    op => op.visit_uses(|local| uses.keep(places[local.index()])),
                }
            }
            if let Some(local) = block.end.used() {
                uses.keep(places[local.index()]);
            }
        }
        uses
    }

    /// The address goes elsewhere: the slot stays memory.
    fn keep(&mut self, place: Option<Place>) {
        if let Some(place) = place {
            self.slots[place.slot.index()].promoted = false;
        }
    }

    fn access(&mut self, place: Option<Place>, offset: i64, ty: Type) {
        let Some(place) = place else { return };
        let start = place.offset.checked_add(offset).and_then(|start| u64::try_from(start).ok());
        let slot = &mut self.slots[place.slot.index()];
        slot.used = true;
        match start {
            Some(start) => slot.cover(start, u64::from(ty.bytes()), Some(ty)),
            None => slot.promoted = false,
        }
    }

    /// Brings the cells of slots that are copied into agreement; slots where that fails stay memory.
    fn unify_copied_cells(&mut self) {
        self.check_ranges();
        loop {
            while self.mirror() {}
            self.fill();
            if !self.mirror() && !self.drop_misfits() {
                break;
            }
        }
    }

    /// Ranges outside a slot are faults, which only memory can tell.
    fn check_ranges(&mut self) {
        let mut outside = Vec::new();
        let copied = self
            .copies
            .iter()
            .flat_map(|copy| [copy.to, copy.from].into_iter().flatten().map(|place| (place, copy.bytes)));
        for (place, bytes) in copied.chain(self.zeroed.iter().copied()) {
            let slot = &self.slots[place.slot.index()];
            let start = u64::try_from(place.offset).unwrap_or(u64::MAX);
            if start.checked_add(bytes).is_none_or(|end| end > slot.bytes) {
                outside.push(place.slot);
            }
        }
        for slot in outside {
            self.slots[slot.index()].promoted = false;
        }
        for slot in self.zeroed.iter().map(|zero| zero.0.slot) {
            self.slots[slot.index()].used = true;
        }
        for place in self.copies.iter().flat_map(|copy| [copy.to, copy.from]).flatten() {
            self.slots[place.slot.index()].used = true;
        }
    }

    fn is_promoted(&self, place: Option<Place>) -> Option<Place> {
        place.filter(|place| self.slots[place.slot.index()].promoted)
    }

    /// Gives both sides of each copy the cells of the other. Returns whether any are new.
    fn mirror(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.copies.len() {
            let copy = &self.copies[i];
            let (Some(to), Some(from)) = (self.is_promoted(copy.to), self.is_promoted(copy.from)) else {
                continue;
            };
            let bytes = copy.bytes;
            changed |= self.cover_copied_cells(from, to, bytes) | self.cover_copied_cells(to, from, bytes);
        }
        changed
    }

    fn cover_copied_cells(&mut self, model: Place, other: Place, bytes: u64) -> bool {
        let start = model.offset as u64;
        let cells: Vec<Cell> = self.slots[model.slot.index()].within(start, bytes).cloned().collect();
        let slot = &mut self.slots[other.slot.index()];
        let mut changed = false;
        for cell in cells {
            let at = other.offset as u64 + (cell.start - start);
            // A wider cell holds it too; where that one is copied whole it comes back by itself.
            let there = slot.cells.iter().any(|own| {
                let holds = own.start <= at && own.end() >= at + cell.bytes;
                holds && (own.ty.is_none() || (own.bytes == cell.bytes && own.ty == cell.ty))
            });
            if !there {
                slot.cover(at, cell.bytes, cell.ty);
                changed = true;
            }
        }
        changed
    }

    /// What is copied to memory is copied whole, also what nobody looks at.
    fn fill(&mut self) {
        for i in 0..self.copies.len() {
            let copy = &self.copies[i];
            if let Some(from) = self.is_promoted(copy.from)
                && self.is_promoted(copy.to).is_none()
            {
                let bytes = copy.bytes;
                self.slots[from.slot.index()].fill(from.offset as u64, bytes);
            }
        }
    }

    /// Slots whose cells are cut by a copy, or that have too many, stay memory. Returns whether there were any.
    fn drop_misfits(&mut self) -> bool {
        let mut misfits = Vec::new();
        for copy in &self.copies {
            misfits.extend([copy.to, copy.from].into_iter().flatten().map(|place| (place, copy.bytes)));
        }
        misfits.extend(self.zeroed.iter().copied());
        misfits.retain(|(place, bytes)| self.slots[place.slot.index()].is_cut(place.offset as u64, *bytes));
        let mut changed = false;
        for slot in misfits.iter().map(|misfit| misfit.0.slot) {
            changed |= std::mem::take(&mut self.slots[slot.index()].promoted);
        }
        for slot in self.slots.iter_mut().filter(|slot| slot.cells.len() > MAX_CELLS) {
            changed |= std::mem::take(&mut slot.promoted);
        }
        changed
    }
}

impl SlotUses {
    /// Adds an access: to a cell of its own, to the cell that contains it, or by merging the cells that it touches.
    fn cover(&mut self, start: u64, bytes: u64, ty: Option<Type>) {
        let Some(end) = start.checked_add(bytes).filter(|end| *end <= self.bytes) else {
            self.promoted = false;
            return;
        };
        if !self.promoted {
            return;
        }
        let first = self.cells.partition_point(|cell| cell.end() <= start);
        let last = self.cells.partition_point(|cell| cell.start < end);
        if first == last {
            self.cells.insert(first, Cell { start, bytes, ty, local: Local(0) });
            return;
        }
        let same = last == first + 1 && self.cells[first].start == start && self.cells[first].bytes == bytes;
        if same {
            if self.cells[first].ty != ty {
                self.cells[first].ty = None;
            }
            return;
        }
        let from = self.cells[first].start.min(start);
        let to = self.cells[last - 1].end().max(end);
        if matches!(to - from, 1 | 2 | 4 | 8) {
            let merged = Cell { start: from, bytes: to - from, ty: None, local: Local(0) };
            self.cells.splice(first..last, [merged]);
        } else {
            self.promoted = false;
        }
    }

    /// Gives bytes that are in no cell cells, as wide as their places allow.
    fn fill(&mut self, start: u64, bytes: u64) {
        let end = start + bytes;
        let mut at = start;
        while at < end {
            let next = self.cells.partition_point(|cell| cell.end() <= at);
            let free = self.cells.get(next).map_or(end, |cell| cell.start.min(end));
            if free <= at {
                at = self.cells[next].end();
                continue;
            }
            let widest =
                [8, 4, 2, 1].into_iter().find(|width| at.is_multiple_of(*width) && at + width <= free);
            let width = widest.unwrap_or(1);
            self.cells.insert(next, Cell { start: at, bytes: width, ty: None, local: Local(0) });
            at += width;
        }
    }

    fn within(&self, start: u64, bytes: u64) -> impl Iterator<Item = &Cell> {
        let end = start + bytes;
        self.cells.iter().filter(move |cell| cell.start >= start && cell.end() <= end)
    }

    /// Whether a cell is in the range with one part and outside it with another.
    fn is_cut(&self, start: u64, bytes: u64) -> bool {
        let end = start.saturating_add(bytes);
        self.promoted
            && self.cells.iter().any(|cell| {
                let touches = cell.start < end && start < cell.end();
                touches && (cell.start < start || cell.end() > end)
            })
    }
}

/// Writes a block anew with cells in place of promoted slots.
fn rewrite(function: &mut Function, uses: &Uses, places: &[Option<Place>], block: &mut Block) {
    let promoted = |local: &Local| uses.is_promoted(places[local.index()]);
    let insts = std::mem::take(&mut block.insts);
    let mut writer = Writer { function, out: Vec::with_capacity(insts.len()), span: block.span };
    for inst in insts {
        writer.span = inst.span;
        match &inst.op {
            Op::Load { dst, addr, offset, .. } if promoted(addr).is_some() => {
                if let Some((cell, shift)) = uses.cell(promoted(addr), *offset) {
                    writer.read(cell, shift, *dst);
                }
            }
            Op::Store { addr, offset, src, .. } if promoted(addr).is_some() => {
                if let Some((cell, shift)) = uses.cell(promoted(addr), *offset) {
                    writer.write(cell, shift, *src);
                }
            }
            Op::CheckAligned { addr, .. } if promoted(addr).is_some() => {}
            Op::ZeroBytes { to, bytes } if promoted(to).is_some() => {
                for cell in uses.cells(promoted(to), *bytes) {
                    writer.push(Op::Const { dst: cell.local, bits: 0 });
                }
            }
            Op::CopyBytes { to, from, bytes } => match (promoted(to), promoted(from)) {
                (None, None) => writer.push(inst.op),
                (Some(into), Some(out_of)) => writer.copy_cells(uses, into, out_of, *bytes),
                (Some(into), None) => {
                    for cell in uses.cells(Some(into), *bytes) {
                        let offset = cell.start as i64 - into.offset;
                        writer.push(Op::Load { dst: cell.local, addr: *from, offset, volatile: false });
                    }
                }
                (None, Some(out_of)) => {
                    for cell in uses.cells(Some(out_of), *bytes) {
                        let offset = cell.start as i64 - out_of.offset;
                        writer.push(Op::Store { addr: *to, offset, src: cell.local, volatile: false });
                    }
                }
            },
            _ => writer.push(inst.op),
        }
    }
    block.insts = writer.out;
}

impl Uses {
    /// The cell that holds a place, and how many bytes into it the place is.
    fn cell(&self, place: Option<Place>, offset: i64) -> Option<(&Cell, u64)> {
        let place = place?;
        let start = u64::try_from(place.offset.checked_add(offset)?).ok()?;
        let cells = &self.slots[place.slot.index()].cells;
        let cell = cells.get(cells.partition_point(|cell| cell.end() <= start))?;
        Some((cell, start - cell.start))
    }

    fn cells(&self, place: Option<Place>, bytes: u64) -> impl Iterator<Item = &Cell> {
        let place = place.into_iter();
        place.flat_map(move |place| self.slots[place.slot.index()].within(place.offset as u64, bytes))
    }
}

/// Writes instructions, with locals of its own for what is between.
struct Writer<'a> {
    function: &'a mut Function,
    out: Vec<Inst>,
    span: crate::Span,
}

impl Writer<'_> {
    fn push(&mut self, op: Op) {
        self.out.push(Inst { op, span: self.span });
    }

    fn local(&mut self, ty: Type) -> Local {
        self.function.locals.push(LocalInfo { ty, name: String::new() });
        Local(self.function.locals.len() as u32 - 1)
    }

    fn ty(&self, local: Local) -> Type {
        self.function.locals[local.index()].ty
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Local {
        let dst = self.local(ty);
        self.push(Op::Const { dst, bits });
        dst
    }

    fn binary(&mut self, op: Binary, a: Local, b: Local) -> Local {
        let dst = self.local(self.ty(a));
        self.push(Op::Binary { dst, op, a, b });
        dst
    }

    /// A value of the same bits in the type `to`, of the same width.
    fn with_type(&mut self, src: Local, to: Type) -> Local {
        if self.ty(src) == to {
            return src;
        }
        let dst = self.local(to);
        self.push(Op::Convert { dst, kind: Convert::Bits, src });
        dst
    }

    /// `dst = ` the bytes of a cell from `shift` on.
    fn read(&mut self, cell: &Cell, shift: u64, dst: Local) {
        let ty = self.ty(dst);
        let width = integer(u64::from(ty.bytes()));
        let mut bits = cell.local;
        if u64::from(ty.bytes()) < cell.bytes {
            bits = self.with_type(bits, integer(cell.bytes));
            if shift > 0 {
                let by = self.constant(integer(cell.bytes), shift * 8);
                bits = self.binary(Binary::ShrU, bits, by);
            }
            let narrow = self.local(width);
            self.push(Op::Convert { dst: narrow, kind: Convert::Narrow, src: bits });
            bits = narrow;
        }
        let src = self.with_type(bits, ty);
        self.push(Op::Copy { dst, src });
    }

    /// The bytes of a cell from `shift` on become those of `src`.
    fn write(&mut self, cell: &Cell, shift: u64, src: Local) {
        let bytes = u64::from(self.ty(src).bytes());
        let whole = cell.local_type();
        if bytes == cell.bytes {
            let src = self.with_type(src, whole);
            return self.push(Op::Copy { dst: cell.local, src });
        }
        let wide = integer(cell.bytes);
        let part = self.with_type(src, integer(bytes));
        let extended = self.local(wide);
        self.push(Op::Convert { dst: extended, kind: Convert::ZeroExtend, src: part });
        let by = self.constant(wide, shift * 8);
        let placed = self.binary(Binary::Shl, extended, by);
        let hole = !((u64::MAX >> (64 - bytes * 8)) << (shift * 8)) & super::fold::mask(wide);
        let hole = self.constant(wide, hole);
        let old = self.with_type(cell.local, wide);
        let kept = self.binary(Binary::And, old, hole);
        let joined = self.binary(Binary::Or, kept, placed);
        let src = self.with_type(joined, whole);
        self.push(Op::Copy { dst: cell.local, src });
    }

    /// The cells of a range get the values of those of another.
    fn copy_cells(&mut self, uses: &Uses, into: Place, out_of: Place, bytes: u64) {
        for cell in uses.cells(Some(into), bytes) {
            let offset = cell.start as i64 - into.offset;
            if let Some((source, 0)) = uses.cell(Some(out_of), offset) {
                let src = self.with_type(source.local, cell.local_type());
                self.push(Op::Copy { dst: cell.local, src });
            }
        }
    }
}
