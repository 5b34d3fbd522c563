//! Compiles a kernel's text for the CPU and runs it on memory of this process.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cuprum_cuda::codegen::{KernelKey, LaunchPlan};
use cuprum_graph::Program;

use crate::reference;

type Launch = unsafe extern "C" fn(*mut c_void, u64, *const u32, *const u32) -> i32;

/// Kernels that are compiled at once: the compiler's start costs more than a kernel.
const BATCH: usize = 24;

static COMPILED: Mutex<Option<HashMap<KernelKey, usize>>> = Mutex::new(None);
/// A kernel's fibers are the library's own: one launch at a time.
static RUNNING: Mutex<()> = Mutex::new(());
static NUMBER: AtomicUsize = AtomicUsize::new(0);

fn known<R>(f: impl FnOnce(&mut HashMap<KernelKey, usize>) -> R) -> R {
    f(COMPILED.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default())
}

/// Compiles the kernels of these Programs, many at once.
pub fn prepare<'a>(programs: impl IntoIterator<Item = &'a Program>) {
    let mut keys: Vec<KernelKey> = Vec::new();
    for program in programs {
        let key = plan_at(program, |_| 1 << 20).map(|plan| plan.key);
        keys.extend(key.filter(|key| !keys.contains(key) && !known(|known| known.contains_key(key))));
    }
    for batch in keys.chunks(BATCH) {
        let entries = compile(batch);
        known(|known| known.extend(batch.iter().cloned().zip(entries)));
    }
}

/// The plan of a Program with all its memories at one address.
pub fn plan_at(program: &Program, address: impl Fn(usize) -> usize) -> Option<LaunchPlan> {
    let inputs: Vec<usize> = (0..program.input_buffers()).map(&address).collect();
    let outputs: Vec<usize> = (0..program.output_buffers()).map(&address).collect();
    LaunchPlan::of(program, &inputs, &outputs)
}

/// A kernel as a function of this process; equal keys are compiled once.
fn compiled(key: &KernelKey) -> Launch {
    let address = known(|known| known.get(key).copied()).unwrap_or_else(|| {
        let address = compile(std::slice::from_ref(key))[0];
        known(|known| known.insert(key.clone(), address));
        address
    });
    // SAFETY: the address is that of a `launch_NUMBER` of the harness, which have this signature.
    unsafe { std::mem::transmute::<usize, Launch>(address) }
}

/// Several kernels as one text: each in a namespace of its own, its entry renamed.
pub fn joined(keys: &[KernelKey]) -> String {
    let mut text = String::new();
    for (number, key) in keys.iter().enumerate() {
        let source = key.source();
        let _ = write!(
            text,
            "#define program program_{number}\nnamespace kernel_{number} {{\n{source}\n}}\n#undef program\n"
        );
    }
    text
}

fn compile(keys: &[KernelKey]) -> Vec<usize> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("codegen{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for kernels");
    let (text, library) = (folder.join(format!("{number}.cpp")), folder.join(format!("{number}.so")));
    let mut source = format!("#include \"{}/tests/codegen/harness.hpp\"\n", env!("CARGO_MANIFEST_DIR"));
    source.push_str(&joined(keys));
    (0..keys.len()).for_each(|n| source.push_str(&format!("LAUNCH({n})\n")));
    std::fs::write(&text, &source).expect("a kernel's text is written");
    let outcome = Command::new("g++")
        // Shared memory is static here: one symbol for all libraries would mix up kernels of the same name.
        .args(["-std=c++17", "-O0", "-ffp-contract=off", "-fno-gnu-unique", "-w", "-fPIC", "-shared", "-o"])
        .args([&library, &text])
        .output()
        .expect("g++ runs");
    assert!(outcome.status.success(), "{}: {}", text.display(), String::from_utf8_lossy(&outcome.stderr));
    let path = CString::new(library.to_str().expect("a plain path")).expect("a plain path");
    // SAFETY: a library that was just built, with no initialisers of its own; it stays open.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        assert!(!handle.is_null(), "the kernels load");
        let entry = |n: usize| {
            let name = CString::new(format!("launch_{n}")).expect("a plain name");
            let launch = libc::dlsym(handle, name.as_ptr());
            assert!(!launch.is_null(), "the kernel has an entry");
            launch as usize
        };
        let entries = (0..keys.len()).map(entry).collect();
        for file in [&text, &library] {
            std::fs::remove_file(file).expect("the compiler's files go");
        }
        entries
    }
}

/// Memory with every byte set, at an alignment of 256 bytes.
pub struct Memory {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl Memory {
    pub fn of(content: &[u8]) -> Memory {
        let bytes = vec![0; content.len() + 256];
        let start = bytes.as_ptr().align_offset(256);
        let mut memory = Memory { bytes, start, len: content.len() };
        memory.bytes[start..start + content.len()].copy_from_slice(content);
        memory
    }
    pub fn address(&self) -> usize {
        self.bytes[self.start..].as_ptr() as usize
    }
    pub fn content(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }
}

/// Runs a plan on memory at the addresses that it was made with.
pub fn launch(plan: &mut LaunchPlan) {
    let entry = compiled(&plan.key);
    let _running = RUNNING.lock().unwrap_or_else(|e| e.into_inner());
    let scratch = Memory::of(&vec![0xa5; plan.scratch_bytes()]);
    let tickets = Memory::of(&vec![0; 4 * cuprum_cuda::codegen::MAX_LAUNCH_TICKETS]);
    let geometry = plan.geometry;
    let mut args = Memory::of(plan.args(scratch.address(), tickets.address()));
    let start = args.start;
    let bytes = args.bytes[start..].as_mut_ptr().cast();
    // SAFETY: the entry was compiled from this plan's key, for operands that the caller keeps alive.
    let code = unsafe { entry(bytes, args.len as u64, geometry.grid.as_ptr(), geometry.block.as_ptr()) };
    assert_eq!(code, 0, "the arguments are as long as the kernel's");
    assert!(tickets.content().iter().all(|&b| b == 0), "tickets are left as they were found");
}

/// Runs a Program both ways; `outputs` are the memories before, and `near` compares result and expected bytes.
pub fn check(
    program: &Program,
    inputs: &[Vec<u8>],
    outputs: &[Vec<u8>],
    mut near: impl FnMut(usize, &[u8], &[u8]),
) {
    let mut expected: Vec<Vec<u8>> = outputs.to_vec();
    let views: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    reference::run(program, &views, &mut expected);
    let sources: Vec<Memory> = inputs.iter().map(|m| Memory::of(m)).collect();
    let targets: Vec<Memory> = outputs.iter().map(|m| Memory::of(m)).collect();
    let addresses = |memories: &[Memory]| memories.iter().map(Memory::address).collect::<Vec<_>>();
    let plan = LaunchPlan::of(program, &addresses(&sources), &addresses(&targets));
    if let Some(mut plan) = plan {
        launch(&mut plan);
    }
    for (at, (target, expected)) in targets.iter().zip(&expected).enumerate() {
        near(at, target.content(), expected);
    }
}
