//! A device that only remembers the Programs it was given.

#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use cuprum_core::{DType, Layout, Number, Op, Order, Result, Scalar};
use cuprum_graph::{
    Args, Buffer, Call, DeferredCheck, Device, DeviceCache, DeviceKind, DeviceRef, InstrKind, MemoryPool,
    MemorySource, NodeArg, Program, Reduced, RowShape, StartCost, Storage, View, map, result_layout,
};
use smallvec::smallvec;

/// Remembers the Programs; its memory is counted, not real. What a Program stores is kept as text where that is asked for:
/// the ops that made it.
#[derive(Default)]
pub struct Recorder {
    programs: Mutex<Vec<String>>,
    allocations: Mutex<usize>,
    keeps_contents: bool,
    pinned_limit: Option<usize>,
    contents: Mutex<HashMap<usize, (String, Layout)>>,
    /// How many Programs ran by a plan that was known.
    pub again: Mutex<usize>,
}

/// An array as text: as it was stored, or as a part of that.
fn seen(content: Option<&(String, Layout)>, address: usize, layout: &Layout) -> String {
    match content {
        Some((text, whole)) if whole == layout => text.clone(),
        Some((text, _)) => format!("{text}{layout:?}"),
        None => format!("#{address}{layout:?}"),
    }
}

impl Recorder {
    /// What is at an address, as somebody sees it who reads it under a layout.
    pub fn content(&self, address: usize, layout: &Layout) -> String {
        seen(self.contents.lock().unwrap().get(&address), address, layout)
    }

    /// Computes a Program: every register is the text of the ops behind it. Gives the registers.
    fn compute(&self, program: &Program, results: Vec<String>, inputs: &[Buffer]) -> Vec<String> {
        let mut registers = results;
        let read = registers.len();
        for (input, buffer) in program.inputs[read..].iter().zip(inputs) {
            registers.push(self.content(buffer.address(), &input.layout));
        }
        registers.extend(program.params.iter().map(|param| format!("{:?}", param.number())));
        for instr in &program.code {
            let args: Vec<&str> = instr.args.iter().map(|&a| registers[a as usize].as_str()).collect();
            let args = args.join(", ");
            registers.push(match instr.kind {
                InstrKind::Map(op) => format!("{}({args})", op.name()),
                InstrKind::Take => format!("take({args})"),
                InstrKind::Cast => format!("{}({args})", instr.output),
                InstrKind::Iota(axis) => format!("iota({axis})"),
                InstrKind::Reduce(op) => format!("{}({args})", op.row().name),
            });
        }
        registers
    }

    fn store(&self, program: &Program, registers: &[String], outputs: &[Buffer]) {
        for (output, buffer) in program.outputs.iter().zip(outputs) {
            let text = registers[output.reg as usize].clone();
            self.contents.lock().unwrap().insert(buffer.address(), (text, output.layout.clone()));
        }
    }
}

// SAFETY: nothing is read or written at the addresses it gives.
unsafe impl Device for Recorder {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn name(&self) -> String {
        "recorder".into()
    }

    fn fault_record(&self, check: &DeferredCheck) -> Result<Option<u64>> {
        Ok(Some(check.number() as u64))
    }

    fn start_cost(&self) -> StartCost {
        StartCost { bytes: 1 << 18, ops: 0, deep_nodes: None }
    }

    fn takes_rows(&self, rows: &RowShape) -> bool {
        rows.count > 1
    }

    fn pinned_limit(&self) -> usize {
        self.pinned_limit.unwrap_or(usize::MAX)
    }

    fn memory_limit(&self) -> usize {
        usize::MAX
    }

    fn memory_used(&self) -> usize {
        0
    }

    fn allocate(&self, bytes: usize) -> Result<Buffer> {
        let mut count = self.allocations.lock().unwrap();
        *count += 1;
        // SAFETY: this device reads and writes nothing.
        Ok(unsafe { Buffer::new(DeviceKind::Cpu, *count << 32, bytes, Arc::new(())) })
    }

    fn pool(&self) -> Arc<dyn MemoryPool> {
        unreachable!("nothing is counted here")
    }

    fn new_pool(&self, _keeps: bool, _source: MemorySource) -> Arc<dyn MemoryPool> {
        unreachable!("nothing is counted here")
    }

    unsafe fn run(&self, program: &Program, inputs: &[Buffer], outputs: &[Buffer]) -> Result<()> {
        assert_eq!(program.input_buffers(), inputs.len());
        assert_eq!(program.output_buffers(), outputs.len());
        self.programs.lock().unwrap().push(program.to_string());
        if !self.keeps_contents {
            return Ok(());
        }
        let registers = self.compute(program, Vec::new(), inputs);
        if let Some(reduce) = &program.reduce {
            let axes = reduce.axes.as_slice();
            let reduced = |r: &Reduced| format!("{}{axes:?}({})", r.op.row().name, registers[r.reg as usize]);
            let results = reduce.results.iter().map(reduced).collect();
            let late = self.compute(&reduce.epilogue, results, &inputs[program.inputs.len()..]);
            self.store(&reduce.epilogue, &late, &outputs[program.outputs.len()..]);
        }
        self.store(program, &registers, outputs);
        Ok(())
    }

    unsafe fn run_again(
        &self,
        program: &Program,
        _remembered: &mut DeviceCache,
        inputs: &[Buffer],
        outputs: &[Buffer],
    ) -> Result<()> {
        *self.again.lock().unwrap() += 1;
        // SAFETY: the caller's promise.
        unsafe { self.run(program, inputs, outputs) }
    }

    unsafe fn call(&self, _call: &Call<'_>) -> Result<()> {
        Ok(())
    }

    fn upload(&self, _target: &Buffer, _offset: usize, _source: &[u8]) -> Result<()> {
        Ok(())
    }

    fn download(&self, _source: &Buffer, _offset: usize, _target: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn receive(
        &self,
        _target: &Buffer,
        _offset: usize,
        _bytes: usize,
        _from: DeviceRef,
        _source: &Buffer,
        _start: usize,
    ) -> Result<()> {
        Ok(())
    }
}

/// All recorders, which stay for ever as devices do: what nobody owned at the end would be a leak to Miri.
static RECORDERS: Mutex<Vec<&Recorder>> = Mutex::new(Vec::new());

fn kept(recorder: Recorder) -> &'static Recorder {
    let recorder: &'static Recorder = Box::leak(Box::new(recorder));
    RECORDERS.lock().unwrap_or_else(|e| e.into_inner()).push(recorder);
    recorder
}

/// Makes arrays on a recorder of its own.
pub struct Bench {
    pub device: &'static Recorder,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { device: kept(Recorder::default()) }
    }

    /// On a recorder that keeps what Programs store.
    pub fn with_contents() -> Bench {
        Bench { device: kept(Recorder { keeps_contents: true, ..Recorder::default() }) }
    }

    /// On a recorder whose pending work may keep so many bytes alive.
    pub fn with_pinned_limit(bytes: usize) -> Bench {
        Bench { device: kept(Recorder { pinned_limit: Some(bytes), ..Recorder::default() }) }
    }

    pub fn array(&self, shape: &[usize], dtype: DType) -> View {
        let device: DeviceRef = self.device;
        let layout = Layout::contiguous(shape, dtype.size());
        let buffer = device.allocate(layout.size() * dtype.size()).unwrap();
        View::new(Storage::ready(device, buffer), layout, dtype)
    }

    pub fn map(&self, op: Op, args: &[&View]) -> View {
        let dtype = args[0].dtype();
        let sources: Args = args.iter().map(|a| NodeArg::View((*a).clone())).collect();
        self.record(op, dtype, sources)
    }

    pub fn record(&self, op: Op, dtype: DType, sources: Args) -> View {
        let shape = sources
            .iter()
            .find_map(|s| match s {
                NodeArg::View(v) => Some(v.layout().shape.clone()),
                NodeArg::Scalar(_) => None,
            })
            .unwrap();
        let layout = result_layout(&shape, op.output(dtype).size(), &sources, Order::K);
        map(self.device, op, dtype, sources, layout).unwrap()
    }

    pub fn scaled(&self, a: &View, factor: f64) -> View {
        let scalar = NodeArg::Scalar(Scalar::wrapping(Number::Float(factor), a.dtype()));
        self.record(Op::Multiply, a.dtype(), smallvec![NodeArg::View(a.clone()), scalar])
    }

    pub fn programs(&self) -> Vec<String> {
        std::mem::take(&mut *self.device.programs.lock().unwrap())
    }
}
