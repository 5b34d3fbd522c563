//! One kernel's machine code: what it consists of, its layout of memory, and its compilation.

use std::collections::BTreeMap;

use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetFrontendConfig, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module as _};
use cuprum_core::SimdLevel;
use cuprum_kernel::ir::{self, Function, FunctionId, Op};
use cuprum_kernel::passes::Prepared;
use cuprum_kernel::{Diagnostic, Span};

use super::emitter::{Emitter, clif_type};
use super::thunks::{Thunks, thunks};
use crate::context::WARP;
use crate::facts::FunctionFacts;
use crate::regions::{Cut, Entry};
use crate::runtime::check::AccessKind;
use cuprum_kernel::passes::analysis::{Origin, short_loops};

/// What a check is about, for the message where it fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CheckSubject {
    /// An access of memory: `a` of the fault is the address, `b` where its variable begins, or why the search failed.
    /// A slot's name and size come with it.
    Access { kind: AccessKind, bytes: u64, origin: Origin, slot: (String, u64) },
    /// A read of a variable, by its name, that has no value.
    Unwritten(String),
    /// An access whose address is not a multiple of its size.
    Misaligned { write: bool, bytes: u64 },
    /// `assert`.
    Assert(ir::StringId),
    /// An index `a` of an axis of size `b`.
    Index { axis: u32, array: ir::StringId },
    /// Recursion too deep.
    Stack,
    /// `free`.
    Release,
    /// A launch: `a` of the fault is how many the grid may ask for.
    Launch,
}

/// A place of the kernel that checks speak of.
#[derive(Clone, Debug)]
pub(crate) struct SiteInfo {
    pub span: Span,
    pub what: CheckSubject,
}

/// Where a kernel's variables are.
pub(crate) struct Layout {
    /// For each shared variable that the kernel uses, its offset.
    pub shared: Vec<Option<u32>>,
    /// Bytes of static shared memory, as users count them.
    pub static_bytes: u64,
    /// Where the dynamic part begins.
    pub shared_bytes: u64,
    /// Offsets of the kernel's slots.
    pub slots: Vec<u32>,
    /// Bytes of the kernel's slots for each thread.
    pub slot_bytes: u64,
}

/// The regions that one machine function runs.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub entries: Vec<u32>,
}

type Region = unsafe extern "C" fn(*mut u8, u32, u32, u32) -> u32;

/// Compiled code of a kernel.
pub(crate) struct Code {
    /// For each region, the function that runs it.
    pub regions: Vec<Region>,
    /// For each region, whether its code can do the exchange that it begins with: see [`EXCHANGES`].
    ///
    /// [`EXCHANGES`]: crate::context::EXCHANGES
    pub exchanges: Vec<bool>,
    /// By the function's number; null for those that are not called.
    pub functions: Vec<*const u8>,
    pub sites: Vec<SiteInfo>,
    module: Option<JITModule>,
}

// SAFETY: the machine code is finished and never changed; the module is kept only to be freed.
unsafe impl Send for Code {}
// SAFETY: as above; nothing of the module is used through a shared reference.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the kernel that holds this code is going, so nothing runs it.
            unsafe { module.free_memory() }
        }
    }
}

/// What all functions of one kernel's compilation read.
pub(super) struct Unit<'a> {
    pub module: &'a ir::Module,
    pub layout: &'a Layout,
    pub globals: &'a [usize],
    pub strings: &'a [Box<[u8]>],
    pub checked: bool,
    /// The launch's pointers are multiples of what the kernel needs.
    pub aligned: bool,
    pub pointer: types::Type,
    pub call_conv: CallConv,
    pub config: TargetFrontendConfig,
    pub callees: &'a [(FunctionId, Function)],
    pub thunks: &'static Thunks,
    /// Whether there are vectors of 128 bits with all that the vector path uses, and fused products of them.
    pub has_vectors: bool,
    pub has_fma: bool,
}

impl Unit<'_> {
    /// The source lanes of the exchange that a region begins with, if its code performs it.
    pub fn sources(&self, entry: &Entry) -> Option<[u8; WARP as usize]> {
        entry.sources().filter(|_| self.has_vectors && !self.checked)
    }
}

/// The most bytes of one function's machine frame: it must fit the stacks of worker threads many times.
const MAX_FRAME: u32 = 128 << 10;
/// CUDA's limit of local memory for each thread.
const MAX_LOCAL: u64 = 512 << 10;
/// How much larger separate functions for each region may be than the kernel.
const MAX_COPIES: usize = 4;

impl Layout {
    pub(crate) fn of(module: &ir::Module, prepared: &Prepared) -> Result<Layout, Diagnostic> {
        let kernel = &prepared.kernel;
        let mut layout = Layout {
            shared: vec![None; module.shared.len()],
            static_bytes: 0,
            shared_bytes: 0,
            slots: Vec::new(),
            slot_bytes: 0,
        };
        let functions = prepared.callees.iter().map(|(_, function)| function);
        for function in std::iter::once(kernel).chain(functions) {
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                if let Op::SharedAddress { shared, .. } = inst.op
                    && layout.shared[shared.index()].is_none()
                {
                    let variable = &module.shared[shared.index()];
                    let at = layout.shared_bytes.next_multiple_of(u64::from(variable.align.max(1)));
                    layout.shared_bytes = at.saturating_add(variable.bytes);
                    if layout.shared_bytes > crate::run::MAX_SHARED {
                        return Err(Diagnostic::error(
                            inst.span,
                            format!(
                                "too much shared memory: {} bytes, and a block has {} at most",
                                layout.shared_bytes,
                                crate::run::MAX_SHARED
                            ),
                        ));
                    }
                    layout.shared[shared.index()] = Some(at as u32);
                }
            }
        }
        layout.static_bytes = layout.shared_bytes;
        layout.shared_bytes = layout.shared_bytes.next_multiple_of(16);
        (layout.slots, layout.slot_bytes) = lay_out_slots(kernel)?;
        Ok(layout)
    }
}

/// Offsets of a function's slots, and their bytes together.
pub(super) fn lay_out_slots(function: &Function) -> Result<(Vec<u32>, u64), Diagnostic> {
    let mut bytes = 0u64;
    let mut offsets = Vec::new();
    for slot in &function.slots {
        let at = bytes.next_multiple_of(u64::from(slot.align.max(1)));
        bytes = at.saturating_add(slot.bytes);
        if bytes > MAX_LOCAL {
            return Err(Diagnostic::error(
                function.span,
                format!(
                    "too much local memory: `{}` alone has {} bytes, and a thread has {MAX_LOCAL}",
                    slot.name, slot.bytes
                ),
            ));
        }
        offsets.push(at as u32);
    }
    Ok((offsets, bytes.next_multiple_of(16)))
}

/// This machine, with the instructions of [`SimdLevel::detect`].
pub(super) fn isa() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        // Windows gives a thread's stack page by page: each must be touched in turn.
        ("enable_probestack", if cfg!(windows) { "true" } else { "false" }),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    let level = SimdLevel::detect();
    let is_lowered = level < SimdLevel::best();
    let uses_all = !is_lowered || level > SimdLevel::Portable;
    let mut builder = cranelift_native::builder_with_options(uses_all).map_err(str::to_string)?;
    if is_lowered && level == SimdLevel::Avx2 {
        for part in ["bitalg", "dq", "f", "vbmi", "vl", "vnni"] {
            builder.set(&format!("has_avx512{part}"), "false").map_err(|e| e.to_string())?;
        }
    }
    builder.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())
}

/// Whether machine code for `isa` may use vectors of 128 bits with all that the vector path needs.
fn has_vectors(isa: &dyn TargetIsa) -> bool {
    cfg!(target_arch = "aarch64") || (allows(isa, "has_ssse3") && allows(isa, "has_sse42"))
}

/// Whether machine code for `isa` may use fused multiply-adds.
fn has_fma(isa: &dyn TargetIsa) -> bool {
    cfg!(target_arch = "aarch64") || allows(isa, "has_fma")
}

fn allows(isa: &dyn TargetIsa, flag: &str) -> bool {
    isa.isa_flags().iter().any(|value| value.name == flag && value.as_bool() == Some(true))
}

/// Separate functions for each region, unless that would copy too much.
fn group(cut: &Cut) -> Vec<Group> {
    let whole: usize = cut.function.blocks.iter().map(|block| block.insts.len() + 1).sum();
    let mut apart = 0usize;
    for entry in &cut.entries {
        apart += cut.size(entry);
        if apart > whole * MAX_COPIES + 200 {
            return vec![Group { entries: (0..cut.entries.len() as u32).collect() }];
        }
    }
    (0..cut.entries.len() as u32).map(|entry| Group { entries: vec![entry] }).collect()
}

/// What a kernel's machine code is made of.
pub(crate) struct Sources<'a> {
    pub module: &'a ir::Module,
    pub cut: &'a Cut,
    pub callees: &'a [(FunctionId, Function)],
    pub layout: &'a Layout,
    pub globals: &'a [usize],
    pub strings: &'a [Box<[u8]>],
    pub checked: bool,
    pub aligned: bool,
}

/// Machine code for a kernel and the functions that it calls.
pub(crate) fn compile(sources: &Sources<'_>) -> Result<Code, Diagnostic> {
    let span = sources.cut.function.span;
    let isa = isa().map_err(|e| internal(span, &e))?;
    let mut jit = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
    let outcome = define(&mut jit, sources).and_then(|defined| {
        jit.finalize_definitions().map_err(|e| internal(span, &e))?;
        Ok(defined)
    });
    match outcome {
        Ok(defined) => {
            let regions = defined.regions.iter().map(|id| {
                let address = jit.get_finalized_function(*id);
                // SAFETY: the function was compiled with this signature.
                unsafe { std::mem::transmute::<*const u8, Region>(address) }
            });
            let regions = regions.collect();
            let mut functions = vec![std::ptr::null(); sources.module.functions.len()];
            for (function, id) in defined.functions {
                functions[function.index()] = jit.get_finalized_function(id);
            }
            let (exchanges, sites) = (defined.exchanges, defined.sites);
            Ok(Code { regions, exchanges, functions, sites, module: Some(jit) })
        }
        Err(error) => {
            // SAFETY: none of its functions was ever run.
            unsafe { jit.free_memory() };
            Err(error)
        }
    }
}

fn internal(span: Span, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::error(span, format!("the kernel could not be compiled: {error}"))
}

struct Defined {
    regions: Vec<FuncId>,
    exchanges: Vec<bool>,
    functions: BTreeMap<FunctionId, FuncId>,
    sites: Vec<SiteInfo>,
}

fn define(jit: &mut JITModule, sources: &Sources<'_>) -> Result<Defined, Diagnostic> {
    let pointer = jit.isa().pointer_type();
    let call_conv = jit.isa().default_call_conv();
    let cut = sources.cut;
    let unit = Unit {
        module: sources.module,
        layout: sources.layout,
        globals: sources.globals,
        strings: sources.strings,
        checked: sources.checked,
        aligned: sources.aligned,
        pointer,
        call_conv,
        config: jit.isa().frontend_config(),
        callees: sources.callees,
        thunks: thunks().map_err(|e| internal(cut.function.span, &e))?,
        has_vectors: has_vectors(jit.isa()),
        has_fma: has_fma(jit.isa()),
    };
    let mut sites = Vec::new();
    let mut builder_context = FunctionBuilderContext::new();

    let mut functions = BTreeMap::new();
    for (id, function) in sources.callees {
        let signature = function_signature(function, pointer, call_conv);
        let place = define_one(jit, &signature, function.span, &mut |clif| {
            let facts = FunctionFacts::of(sources.module, function).with_short_loops(short_loops(function));
            Emitter::function(&unit, function, &facts, clif, &mut builder_context, &mut sites)
        })?;
        functions.insert(*id, place);
    }

    let mut signature = Signature::new(call_conv);
    signature.params.push(AbiParam::new(pointer));
    signature.params.extend([AbiParam::new(types::I32); 3]);
    signature.returns.push(AbiParam::new(types::I32));
    let mut regions = vec![FuncId::from_u32(0); cut.entries.len()];
    let mut exchanges = vec![false; cut.entries.len()];
    for group in group(cut) {
        if let [entry] = group.entries[..] {
            exchanges[entry as usize] = unit.sources(&cut.entries[entry as usize]).is_some();
        }
        let id = define_one(jit, &signature, cut.function.span, &mut |clif| {
            Emitter::region(&unit, cut, &group, clif, &mut builder_context, &mut sites)
        })?;
        for &entry in &group.entries {
            regions[entry as usize] = id;
        }
    }
    Ok(Defined { regions, exchanges, functions, sites })
}

fn define_one(
    jit: &mut JITModule,
    signature: &Signature,
    span: Span,
    emit: &mut dyn FnMut(&mut cranelift_codegen::ir::Function) -> Result<(), Diagnostic>,
) -> Result<FuncId, Diagnostic> {
    let id = jit.declare_anonymous_function(signature).map_err(|e| internal(span, &e))?;
    let mut context = jit.make_context();
    context.func.signature = signature.clone();
    context.func.name = UserFuncName::user(0, id.as_u32());
    emit(&mut context.func)?;
    if std::env::var_os("CUPRUM_SHOW_CLIF").is_some() {
        eprintln!("{}", context.func.display());
        context.set_disasm(true);
    }
    jit.define_function(id, &mut context).map_err(|e| match e {
        cranelift_module::ModuleError::Compilation(cranelift_codegen::CodegenError::CodeTooLarge) => {
            Diagnostic::error(span, "the kernel is too large to compile; split it into smaller ones")
        }
        other => internal(span, &other),
    })?;
    if let Some(compiled) = context.compiled_code() {
        if let Some(text) = &compiled.vcode {
            eprintln!("{text}");
        }
        let frame = compiled.buffer.frame_layout().map_or(0, |layout| layout.frame_to_fp_offset);
        if frame > MAX_FRAME {
            return Err(Diagnostic::error(
                span,
                format!(
                    "the kernel keeps too many values at a time ({frame} bytes); use an array for some of them"
                ),
            ));
        }
    }
    Ok(id)
}

/// `(context, thread, arguments...) -> (status, result)`.
pub(super) fn function_signature(
    function: &Function,
    pointer: types::Type,
    call_conv: CallConv,
) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend([AbiParam::new(pointer), AbiParam::new(types::I32)]);
    for param in &function.params {
        signature.params.push(AbiParam::new(clif_type(function.locals[param.index()].ty)));
    }
    signature.returns.push(AbiParam::new(types::I32));
    if let Some(result) = function.result {
        signature.returns.push(AbiParam::new(clif_type(result)));
    }
    signature
}
