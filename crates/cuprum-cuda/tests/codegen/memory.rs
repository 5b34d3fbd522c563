//! Operands that share memory, and operands so far apart that positions take 64 bits.

use cuprum_core::{DType, Layout, Op, Reduction};
use cuprum_cuda::codegen::LaunchPlan;
use cuprum_graph::Program;

use crate::harness::{Memory, launch};
use crate::programs::{Build, strided};

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

fn memory(n: usize) -> Memory {
    Memory::of(&(0..n).flat_map(|i| (i as f32).to_le_bytes()).collect::<Vec<u8>>())
}

/// `a = a * a + a`, written over `a`.
fn over_itself(layout: Layout) -> Program {
    let mut b = Build::over(&layout.shape.clone());
    let x = b.input(DType::F32, layout.clone());
    let square = b.map(Op::Square, DType::F32, &[x]);
    let sum = b.map(Op::Add, DType::F32, &[square, x]);
    b.store_as(sum, layout);
    b.program
}

#[test]
fn an_output_may_be_an_input() {
    let layouts = [
        Layout::contiguous(&[5000], 4),
        strided(&[2500], &[8], 0),
        strided(&[50, 40], &[400, 4], 16),
        Layout::fortran(&[50, 100], 4),
    ];
    for layout in layouts {
        let memory = memory(5000);
        let before = floats(memory.content());
        let program = over_itself(layout.clone());
        let mut plan = LaunchPlan::of(&program, &[memory.address()], &[memory.address()]).expect("a launch");
        launch(&mut plan);
        let mut expected = before;
        for index in crate::reference::indices(&layout.shape) {
            let x = &mut expected[crate::reference::offset(&layout, &index) as usize / 4];
            *x = *x * *x + *x;
        }
        assert_eq!(floats(memory.content()), expected, "{layout:?}");
    }
}

#[test]
fn a_reduction_may_store_over_its_input() {
    let memory = memory(6000);
    let result = Memory::of(&[0; 4]);
    let mut program = over_itself(Layout::contiguous(&[6000], 4));
    let mut b = Build { program: program.clone() };
    b.reduce(Reduction::Max, program.outputs[0].reg, &[0], &[0]);
    program = b.program;
    let mut plan = LaunchPlan::of(&program, &[memory.address()], &[memory.address(), result.address()])
        .expect("a launch");
    launch(&mut plan);
    assert_eq!(floats(result.content()), [5999.0f32 * 5999.0 + 5999.0]);
    assert_eq!(floats(memory.content())[77], 77.0 * 77.0 + 77.0);
}

/// Two rows 160 MB apart: the pages between them are never touched.
#[test]
fn rows_far_apart() {
    const FAR: usize = 160 << 20;
    let mut bytes = vec![0u8; FAR + 4000];
    for i in 0..1000 {
        bytes[4 * i..4 * i + 4].copy_from_slice(&(i as f32).to_le_bytes());
        bytes[FAR + 4 * i..FAR + 4 * i + 4].copy_from_slice(&(3.0 * i as f32).to_le_bytes());
    }
    let far = strided(&[2, 1000], &[FAR as isize, 4], 0);
    let at = bytes.as_ptr() as usize;
    let mut b = Build::over(&[2, 1000]);
    let x = b.input(DType::F32, far.clone());
    let position = b.iota(1);
    let real = b.cast(position, DType::F32);
    let y = b.map(Op::Subtract, DType::F32, &[x, real]);
    b.store(y);
    let result = Memory::of(&[0; 8000]);
    let mut plan = LaunchPlan::of(&b.program, &[at], &[result.address()]).expect("a launch");
    assert!(plan.key.source().contains("typedef u64 Index;"));
    launch(&mut plan);
    let expected: Vec<f32> =
        (0..2000).map(|i| if i < 1000 { 0.0 } else { 2.0 * (i - 1000) as f32 }).collect();
    assert_eq!(floats(result.content()), expected);
    // Along the far axis the step itself is past what 32 bits hold for a pack; down it, rows are.
    for (axes, nesting, expected) in
        [(&[0usize, 1] as &[usize], [1, 0], 4.0 * 499_500.0), (&[1], [0, 1], 499_500.0)]
    {
        let mut b = Build::over(&[2, 1000]);
        let x = b.input(DType::F32, far.clone());
        b.reduce(Reduction::Sum, x, axes, &nesting);
        let result = Memory::of(&[0; 8]);
        let mut plan = LaunchPlan::of(&b.program, &[at], &[result.address()]).expect("a launch");
        launch(&mut plan);
        assert_eq!(floats(result.content())[0], expected);
    }
}
