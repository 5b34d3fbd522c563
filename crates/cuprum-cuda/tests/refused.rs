//! A compiler that fails at a fused text: the Program still runs, one step after the other, with the same bits. The
//! stand-in for NVRTC fails where it is told to; on a GPU the fused kernel runs.

use cuprum_core::{DType, Dims, Layout, Op};
use cuprum_graph::{Buffer, Device, Input, Instr, InstrKind, Output, Program};
use smallvec::smallvec;

const N: usize = 1000;

/// `sqrt(x) * x`, or `sqrt(x)` alone.
fn program(fused: bool) -> Program {
    let layout = Layout::contiguous(&[N], 4);
    let map = |op, args| Instr { kind: InstrKind::Map(op), dtype: DType::F32, output: DType::F32, args };
    let mut code = vec![map(Op::Sqrt, smallvec![0])];
    if fused {
        code.push(map(Op::Multiply, smallvec![1, 0]));
    }
    let reg = code.len() as u16;
    Program {
        shape: Dims::from_slice(&[N]),
        inputs: vec![Input { dtype: DType::F32, layout: layout.clone() }],
        params: vec![],
        code,
        outputs: vec![Output { reg, dtype: DType::F32, layout }],
        reduce: None,
        rows: None,
    }
}

fn floats(device: &impl Device, buffer: &Buffer) -> Vec<f32> {
    let mut bytes = vec![0; 4 * N];
    device.download(buffer, 0, &mut bytes).unwrap();
    bytes.chunks_exact(4).map(|part| f32::from_le_bytes(part.try_into().unwrap())).collect()
}

#[test]
fn what_the_compiler_refuses_runs_in_steps() {
    let folder = std::env::temp_dir().join(format!("cuprum-refused-{}", std::process::id()));
    let refuse = |words: &str| {
        // SAFETY: the only test of this program; nothing is compiled beside it while it sets them.
        unsafe {
            std::env::set_var("CUPRUM_STANDIN_REFUSE", words);
            std::env::set_var("CUPRUM_CACHE_DIR", &folder);
        }
    };
    refuse("op_sqrt_f32,op_multiply_f32");
    let device = match cuprum_cuda::device(0) {
        Ok(device) => device,
        Err(error) => {
            let named = std::env::var_os("CUPRUM_LIBCUDA").is_some_and(|path| !path.is_empty());
            assert!(!named, "CUPRUM_LIBCUDA is set, and yet there is no GPU: {error}");
            return println!("skipped, no GPU: {error}");
        }
    };
    let (x, y) = (device.allocate(4 * N).unwrap(), device.allocate(4 * N).unwrap());
    let host: Vec<f32> = (0..N).map(|i| i as f32 * 0.37).collect();
    device.upload(&x, 0, &host.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()).unwrap();
    let expected: Vec<f32> = host.iter().map(|x| x.sqrt() * x).collect();
    for _ in 0..3 {
        device.upload(&y, 0, &[0xff; 4 * N]).unwrap();
        // SAFETY: the Program is sound, and the buffers hold its elements.
        unsafe { device.run(&program(true), std::slice::from_ref(&x), std::slice::from_ref(&y)) }.unwrap();
        assert_eq!(floats(device, &y), expected);
        cuprum_cuda::finish_compiling();
    }
    // An op that cannot be compiled by itself is an error that carries what the compiler said.
    if std::env::var_os("CUPRUM_LIBNVRTC").is_some_and(|path| path.to_string_lossy().contains("standin")) {
        refuse("op_negative_f32");
        let mut refused = program(false);
        refused.code[0].kind = InstrKind::Map(Op::Negative);
        // SAFETY: as above.
        let error =
            unsafe { device.run(&refused, std::slice::from_ref(&x), std::slice::from_ref(&y)) }.unwrap_err();
        assert!(error.to_string().contains("CUPRUM_STANDIN_REFUSE"), "{error}");
        // SAFETY: as above.
        unsafe { device.run(&program(false), &[x], std::slice::from_ref(&y)) }.unwrap();
        assert_eq!(floats(device, &y), host.iter().map(|x| x.sqrt()).collect::<Vec<_>>());
    }
    std::fs::remove_dir_all(&folder).ok();
}
