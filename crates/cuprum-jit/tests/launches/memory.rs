//! Reading and writing arrays, slots, variables; atomics.

use cuprum_kernel::ir::{Binary, Compare, End, Type};

use crate::harness::*;

#[test]
fn sums_of_two_arrays() {
    let mut k = kernel("add", 3, 1);
    let i = k.global_index();
    let n = k.parameter(Type::I32, 24);
    let within = k.compare(Compare::LtS, i, n);
    let (body, end) = (k.block(), k.block());
    k.branch(within, body, end);
    k.switch_to(body);
    let (x, y, z) = (k.pointer(0), k.pointer(1), k.pointer(2));
    let (px, py, pz) = (k.element(x, i, 4), k.element(y, i, 4), k.element(z, i, 4));
    let (a, b) = (k.load(Type::F32, px, 0), k.load(Type::F32, py, 0));
    let sum = k.binary(Binary::FAdd, a, b);
    k.store(pz, 0, sum);
    k.jump(end);
    k.switch_to(end);
    k.end(End::Return(None));
    let program = program(k);
    for n in [1usize, 255, 256, 257, 100_000] {
        let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
        let mut z = vec![0f32; n];
        let setup = Setup::new(n.div_ceil(256) as u32, 256);
        let arrays = &mut [bytes(&mut x), bytes(&mut y), bytes(&mut z)];
        setup.launch(&program, "add", arrays, &[n as i32]).unwrap();
        assert!(z.iter().enumerate().all(|(i, z)| *z == 1.5 * i as f32));
    }
}
