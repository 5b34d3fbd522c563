//! `printf` of kernels.

use crate::harness::*;

fn printed(setup: Setup, text: &str, args: &mut [Arg<'_>]) -> String {
    setup.run(text, args).unwrap();
    setup.printed.into_inner().unwrap()
}

#[test]
fn threads_and_blocks_print_in_order() {
    let text = r#"#include <stdio.h>
__global__ void f() { printf("%d.%d ", blockIdx.x, threadIdx.x); }"#;
    assert_eq!(printed(Setup::new(2, 3), text, &mut []), "0.0 0.1 0.2 1.0 1.1 1.2 ");
}

#[test]
fn arguments_of_every_kind() {
    let text = r#"__global__ void f(const float *x, int n) {
    const char *name = "copper";
    long long big = 1LL << 40;
    unsigned char c = 200;
    float half = x[0] / 2;
    printf("%s|%5d|%-5d|%lld|%u|%c|%6.2f|%e|%g|%x|%%|%s\n", name, n, -n, big, c, 'z', half, (double)x[1], 1e-7, 255,
           n > 3 ? "yes" : "no");
}"#;
    let out = printed(Setup::new(1, 1), text, &mut [bytes(&mut [2.5f32, 12345.678]), Arg::Int(42)]);
    assert_eq!(out, "copper|   42|-42  |1099511627776|200|z|  1.25|1.234568e+04|1e-07|ff|%|yes\n");
}

#[test]
fn the_result_is_the_number_of_arguments() {
    let text = r#"__global__ void f(int *x) { x[0] = printf("%d %d\n", 1, 2); x[1] = printf("none\n"); }"#;
    let mut x = [9; 2];
    assert_eq!(printed(Setup::new(1, 1), text, &mut [bytes(&mut x)]), "1 2\nnone\n");
    assert_eq!(x, [2, 0]);
}
