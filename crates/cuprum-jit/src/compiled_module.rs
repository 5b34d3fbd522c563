//! Compiled modules: the memory of their variables, their kernels, and the machine code that is made when it is wanted.

use std::alloc::{Layout as Allocation, alloc_zeroed, dealloc};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use cuprum_kernel::ir::{self, FunctionId, Op, PointerTarget};
use cuprum_kernel::passes::lockstep::Lockstep;
use cuprum_kernel::passes::{self, Prepared};
use cuprum_kernel::{Diagnostic, SourceMap, Span, memory};
use cuprum_threads::interrupt::Watch;

use crate::codegen::{self, Code, Layout, Sources};
use crate::fault::{Fault, FaultKind};
use crate::launch::{Extent, Launch};
use crate::lockstep_variants::LockstepVariants;
use crate::regions::Cut;
use crate::stack;

/// A module on the CPU: its variables have memory, and its kernels can be launched.
#[derive(Clone)]
pub struct CompiledModule {
    inner: Arc<Inner>,
}

/// A kernel of a [`CompiledModule`].
#[derive(Clone)]
pub struct Kernel {
    program: Arc<Inner>,
    index: usize,
}

/// What a kernel takes and needs.
#[derive(Clone, Debug)]
pub struct KernelInfo {
    /// Its parameters.
    pub params: Vec<ir::Parameter>,
    /// Bytes of all parameters.
    pub param_bytes: u32,
    /// Bytes of static shared memory.
    pub shared_bytes: usize,
    /// Bytes of local memory for each thread.
    pub local_bytes: usize,
    /// The most threads of a block.
    pub max_threads: u32,
}

pub(crate) struct Inner {
    pub(crate) module: ir::Module,
    /// Held for the globals and the code that names them.
    _variables: Variables,
    pub(crate) globals: Vec<Extent>,
    addresses: Vec<usize>,
    pub(crate) strings: Vec<Box<[u8]>>,
    kernels: Vec<KernelState>,
    /// Instructions of all functions.
    insts: usize,
}

struct KernelState {
    id: FunctionId,
    plain: Variant,
    /// For the checking mode.
    checked: Variant,
    /// For launches in which lanes of a warp meet.
    lockstep: LockstepVariants,
}

/// One way that a kernel is compiled.
#[derive(Default)]
pub(crate) struct Variant {
    ready: OnceLock<Result<Ready, Diagnostic>>,
    code: OnceLock<Result<Code, Diagnostic>>,
    /// For launches with pointers that are not multiples of what the kernel needs.
    unaligned: OnceLock<Result<Code, Diagnostic>>,
}

/// A kernel as it is before machine code is made.
pub(crate) struct Ready {
    pub(crate) cut: Cut,
    pub(crate) callees: Vec<(FunctionId, ir::Function)>,
    pub(crate) layout: Layout,
    /// What the launch's pointers should be multiples of, by the parameter's number.
    alignment: Vec<u64>,
    /// The result may depend on the order of blocks.
    pub(crate) order_matters: bool,
    /// Blocks wait for one another: grid barriers, yields.
    pub(crate) resident: bool,
    /// Some thread looks at the clock.
    pub(crate) reads_clock: bool,
    /// Functions are called.
    pub(crate) calls: bool,
    /// Some thread may go back to where it was.
    pub(crate) loops: bool,
    /// The accesses by which lanes of a warp may meet; of the plain variant alone.
    pub(crate) lockstep: Option<Lockstep>,
}

/// The memory of all variables.
struct Variables {
    start: *mut u8,
    allocation: Allocation,
}

// SAFETY: memory that kernels of any thread use, as CUDA's global memory is.
unsafe impl Send for Variables {}
// SAFETY: as above.
unsafe impl Sync for Variables {}

impl Drop for Variables {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.start, self.allocation) }
    }
}

/// What variables are aligned to at least, as `cudaMalloc` does.
const ALIGNMENT: usize = 256;
/// The most bytes of all variables together.
const MAX_VARIABLES: usize = 1 << 32;

impl CompiledModule {
    /// Gives a module's variables memory. Kernels are compiled when they are first launched.
    ///
    /// # Errors
    /// The module is not well formed, or its variables do not fit into memory.
    pub fn new(module: ir::Module) -> Result<CompiledModule, Diagnostic> {
        if let Some(fault) = ir::verify(&module).into_iter().next() {
            return Err(Diagnostic::error(
                Span::default(),
                format!("the kernel's code is not well formed: {fault}"),
            ));
        }
        let strings: Vec<Box<[u8]>> =
            module.strings.iter().map(|text| text.bytes().chain([0]).collect()).collect();
        let (variables, globals) = allocate(&module)?;
        let addresses: Vec<usize> = globals.iter().map(|global| global.start).collect();
        for (global, &start) in module.globals.iter().zip(&addresses) {
            // SAFETY: the variable's range of the allocation, which holds that many bytes.
            let memory = unsafe { std::slice::from_raw_parts_mut(start as *mut u8, global.bytes.len()) };
            memory.copy_from_slice(&global.bytes);
            for pointer in &global.addresses {
                let target = match pointer.target {
                    PointerTarget::Global(id) => addresses[id.index()],
                    PointerTarget::String(id) => strings[id.index()].as_ptr() as usize,
                };
                let value = (target as u64).wrapping_add(pointer.addend as u64).to_ne_bytes();
                let at = pointer.offset as usize;
                if let Some(place) = memory.get_mut(at..at.saturating_add(8)) {
                    place.copy_from_slice(&value);
                }
            }
        }
        let is_kernel = |(i, function): (usize, &ir::Function)| {
            function.kernel.is_some().then(|| KernelState {
                id: FunctionId(i as u32),
                plain: Variant::default(),
                checked: Variant::default(),
                lockstep: LockstepVariants::default(),
            })
        };
        let kernels = module.functions.iter().enumerate().filter_map(is_kernel).collect();
        let blocks = module.functions.iter().flat_map(|function| &function.blocks);
        let insts = blocks.map(|block| block.insts.len() + 1).sum();
        Ok(CompiledModule {
            inner: Arc::new(Inner {
                module,
                _variables: variables,
                globals,
                addresses,
                strings,
                kernels,
                insts,
            }),
        })
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<Kernel> {
        let functions = &self.inner.module.functions;
        let index = self.inner.kernels.iter().position(|kernel| functions[kernel.id.index()].name == name)?;
        Some(Kernel { program: Arc::clone(&self.inner), index })
    }

    /// The names of all kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.inner.kernels.iter().map(|kernel| self.inner.module.functions[kernel.id.index()].name.as_str())
    }

    /// The address and size of a `__device__` or `__constant__` variable.
    pub fn global(&self, name: &str) -> Option<(usize, usize)> {
        let index = self.inner.module.globals.iter().position(|global| global.name == name)?;
        let global = &self.inner.globals[index];
        Some((global.start, self.inner.module.globals[index].bytes.len()))
    }

    /// The files that messages speak of.
    pub fn sources(&self) -> &SourceMap {
        &self.inner.module.sources
    }
}

fn allocate(module: &ir::Module) -> Result<(Variables, Vec<Extent>), Diagnostic> {
    let mut bytes = 0usize;
    let mut globals = Vec::new();
    for global in &module.globals {
        let start = bytes.next_multiple_of(ALIGNMENT.max(global.align as usize));
        bytes = start.saturating_add(global.bytes.len());
        if bytes > MAX_VARIABLES || global.align as usize > 1 << 20 {
            let message = format!("the variables of the module are too large (`{}`)", global.name);
            return Err(Diagnostic::error(Span::default(), message));
        }
        globals.push(Extent { start, bytes: global.bytes.len(), writable: !global.constant });
    }
    let align = module.globals.iter().map(|global| global.align as usize).fold(ALIGNMENT, usize::max);
    let allocation = Allocation::from_size_align(bytes.max(1), align.next_power_of_two())
        .map_err(|e| Diagnostic::error(Span::default(), e.to_string()))?;
    // SAFETY: the layout's size is not zero.
    let start = unsafe { alloc_zeroed(allocation) };
    if start.is_null() {
        return Err(memory::exhausted("the variables of the module", bytes));
    }
    for global in &mut globals {
        global.start += start as usize;
    }
    Ok((Variables { start, allocation }, globals))
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.function().name
    }

    fn state(&self) -> &KernelState {
        &self.program.kernels[self.index]
    }

    pub(crate) fn function(&self) -> &ir::Function {
        &self.program.module.functions[self.state().id.index()]
    }

    pub(crate) fn program(&self) -> &Inner {
        &self.program
    }

    /// The files that messages speak of.
    pub fn sources(&self) -> &SourceMap {
        &self.program.module.sources
    }

    /// What it takes and needs.
    ///
    /// # Errors
    /// The kernel cannot be compiled.
    pub fn info(&self) -> Result<KernelInfo, Diagnostic> {
        let ready = self.ready(false)?;
        let kernel = self.function().kernel.as_ref();
        Ok(KernelInfo {
            params: kernel.map_or_else(Vec::new, |kernel| kernel.params.clone()),
            param_bytes: kernel.map_or(0, |kernel| kernel.param_bytes),
            shared_bytes: ready.layout.static_bytes as usize,
            local_bytes: ready.layout.slot_bytes as usize,
            max_threads: kernel.and_then(|kernel| kernel.max_threads).unwrap_or(1024).min(1024),
        })
    }

    /// A warning about a launch that has been: threads whose order no GPU promises meet in memory. Once for a kernel.
    pub fn take_warning(&self) -> Option<String> {
        let race = self.lockstep().take_race()?;
        let threads = if race.between_blocks { "blocks" } else { "warps" };
        let (write, read) = (self.sources().place(race.write), self.sources().place(race.read));
        Some(format!(
            "{}: threads of different {threads} write at {write} what others read at {read}, and nothing orders them; \
             CUPRUM_CHECK=1 tells which",
            self.name()
        ))
    }

    /// Makes the machine code, if that has not been done.
    ///
    /// # Errors
    /// The kernel cannot be compiled.
    pub fn compile(&self) -> Result<(), Diagnostic> {
        self.code(self.variant(false), self.ready(false)?, false, true).map(|_| ())
    }

    fn variant(&self, checked: bool) -> &Variant {
        if checked { &self.state().checked } else { &self.state().plain }
    }

    pub(crate) fn lockstep(&self) -> &LockstepVariants {
        &self.state().lockstep
    }

    fn ready(&self, checked: bool) -> Result<&Ready, Diagnostic> {
        let module = &self.program.module;
        let make = || {
            if checked {
                return Ready::of(module, passes::prepare_watched(module, self.state().id)?);
            }
            let prepared = passes::prepare(module, self.state().id)?;
            let lockstep = Lockstep::of(&prepared.kernel);
            Ok(Ready { lockstep, ..Ready::of(module, prepared)? })
        };
        once(&self.variant(checked).ready, COMPILE_BYTES + BEFORE_CODE * self.program.insts, make)
    }

    /// The machine code of a variant that is ready, of which `aligned` says whether the launch's pointers are multiples of
    /// what the kernel needs.
    fn code<'v>(
        &self,
        variant: &'v Variant,
        ready: &Ready,
        checked: bool,
        aligned: bool,
    ) -> Result<&'v Code, Diagnostic> {
        let straight = aligned || checked;
        let place = if straight { &variant.code } else { &variant.unaligned };
        let insts: usize = ready.cut.function.blocks.iter().map(|block| block.insts.len() + 1).sum();
        once(place, COMPILE_BYTES + FOR_CODE * insts, || {
            let sources = Sources {
                module: &self.program.module,
                cut: &ready.cut,
                callees: &ready.callees,
                layout: &ready.layout,
                globals: &self.program.addresses,
                strings: &self.program.strings,
                checked,
                aligned: straight && !checked,
            };
            // The code generator panics where it cannot go on; a kernel must not end the process.
            catch_unwind(AssertUnwindSafe(|| codegen::compile(&sources))).unwrap_or_else(|_| {
                let message = "the code generator failed on this kernel; this is a fault of Cuprum";
                Err(Diagnostic::error(ready.cut.function.span, message))
            })
        })
    }

    /// Runs the kernel over a grid of blocks; returns when all threads have ended.
    ///
    /// # Errors
    /// The launch cannot be, or a thread did what it may not, or the launch was stopped. What threads wrote before
    /// stays written.
    ///
    /// # Safety
    /// The extents of the launch, and those that its memory finds, are memory that the kernel may read, and write where they are
    /// writable, until the launch is over. What the kernel does with addresses is checked against them.
    pub unsafe fn launch(&self, launch: &Launch<'_>) -> Result<(), Fault> {
        if stack::has_room() {
            // SAFETY: the caller's promise.
            return unsafe { self.launch_here(launch, None, 0) };
        }
        let asked = Arc::new(AtomicBool::new(false));
        let watch = Watch::start();
        // SAFETY: the caller's promise, which holds until the thread has ended.
        let work = || unsafe { self.launch_here(launch, Some(Arc::clone(&asked)), 0) };
        let ask = || asked.store(watch.wants_stop() || asked.load(Ordering::Relaxed), Ordering::Relaxed);
        stack::on_own_thread(work, ask).unwrap_or_else(|_| {
            let fault = Fault::new(FaultKind::Launch, self.name(), "it cannot be launched");
            Err(fault.explained(NO_STACK))
        })
    }

    /// The kernel of the same module that is this function.
    pub(crate) fn sibling(&self, id: FunctionId) -> Option<Kernel> {
        let index = self.program.kernels.iter().position(|kernel| kernel.id == id)?;
        Some(Kernel { program: Arc::clone(&self.program), index })
    }

    /// Launches on behalf of a kernel that has ended, as many levels deep as is said.
    ///
    /// # Safety
    /// As for [`Kernel::launch`].
    pub(crate) unsafe fn launch_nested(
        &self,
        launch: &Launch<'_>,
        asked: Option<Arc<AtomicBool>>,
        depth: u32,
    ) -> Result<(), Fault> {
        // SAFETY: the caller's promise, which holds until the launch has ended.
        let work = || unsafe { self.launch_here(launch, asked, depth) };
        if stack::has_room() {
            return work();
        }
        stack::on_own_thread(work, || {}).unwrap_or_else(|_| {
            let fault = Fault::new(FaultKind::Launch, self.name(), "it cannot be launched");
            Err(fault.explained(NO_STACK))
        })
    }

    /// Launches on this thread's stack.
    ///
    /// # Safety
    /// As for [`Kernel::launch`].
    unsafe fn launch_here(
        &self,
        launch: &Launch<'_>,
        asked: Option<Arc<AtomicBool>>,
        depth: u32,
    ) -> Result<(), Fault> {
        let refused = |diagnostic: Diagnostic| {
            if diagnostic.is_out_of_memory() {
                return Fault::new(FaultKind::Memory, self.name(), diagnostic.message);
            }
            let text = diagnostic.render(self.sources());
            Fault::new(FaultKind::Launch, self.name(), "it cannot be compiled").explained(text)
        };
        let checked = launch.check.is_some();
        let ready = self.ready(checked).map_err(refused)?;
        let lockstep = self.lockstep().variant(self, ready, launch);
        let (variant, ready) = match &lockstep {
            Some(variant) => (&**variant, variant.ready().map_err(refused)?),
            None => (self.variant(checked), ready),
        };
        let aligned = ready.is_aligned(self.function(), launch.params);
        let code = self.code(variant, ready, checked, aligned).map_err(refused)?;
        // SAFETY: the caller's promise.
        unsafe { crate::run::run(self, ready, code, launch, asked, depth) }
    }
}

impl Variant {
    /// A variant of a kernel that is prepared already.
    pub(crate) fn of(module: &ir::Module, prepared: Prepared) -> Variant {
        let variant = Variant::default();
        let _ = variant.ready.set(Ready::of(module, prepared));
        variant
    }

    fn ready(&self) -> Result<&Ready, Diagnostic> {
        match self.ready.get() {
            Some(ready) => ready.as_ref().map_err(Clone::clone),
            None => Err(Diagnostic::error(Span::default(), "the kernel was not prepared")),
        }
    }
}

const NO_STACK: &str =
    "the calling thread has too little stack, and there is no memory for a thread with more";

/// The most blocks of a function: the time to compile one grows with their square.
const MAX_BLOCKS: usize = 1 << 13;
/// About the most bytes that compiling takes for any kernel, and for each of its instructions: before there is machine
/// code, and for that.
const COMPILE_BYTES: usize = 16 << 20;
const BEFORE_CODE: usize = 1 << 10;
const FOR_CODE: usize = 4 << 10;

/// What is made once; where there is memory for it, and on a stack that is large enough. A later call may have more.
fn once<T: Send + Sync>(
    place: &OnceLock<Result<T, Diagnostic>>,
    bytes: usize,
    make: impl FnOnce() -> Result<T, Diagnostic> + Send,
) -> Result<&T, Diagnostic> {
    let made = match place.get() {
        Some(made) => made,
        None => {
            memory::check("the kernel's instructions", bytes)?;
            if stack::has_room() {
                place.get_or_init(make)
            } else {
                let no_stack = |_| Diagnostic::error(Span::default(), NO_STACK);
                stack::on_own_thread(|| place.get_or_init(make), || {}).map_err(no_stack)?
            }
        }
    };
    made.as_ref().map_err(Clone::clone)
}

impl Ready {
    fn of(module: &ir::Module, prepared: Prepared) -> Result<Ready, Diagnostic> {
        let functions = prepared.callees.iter().map(|(_, function)| function);
        for function in std::iter::once(&prepared.kernel).chain(functions) {
            let blocks = function.blocks.len();
            if blocks > MAX_BLOCKS {
                let message = format!(
                    "`{}` has {blocks} branches, which is more than {MAX_BLOCKS}; make it smaller, or use a table",
                    function.name
                );
                return Err(Diagnostic::error(function.span, message));
            }
        }
        let layout = Layout::of(module, &prepared)?;
        let cut = Cut::of(module, &prepared.kernel)?;
        let alignment = cut.facts.needed_alignment(&cut.function);
        let all =
            std::iter::once(&prepared.kernel).chain(prepared.callees.iter().map(|(_, function)| function));
        let order_matters = all.clone().any(order_matters);
        let waits_for_blocks = cut
            .entries
            .iter()
            .any(|entry| matches!(entry.wait, Some(Op::GridSync | Op::ClusterSync | Op::Yield)));
        let reaches_cluster = all.clone().any(|function| {
            let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.any(|inst| matches!(inst.op, Op::Special { register: ir::Special::ClusterShared, .. }))
        });
        let resident = waits_for_blocks || reaches_cluster;
        let loops = all.clone().any(|function| {
            let blocks = function.blocks.iter().enumerate();
            blocks.into_iter().any(|(i, block)| block.end.successors().any(|to| to.index() <= i))
        }) || !prepared.callees.is_empty();
        let reads_clock = all.clone().any(|function| {
            let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.any(|inst| matches!(inst.op, Op::Special { register: ir::Special::Clock, .. }))
        });
        let calls = !prepared.callees.is_empty();
        Ok(Ready {
            alignment,
            reads_clock,
            cut,
            callees: prepared.callees,
            layout,
            order_matters,
            resident,
            calls,
            loops,
            lockstep: None,
        })
    }
}

impl Ready {
    /// Whether the pointers of a launch are multiples of what the kernel needs.
    fn is_aligned(&self, function: &ir::Function, params: &[u8]) -> bool {
        let all = function.kernel.as_ref().map_or(&[][..], |kernel| &kernel.params);
        all.iter().zip(&self.alignment).all(|(param, needed)| {
            let at = param.offset as usize;
            let value =
                params.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_ne_bytes);
            *needed == 1 || value.is_none_or(|address| address % needed == 0)
        })
    }
}

/// Whether what a kernel leaves in memory may depend on the order of its blocks: float sums, and results of atomics
/// that somebody reads.
fn order_matters(function: &ir::Function) -> bool {
    use passes::analysis::{Origin, provenance};
    let is_atomic = |inst: &&ir::Inst| matches!(inst.op, Op::Atomic { .. } | Op::CompareAndSwap { .. });
    let insts = || function.blocks.iter().flat_map(|block| &block.insts);
    if insts().find(is_atomic).is_none() {
        return false;
    }
    let origins = provenance(function);
    let mut read = vec![false; function.locals.len()];
    for inst in insts() {
        inst.op.visit_uses(|local| read[local.index()] = true);
    }
    for block in &function.blocks {
        if let Some(local) = block.end.used() {
            read[local.index()] = true;
        }
    }
    let of_block = |local: ir::Local| {
        matches!(origins[local.index()], Origin::Shared(_) | Origin::DynamicShared | Origin::Slot(_))
    };
    insts().any(|inst| match &inst.op {
        Op::Atomic { dst, op, addr, value } => {
            let sums = match op {
                ir::Atomic::Add => function.locals[value.index()].ty.is_float(),
                ir::Atomic::AddHalf | ir::Atomic::AddBfloat | ir::Atomic::Exchange => true,
                ir::Atomic::Increment | ir::Atomic::Decrement => true,
                _ => false,
            };
            !of_block(*addr) && (sums || read[dst.index()])
        }
        Op::CompareAndSwap { addr, .. } => !of_block(*addr),
        _ => false,
    })
}
