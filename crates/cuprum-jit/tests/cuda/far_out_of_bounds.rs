//! Accesses far beyond their memory: offsets that need more than 31 bits, and sums that wrap, from every kind of
//! address and of every width.

use cuprum_jit::FaultKind;

use crate::harness::*;

/// Element numbers that lead out of every array of these tests, whatever the width of an element.
const FAR: [&str; 12] = [
    "600000000",
    "-600000000",
    "0x7fffffffLL",
    "-0x7fffffffLL",
    "0x80000000LL",
    "-0x80000001LL",
    "0x3fffffffffLL",
    "-0x3fffffffffLL",
    "0x123456789abcdefLL",
    "-0x123456789abcdefLL",
    "0x7123456789abcdefLL",
    "-0x7123456789abcdefLL",
];

/// Runs a kernel on `int *x, int n` that must be stopped, with and without the checking mode.
#[track_caller]
fn is_stopped(text: &str) {
    for setup in [Setup::new(1, 32), Setup::new(2, 5), Setup::checked(1, 8)] {
        let mut x = [0u128; 128];
        let outcome = setup.run(text, &mut [bytes(&mut x), Arg::Int(1)]);
        let Err((fault, message)) = outcome else { panic!("nobody stopped\n{text}") };
        assert_eq!(fault.kind, FaultKind::OutOfBounds, "{message}\n{text}");
    }
}

/// `body` with the far element in place of `@`, for elements of a type.
fn kernel(ty: &str, body: &str, far: &str) -> String {
    let body = body.replace('@', far);
    format!("typedef {ty} T; __global__ void f(int *x, int n) {{ int t = threadIdx.x; {body} }}")
}

#[test]
fn arrays_have_ends_however_far() {
    let bodies = [
        "T *o = (T *)x + 6 * t; o[@] = (T)1;",
        "T *o = (T *)x + 6 * t; x[0] = (int)o[@];",
        "T *o = (T *)x + t; o[@] = (T)1;",
        "T *o = (T *)x + t; x[t] = (int)o[@];",
        "T *o = (T *)x + n * t; for (int i = 0; i < 4; ++i) o[(@) + i] += (T)1;",
        "T *o = (T *)x; o[(@) + t] = (T)1;",
        "volatile T *o = (volatile T *)x + 6 * t; o[@] = (T)1;",
        "T *o = (T *)x + 6 * t; x[1] = (int)*(o + (@) + n);",
    ];
    for ty in ["char", "short", "int", "float", "long long", "double"] {
        for (i, body) in bodies.iter().enumerate() {
            // All of them for one width, some of them for the others.
            for far in
                FAR.iter().skip(if ty == "int" { 0 } else { i % 3 }).step_by(if ty == "int" { 1 } else { 3 })
            {
                is_stopped(&kernel(ty, body, far));
            }
        }
    }
}

#[test]
fn local_and_shared_arrays_have_ends_however_far() {
    let bodies = [
        "int a[8]; a[t & 7] = t; int *o = a + (t & 3); o[@] = 1; x[t] = a[n];",
        "int a[8]; a[t & 7] = t; int *o = a + (t & 3); x[t] = o[@];",
        "__shared__ int s[64]; int *o = s + t; o[@] = 1; __syncthreads(); x[t] = s[t];",
        "__shared__ int s[64]; s[t] = t; __syncthreads(); int *o = s + 2 * t; x[t] = o[@];",
        "int a[8]; a[t & 7] = t; __syncthreads(); int *o = a + (t & 3); o[@] = 1; __syncthreads(); x[t] = a[n];",
        "struct S { int a[4]; double b; } s[3]; s[n].b = 1; S *o = s + (t & 1); o[@].b = 2; x[t] = (int)s[n].b;",
        "struct S { int a, b, c; } s[3]; s[n].a = t; S *o = s + (t & 1); S copy = o[@]; x[t] = copy.c;",
        "struct S { int a[40]; }; S *o = (S *)x + (t & 1); o[@] = o[0];",
    ];
    for body in bodies {
        for far in FAR.iter().step_by(2) {
            is_stopped(&kernel("int", body, far));
        }
    }
}

#[test]
fn atomics_and_vector_types_have_ends_however_far() {
    let bodies = [
        "atomicAdd(x + 6 * t + (@), 1);",
        "int *o = x + 6 * t; atomicAdd(&o[@], 1);",
        "int *o = x + 6 * t; atomicCAS(&o[@], 0, 1);",
        "__shared__ int s[64]; int *o = s + t; atomicMax(&o[@], 1); x[t] = s[t];",
        "float4 *o = (float4 *)x + t; o[@] = make_float4(1, 2, 3, 4);",
        "double2 *o = (double2 *)x + t; x[0] = (int)o[@].y;",
        "int4 *o = (int4 *)x + (t & 1); o[@] = o[0];",
        "char *o = (char *)x + t; memcpy(o + (@), o, 16);",
        "char *o = (char *)x + t; memset(o + (@), 1, 100);",
        "char *o = (char *)x + t; memset(o, 1, 0x7fffffffffffffffLL - (@ < 0 ? n : 2 * n));",
    ];
    for body in bodies {
        for far in FAR.iter().skip(1).step_by(3) {
            is_stopped(&kernel("int", body, far));
        }
    }
}

#[test]
fn there_and_back_is_within() {
    // The offset of the second half of four doubles does not fit 32 bits.
    for far in ["268435455", "268435454", "268435453", "-268435455", "600000000", "-600000000"] {
        let text = kernel("double", "T *o = (T *)x + t - (@); o[@] = t;", far);
        for setup in [Setup::new(1, 32), Setup::checked(1, 32)] {
            let mut x = [0f64; 32];
            let arrays = &mut [bytes(&mut x), Arg::Int(1)];
            setup.run(&text, arrays).unwrap_or_else(|(_, message)| panic!("{message}"));
            assert!(x.iter().enumerate().all(|(i, x)| *x == i as f64), "{text}");
        }
    }
}
