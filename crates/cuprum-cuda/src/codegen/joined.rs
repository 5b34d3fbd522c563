//! Several Programs as one launch: the boxes that a result was cut into. Each box has arguments of its own; boxes of one
//! structure share their text. The largest box with each code keeps the structure that suits it best; the others with that
//! code, mostly edges and corners, share a general structure: element by element, at any strides.

use std::borrow::Cow;

use cuprum_graph::{Program, ProgramRun};
use smallvec::SmallVec;

use super::key::{Access, BoxGroup, KernelKey, Path, Structure};
use super::operands::Operands;
use super::relaunch::{ArgsPart, CachedLaunch};
use super::{LaunchGeometry, LaunchPlan, map};

/// The most texts in one kernel.
const MAX_GROUPS: usize = 6;
/// The most boxes in one launch.
const MAX_BOXES: usize = 64;
/// Bytes of arguments that every GPU takes.
const MAX_ARGS: usize = 4000;

/// One launch of several Programs.
pub struct JoinedPlan<'a> {
    /// The key of its kernel.
    pub key: KernelKey,
    /// Its grid, blocks and shared memory.
    pub geometry: LaunchGeometry,
    /// In the order of the kernel's arguments.
    boxes: Vec<BoxPlan<'a>>,
}

/// A box: a Program, or a part of one.
struct BoxPlan<'a> {
    /// The place of the Program among the runs.
    run: usize,
    program: Cow<'a, Program>,
    plan: LaunchPlan,
}

impl BoxPlan<'_> {
    fn structure(&self) -> &Structure {
        &self.plan.key.structure
    }

    fn blocks(&self) -> usize {
        self.plan.geometry.grid[0] as usize
    }
}

impl<'a> JoinedPlan<'a> {
    /// The launch of these runs; `None` where they do not fit one.
    pub fn of(runs: &[ProgramRun<'a>]) -> Option<JoinedPlan<'a>> {
        let mut boxes: Vec<BoxPlan<'a>> = Vec::new();
        for (run, made) in runs.iter().enumerate() {
            if made.program.reduce.is_some() {
                return None;
            }
            for program in map::aligned_parts(made.program, &made.output_buffers()) {
                let plan = map::plan(&program, &operands(&program, made));
                if !matches!(plan.key.structure.path, Path::Map { .. }) {
                    return None;
                }
                boxes.push(BoxPlan { run, program, plan });
            }
        }
        if boxes.len() < 2 || boxes.len() > MAX_BOXES {
            return None;
        }
        boxes.sort_by_key(|one| std::cmp::Reverse(one.program.size()));
        let boxes = generalised(boxes, runs);
        let groups = groups(&boxes);
        let bytes = boxes.iter().map(|one| one.plan.args.bytes().len() + 4).sum::<usize>();
        let blocks = boxes.iter().map(BoxPlan::blocks).sum::<usize>();
        if groups.len() > MAX_GROUPS || bytes > MAX_ARGS || blocks > i32::MAX as usize {
            return None;
        }
        let geometry = LaunchGeometry::blocks(blocks);
        Some(JoinedPlan { key: KernelKey::joined(groups), geometry, boxes })
    }

    /// The launch in a form that can be repeated.
    pub fn again(&self, runs: &[ProgramRun<'_>]) -> JoinedLaunch {
        let again = |one: &BoxPlan<'_>| (one.run, one.plan.again(&one.program, &runs[one.run]));
        let mut first = 0u32;
        let mut starts: Vec<u8> = Vec::new();
        for one in &self.boxes {
            starts.extend(first.to_le_bytes());
            first += one.blocks() as u32;
        }
        JoinedLaunch {
            geometry: self.geometry,
            boxes: self.boxes.iter().map(again).collect(),
            starts: ArgsPart::of(&starts).collect(),
            args: Vec::new(),
        }
    }
}

/// A launch of several Programs that can be repeated.
pub struct JoinedLaunch {
    /// What it is launched with.
    pub geometry: LaunchGeometry,
    /// Each with the place of its Program among the runs.
    boxes: Vec<(usize, CachedLaunch)>,
    /// The first block of each box.
    starts: Vec<ArgsPart>,
    args: Vec<ArgsPart>,
}

impl JoinedLaunch {
    /// Whether the plan holds for these runs.
    pub fn fits(&self, runs: &[ProgramRun<'_>]) -> bool {
        self.boxes.iter().all(|(run, launch)| runs.get(*run).is_some_and(|run| launch.fits(run)))
    }

    /// The kernel's one parameter, filled in with the operands and scalars of all runs.
    pub fn args(&mut self, runs: &[ProgramRun<'_>]) -> &[ArgsPart] {
        self.args.clear();
        for (run, launch) in &mut self.boxes {
            let run = &runs[*run];
            self.args.extend_from_slice(launch.args(run.program, run, 0, 0));
        }
        self.args.extend_from_slice(&self.starts);
        &self.args
    }
}

fn operands<'p>(program: &'p Program, run: &ProgramRun<'_>) -> Operands<'p> {
    let addresses = |places: &[usize]| {
        places.iter().map(|&at| run.buffers[at].address()).collect::<SmallVec<[usize; 8]>>()
    };
    Operands::of(program, &addresses(run.inputs), &addresses(run.outputs))
}

/// The boxes, group by group: those that share a code with a larger one of another structure have the general structure.
fn generalised<'a>(boxes: Vec<BoxPlan<'a>>, runs: &[ProgramRun<'_>]) -> Vec<BoxPlan<'a>> {
    let mut own: Vec<Vec<BoxPlan<'a>>> = Vec::new();
    let mut rest: Vec<Vec<BoxPlan<'a>>> = Vec::new();
    for one in boxes {
        if let Some(group) = own.iter_mut().find(|group| group[0].structure() == one.structure()) {
            group.push(one);
        } else if own.iter().all(|group| !is_alike(group[0].structure(), one.structure())) {
            own.push(vec![one]);
        } else if let Some(group) =
            rest.iter_mut().find(|group| is_alike(group[0].structure(), one.structure()))
        {
            group.push(one);
        } else {
            rest.push(vec![one]);
        }
    }
    for group in rest.iter_mut().filter(|group| group.len() > 1) {
        let structure = general(group);
        for one in group {
            one.plan = map::general_plan(&one.program, &operands(&one.program, &runs[one.run]), &structure);
        }
    }
    own.into_iter().chain(rest).flatten().collect()
}

/// Whether two structures have the same code over operands of the same dtypes.
fn is_alike(a: &Structure, b: &Structure) -> bool {
    let operands = |s: &Structure| s.operands.iter().map(|o| (o.role, o.dtype)).collect::<SmallVec<[_; 8]>>();
    a.code == b.code && a.params == b.params && a.stored == b.stored && operands(a) == operands(b)
}

/// A structure that suits all of these boxes.
fn general(boxes: &[BoxPlan<'_>]) -> Structure {
    let mut structure = boxes[0].structure().clone();
    structure.path = Path::Map { unroll: 1 };
    structure.pack = 1;
    for one in boxes {
        let other = one.structure();
        structure.wide |= other.wide;
        structure.inner = structure.inner.max(other.inner);
        for (class, of) in structure.operands.iter_mut().zip(&other.operands) {
            class.access = Access::Strided;
            class.aligned &= of.aligned;
        }
    }
    structure
}

/// Neighbours of one structure, counted.
fn groups(boxes: &[BoxPlan<'_>]) -> Vec<BoxGroup> {
    let mut groups: Vec<BoxGroup> = Vec::new();
    for one in boxes {
        match groups.last_mut().filter(|group| group.structure == *one.structure()) {
            Some(group) => group.boxes += 1,
            None => groups.push(BoxGroup { structure: one.structure().clone(), boxes: 1 }),
        }
    }
    groups
}
