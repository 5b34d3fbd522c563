//! Variables and memory without a value: what the checking mode tells of, and what it lets pass.

use cuprum_jit::FaultKind;

use crate::harness::*;

/// Runs a kernel of `int *x, int n` with `n` threads; the fault's text.
fn checked(body: &str, n: i32) -> Result<Vec<i32>, String> {
    let text = format!("{HEAD}__global__ void f(int *x, int n) {{\n{body}\n}}");
    let mut x: Vec<i32> = (0..64).collect();
    let outcome = Setup::checked(1, 64).run(&text, &mut [bytes(&mut x), Arg::Int(n)]);
    match outcome {
        Ok(()) => Ok(x),
        Err((fault, text)) => {
            assert_eq!(fault.kind, FaultKind::Uninitialised, "{text}");
            Err(text)
        }
    }
}

const HEAD: &str = "struct Pair { int a, b; };\n\
    struct Wide { char c; double d; int e[3]; };\n\
    __device__ int same(int v) { return v; }\n\
    __device__ void put(int &to, int v) { to = v; }\n\
    __device__ int sign(int v) { if (v > 0) return 1; if (v < 0) return -1; }\n\
    __device__ int both(Pair p) { return p.a + p.b; }\n\
    __device__ int down(int v, int k) { return k ? down(v, k - 1) : v; }\n";

/// The line of a body that a fault names, its thread, and what is said of the value.
#[track_caller]
fn told(body: &str, n: i32, line: u32, thread: u32, what: &str) {
    let text = checked(body, n).expect_err(body);
    let lines = HEAD.lines().count() as u32;
    let place = format!("kernel.cu:{}:", lines + 1 + line);
    assert!(text.contains(&place), "{body}: no {place} in {text}");
    assert!(text.contains(&format!("by thread ({thread},0,0) of block (0,0,0)")), "{text}");
    assert!(text.contains(what), "{text}");
}

#[test]
fn variables_without_a_value() {
    told("int v;\nx[threadIdx.x] = v;", 0, 2, 0, "uninitialised read of v");
    told("int v;\nif (threadIdx.x != 5)\n    v = 1;\nx[threadIdx.x] = v + 1;", 0, 4, 5, "read of v");
    told("int v;\nif (threadIdx.x < n) v = 1;\nif (v > 0)\n x[threadIdx.x] = 1;", 63, 3, 63, "read of v");
    told("int i;\nif (n) i = 3;\nx[i] = 1;", 0, 3, 0, "read of i");
    told("int sum;\nfor (int k = 0; k < n; k++)\n    sum += k;\nx[0] = 1;", 3, 3, 0, "read of sum");
    // A variable of a loop's body is a new one in every round.
    told(
        "for (int k = 0; k < 3; k++) {\n    int v;\n    if (k == 0) v = 7;\n    x[k] = v;\n}",
        0,
        4,
        0,
        "read of v",
    );
    told(
        "for (int k = 0; k < 3; k++) {\n    int v[2];\n    if (k == 0) v[n] = 7;\n    x[k] = v[n];\n}",
        1,
        4,
        0,
        "v: nobody",
    );
    told("int a, b = 1;\nint c = n ? a : b;\nx[0] = c * 2;", 1, 3, 0, "read of c");
    told("x[threadIdx.x] = sign(x[threadIdx.x] - 3) + 1;", 0, 1, 3, "uninitialised read");
    told("int v;\nx[0] = down(v, 2);", 0, 2, 0, "read of v");
    // Shuffles carry what a lane has.
    told(
        "int v;\nif (threadIdx.x != 31) v = 1;\nint w = __shfl_down_sync(~0u, v, 1);\nx[threadIdx.x] = w;",
        0,
        4,
        30,
        "read of w",
    );
    told(
        "double v;\nswitch (n) { case 1: v = 1; break; case 2: v = 2; }\nx[0] = (int)v;",
        3,
        3,
        0,
        "read of v",
    );
}

#[test]
fn members_without_a_value() {
    told("Pair p;\np.a = 1;\nx[0] = p.b;", 0, 3, 0, "uninitialised read of 4 bytes");
    told(
        "Pair p;\np.a = 1;\nPair q = p, r;\nr = q;\nx[0] = r.a + r.b;",
        0,
        5,
        0,
        "uninitialised read of 4 bytes",
    );
    let text = checked("Pair p;\np.a = 1;\nx[0] = both(p);", 0).unwrap_err();
    assert!(text.contains("uninitialised read of 4 bytes at kernel.cu:6:46 by thread (0,0,0)"), "{text}");
    told("Wide w;\nw.c = 1;\nWide v = w;\nx[0] = v.e[1];", 0, 4, 0, "uninitialised read of 4 bytes");
}

#[test]
fn values_on_every_way_pass() {
    let fine = [
        "int v;\nif (threadIdx.x < 5) v = 1; else v = 2;\nx[threadIdx.x] = v;",
        "int v;\nif (threadIdx.x < n) v = 1;\nif (threadIdx.x < n) x[threadIdx.x] = v;",
        "int v;\nput(v, 3);\nx[threadIdx.x] = v;",
        "int v, w;\nif (n > 100) w = v;\nw = 4;\nx[threadIdx.x] = w;",
        "int best; bool any = false;\nfor (int k = 0; k < n; k++) if (!any || best < k) { best = k; any = true; }\n\
         if (any) x[threadIdx.x] = best;",
        "int v;\nfor (int k = 0; k < 4; k++) { if (k == 0) v = 1; x[k * 64 % 64 + threadIdx.x] = v; v++; }",
        "int v;\nint w = same(v);\nw = 2;\nx[threadIdx.x] = w;",
        "int v;\nif (threadIdx.x < 16) v = 2;\nint w = __shfl_sync(~0u, v, threadIdx.x % 16);\nif (threadIdx.x < 32) x[threadIdx.x] = w;",
        "Pair p;\np.a = 1;\nPair q = p;\nPair r[2];\nr[1] = q;\nx[threadIdx.x] = r[1].a;",
        "Wide w;\nw.c = 1;\nWide v = w;\nv.d = 2;\nx[threadIdx.x] = v.c + (int)v.d;",
        "Pair p;\np.a = 1;\nif (n) { p.b = 2; x[threadIdx.x] = both(p); }",
        "int v;\nswitch (n) { case 0: { int k = 5; v = k; break; } default: v = 1; }\nx[threadIdx.x] = v;",
        "int v;\nwhile (true) { v = n; if (v > 0) break; }\nx[threadIdx.x] = v;",
        "float4 v;\nv.x = 1; v.y = 2; v.z = 3;\nfloat4 w = v;\nx[threadIdx.x] = (int)(w.x + w.y + w.z);",
        "int v;\nint *p = &v;\n*p = 4;\nx[threadIdx.x] = v;",
        "int v, *p = n ? &v : x;\np[0] = 4;\nx[threadIdx.x] = p[0];",
        "auto add = [=](int k) { return k + n; };\nint v;\nv = add(1);\nx[threadIdx.x] = v;",
    ];
    for body in fine {
        if let Err(text) = checked(body, 9) {
            panic!("{body}\n{text}");
        }
    }
}
