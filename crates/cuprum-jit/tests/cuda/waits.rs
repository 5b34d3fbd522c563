//! Waits that never come true are faults; waits that do are not.

use std::time::Duration;

use cuprum_jit::FaultKind;

use crate::harness::*;

fn run(setup: &Setup, body: &str) -> Result<[i32; 8], (FaultKind, String)> {
    let text = format!("__device__ int done = 0;\n__global__ void f(int *x, int n) {{\n{body}\n}}");
    let mut x = [0i32; 8];
    let outcome = setup.run(&text, &mut [bytes(&mut x), Arg::Int(3)]);
    outcome.map_err(|(fault, text)| (fault.kind, text)).map(|()| x)
}

#[test]
fn flags_that_nobody_sets() {
    let spins = [
        ("while (((volatile int *)x)[0] == 0) ;", 3, 0, 0),
        ("while (atomicCAS(&x[0], 1, 2) != 1) ;", 3, 0, 0),
        ("if (threadIdx.x == 5)\n    while (atomicAdd(&done, 0) == 0) ;", 4, 5, 0),
        (
            "if (blockIdx.x == 1)\n    while (((volatile int *)x)[1] < n) __nanosleep(100);\nx[2] = 1;",
            4,
            0,
            1,
        ),
        // A lock that is never given back.
        ("while (atomicExch(&x[0], 1) != 0) ;\nx[1] += 1;", 3, 1, 0),
        (
            "__shared__ volatile int s;\ns = 0;\n__syncthreads();\nif (threadIdx.x > 6)\n    while (s == 0) ;\n__syncthreads();",
            7,
            7,
            0,
        ),
    ];
    for (body, line, thread, block) in spins {
        for check in [false, true] {
            // The last fault of the checking mode may be a race; what is asked here is that the wait ends.
            let mut setup = if check { Setup::checked(2, 8) } else { Setup::new(2, 8) };
            if let Some(check) = &mut setup.check {
                check.races = false;
            }
            let (kind, text) = run(&setup, body).expect_err(body);
            assert_eq!(kind, FaultKind::Deadlock, "{text}");
            assert!(text.contains("a wait that never ends"), "{text}");
            assert!(text.contains(&format!("kernel.cu:{line}:")), "{body}: {text}");
            assert!(
                text.contains(&format!("by thread ({thread},0,0) of block ({block},0,0)")),
                "{body}: {text}"
            );
        }
    }
}

#[test]
fn waits_that_end() {
    let fine = [
        // Blocks hand on a flag, the last one first in line.
        "int b = gridDim.x - 1 - blockIdx.x;\nif (threadIdx.x == 0) { while (atomicAdd(&x[0], 0) != b) ; atomicAdd(&x[0], 1); }",
        // Tries that are counted.
        "int tries = 0;\nwhile (atomicAdd(&done, 0) == 0 && tries < 100000) tries++;\nif (threadIdx.x == 0 && blockIdx.x == 0) x[0] = 2;",
        // What a thread does between its looks.
        "if (threadIdx.x == 0 && blockIdx.x == 1) { for (int k = 0; k < 30000; k++) { atomicAdd(&x[1], 1); __nanosleep(1); } \
         atomicExch(&done, 1); }\nwhile (atomicAdd(&done, 0) == 0) ;\nif (threadIdx.x == 0 && blockIdx.x == 0) x[0] = 2;",
        "long long begin = clock64();\nwhile (clock64() - begin < 100000) __nanosleep(10);\nif (threadIdx.x == 0 && blockIdx.x == 0) x[0] = 2;",
    ];
    for body in fine {
        let x = run(&Setup::new(2, 8), body).unwrap();
        assert_eq!(x[0], 2, "{body}");
    }
}

#[test]
fn a_wait_for_somebody_outside_goes_on() {
    let setup = Setup { is_sole_writer: None, timeout: Duration::from_millis(300), ..Setup::new(1, 1) };
    let (kind, text) = run(&setup, "while (((volatile int *)x)[0] == 0) ;").unwrap_err();
    assert_eq!(kind, FaultKind::Timeout, "{text}");
}
