//! Building a kernel and launching it on arrays.

use std::time::Duration;

use cuprum_jit::{CheckMode, CompiledModule, Extent, Fault, Launch};
use cuprum_kernel::ir::{
    Binary, Convert, Element, FunctionBuilder, Kernel, Local, Module, Parameter, ParameterKind, Special, Type,
};
use cuprum_kernel::{FileId, Span};

/// A kernel whose parameters are pointers and then `int`s: `(p0, p1, ..., n0, n1, ...)`.
pub fn kernel(name: &str, pointers: usize, numbers: usize) -> FunctionBuilder {
    let mut params = Vec::new();
    let mut at = 0;
    for i in 0..pointers {
        params.push(Parameter {
            name: ["x", "y", "z", "w"][i].to_string(),
            type_name: "float*".to_string(),
            kind: ParameterKind::Pointer { to: Element::Void, constant: false },
            offset: at,
            bytes: 8,
            align: 8,
        });
        at += 8;
    }
    for i in 0..numbers {
        params.push(Parameter {
            name: format!("n{i}"),
            type_name: "int".to_string(),
            kind: ParameterKind::Scalar(Element::Signed(4)),
            offset: at,
            bytes: 4,
            align: 4,
        });
        at += 4;
    }
    FunctionBuilder::kernel(name, Kernel { params, param_bytes: at, max_threads: None, cluster: [1; 3] })
}

/// The ops that most kernels begin with.
pub trait Shorthand {
    fn pointer(&mut self, number: u32) -> Local;
    fn int(&mut self, value: i32) -> Local;
    /// `blockIdx.x * blockDim.x + threadIdx.x`.
    fn global_index(&mut self) -> Local;
    /// `base + index * bytes`.
    fn element(&mut self, base: Local, index: Local, bytes: u64) -> Local;
    fn line(&mut self, line: u32);
}

impl Shorthand for FunctionBuilder {
    fn pointer(&mut self, number: u32) -> Local {
        self.parameter(Type::I64, 8 * number)
    }

    fn int(&mut self, value: i32) -> Local {
        self.constant(Type::I32, u64::from(value as u32))
    }

    fn global_index(&mut self) -> Local {
        let block = self.special(Special::BlockIdx(0));
        let width = self.special(Special::BlockDim(0));
        let thread = self.special(Special::ThreadIdx(0));
        let before = self.binary(Binary::Mul, block, width);
        self.binary(Binary::Add, before, thread)
    }

    fn element(&mut self, base: Local, index: Local, bytes: u64) -> Local {
        let wide = self.convert(Type::I64, Convert::SignExtend, index);
        let size = self.constant(Type::I64, bytes);
        let offset = self.binary(Binary::Mul, wide, size);
        self.binary(Binary::Add, base, offset)
    }

    fn line(&mut self, line: u32) {
        self.at(Span { file: FileId(0), line, column: 1, length: 1 });
    }
}

/// What a test launches with.
pub struct Setup {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: usize,
    pub cooperative: bool,
    pub deterministic: Option<bool>,
    pub timeout: Option<Duration>,
    pub check: Option<CheckMode>,
}

impl Setup {
    pub fn new(grid: u32, block: u32) -> Setup {
        Setup {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            dynamic_shared: 0,
            cooperative: false,
            deterministic: None,
            timeout: Some(Duration::from_secs(60)),
            check: None,
        }
    }

    /// Launches the kernel on arrays and numbers.
    pub fn launch(
        &self,
        program: &CompiledModule,
        name: &str,
        arrays: &mut [&mut [u8]],
        numbers: &[i32],
    ) -> Result<(), Fault> {
        let extents: Vec<Option<Extent>> = arrays
            .iter_mut()
            .map(|a| Some(Extent { start: a.as_mut_ptr() as usize, bytes: a.len(), writable: true }))
            .collect();
        self.launch_on(program, name, &extents, numbers)
    }

    pub fn launch_on(
        &self,
        program: &CompiledModule,
        name: &str,
        extents: &[Option<Extent>],
        numbers: &[i32],
    ) -> Result<(), Fault> {
        let mut params = Vec::new();
        for extent in extents {
            params.extend(extent.as_ref().map_or(0, |extent| extent.start as u64).to_ne_bytes());
        }
        for number in numbers {
            params.extend(number.to_ne_bytes());
        }
        let launch = Launch {
            dynamic_shared: self.dynamic_shared,
            cooperative: self.cooperative,
            deterministic: self.deterministic,
            timeout: self.timeout,
            check: self.check.clone(),
            ..Launch::new(self.grid, self.block, &params, extents)
        };
        // SAFETY: the extents are those of the arrays, which outlive the launch.
        unsafe { program.kernel(name).expect("the kernel is there").launch(&launch) }
    }
}

/// A program of one kernel.
pub fn program(build: FunctionBuilder) -> CompiledModule {
    program_of(build, Module::default())
}

/// A program of one kernel and what else the module holds.
pub fn program_of(build: FunctionBuilder, mut module: Module) -> CompiledModule {
    module.functions.push(build.finish());
    let text = (1..40).map(|line| format!("line {line};\n")).collect::<String>();
    if module.sources.get(FileId(0)).is_none() {
        module.sources.add("kernel.cu", text);
    }
    CompiledModule::new(module).expect("the module is well formed")
}

/// An array's bytes.
pub fn bytes<T: Copy>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: the tests use numbers alone, all of whose bit patterns are values.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), std::mem::size_of_val(values)) }
}

/// The fault's text.
pub fn text(program: &CompiledModule, fault: &Fault) -> String {
    fault.render(program.sources())
}
