//! Every op in every dtype, and every conversion, through NVRTC: each compiles with the fragments that it asks for and
//! no others. Ops that ask for the same fragments are compiled together.

use std::collections::BTreeMap;
use std::sync::Mutex;

use cuprum_core::{DType, Op};
use cuprum_cuda::ops::{FragmentSet, expression, fragments, type_name};

/// Compiles all texts on a few threads.
fn compile_all(texts: Vec<(String, &str)>) {
    let left = Mutex::new(texts);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap_or_else(|e| e.into_inner()).pop();
                    let Some((text, target)) = next else { return };
                    cuprum_cuda::compile(&text, target, cuprum_cuda::quick_options())
                        .expect("the text compiles");
                }
            });
        }
    });
}

/// A kernel whose thread computes one element.
fn kernel(name: &str, inputs: &[DType], output: DType, body: &str) -> String {
    let parameters: String =
        inputs.iter().enumerate().map(|(i, &d)| format!("const {}* p{i}, ", type_name(d))).collect();
    format!(
        "extern \"C\" __global__ void {name}({parameters}{}* y) {{ y[threadIdx.x] = {body}; }}\n",
        type_name(output)
    )
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn ops_compile_with_their_own_fragments() {
    let mut kernels: BTreeMap<String, String> = BTreeMap::new();
    for op in Op::all() {
        for dtype in DType::ALL.into_iter().filter(|&d| op.has_loop(d)) {
            let inputs: Vec<DType> = (0..op.row().nin).map(|i| op.input(i, dtype)).collect();
            let arguments = ["p0[threadIdx.x]", "p1[threadIdx.x]", "p2[threadIdx.x]"];
            let body = expression(op, &arguments[..op.row().nin]);
            let name = format!("{}_{}", op.name(), type_name(dtype));
            *kernels.entry(fragments(op, dtype).text()).or_default() +=
                &kernel(&name, &inputs, op.output(dtype), &body);
        }
    }
    compile_all(kernels.into_iter().map(|(text, kernels)| (text + &kernels, "sm_90")).collect());
}

#[test]
#[ignore = "for NVIDIA's own compiler: make test-rust runs it"]
fn conversions_compile_for_old_and_new_gpus() {
    let mut text =
        DType::ALL.into_iter().fold(FragmentSet::NONE, |set, d| set.union(FragmentSet::of_dtype(d))).text();
    for from in DType::ALL {
        for to in DType::ALL {
            let body = format!("cast<{}>(p0[threadIdx.x])", type_name(to));
            text += &kernel(&format!("{from}_{to}"), &[from], to, &body);
        }
    }
    compile_all(["sm_75", "sm_80", "sm_90"].map(|target| (text.clone(), target)).into());
}
