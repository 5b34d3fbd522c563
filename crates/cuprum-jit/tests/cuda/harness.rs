//! Compiling CUDA C and launching it on arrays.

use std::sync::Mutex;
use std::time::Duration;

use cuprum_jit::{CheckMode, CompiledModule, Extent, Fault, Launch, Memory};
use cuprum_kernel::cuda::{Options, compile};
use cuprum_kernel::ir::ParameterKind;

/// Memory that launches were not given but may find: pointers within arrays.
#[derive(Default)]
pub struct Known(pub Vec<Extent>);

impl Memory for Known {
    fn find(&self, address: usize) -> Option<Extent> {
        self.0.iter().find(|e| (e.start..e.start + e.bytes).contains(&address)).cloned()
    }
}

/// An argument.
pub enum Arg<'a> {
    /// An array of bytes.
    Array(&'a mut [u8]),
    /// An array that may not be written.
    Constant(&'a [u8]),
    /// A pointer that no array stands behind.
    Pointer(usize),
    Int(i32),
}

/// An array's bytes.
pub fn bytes<T: Copy>(values: &mut [T]) -> Arg<'_> {
    // SAFETY: the tests use numbers alone, all of whose bit patterns are values.
    Arg::Array(unsafe {
        std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), std::mem::size_of_val(values))
    })
}

/// How a test launches.
pub struct Setup {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: usize,
    pub cooperative: bool,
    pub timeout: Duration,
    pub check: Option<CheckMode>,
    pub is_sole_writer: Option<fn() -> bool>,
    pub memory: Known,
    pub printed: Mutex<String>,
}

impl Setup {
    pub fn new(grid: u32, block: u32) -> Setup {
        Setup {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            timeout: Duration::from_secs(60),
            check: None,
            is_sole_writer: Some(|| true),
            memory: Known::default(),
            printed: Mutex::default(),
        }
    }

    /// With the checking mode.
    pub fn checked(grid: u32, block: u32) -> Setup {
        let check = CheckMode { races: true, uninitialised: true, divergence: true, order: None };
        Setup { check: Some(check), ..Setup::new(grid, block) }
    }

    /// Compiles a text whose only kernel is launched.
    pub fn run(&self, text: &str, args: &mut [Arg<'_>]) -> Result<(), (Fault, String)> {
        let program = program(text);
        let name = program.kernels().next().expect("a kernel").to_string();
        self.launch(&program, &name, args).map_err(|fault| {
            let text = fault.render(program.sources());
            (fault, text)
        })
    }

    pub fn launch(&self, program: &CompiledModule, name: &str, args: &mut [Arg<'_>]) -> Result<(), Fault> {
        let kernel = program.kernel(name).expect("the kernel is there");
        let info = kernel.info().expect("the kernel compiles");
        assert_eq!(info.params.len(), args.len(), "arguments of {name}");
        let mut params = vec![0u8; info.param_bytes as usize];
        let mut extents = Vec::new();
        for (param, arg) in info.params.iter().zip(args) {
            let at = param.offset as usize;
            let mut put = |bytes: &[u8]| params[at..at + bytes.len()].copy_from_slice(bytes);
            let mut extent = None;
            match arg {
                Arg::Array(a) => {
                    extent = Some(Extent { start: a.as_mut_ptr() as usize, bytes: a.len(), writable: true });
                }
                Arg::Constant(a) => {
                    extent = Some(Extent { start: a.as_ptr() as usize, bytes: a.len(), writable: false });
                }
                Arg::Pointer(address) => put(&address.to_ne_bytes()),
                Arg::Int(value) => put(&value.to_ne_bytes()),
            }
            if let Some(extent) = &extent {
                assert!(matches!(param.kind, ParameterKind::Pointer { .. }), "{} is no pointer", param.name);
                put(&extent.start.to_ne_bytes());
            }
            extents.push(extent);
        }
        let launch = Launch {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            params: &params,
            extents: &extents,
            memory: &self.memory,
            cooperative: self.cooperative,
            deterministic: Some(true),
            timeout: Some(self.timeout),
            check: self.check.clone(),
            is_sole_writer: self.is_sole_writer,
            print: &|text| self.printed.lock().unwrap().push_str(text),
        };
        // SAFETY: the extents are those of the arrays, which outlive the launch.
        unsafe { kernel.launch(&launch) }
    }
}

/// A program of a text.
pub fn program(text: &str) -> CompiledModule {
    let compiled = match compile(text, &Options::default()) {
        Ok(compiled) => compiled,
        Err(errors) => panic!("{errors}"),
    };
    CompiledModule::new(compiled.module).expect("the module is well formed")
}
