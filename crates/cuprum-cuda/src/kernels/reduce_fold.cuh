// Folds from left to right: a thread for each result, since no other order of joining gives the same value.

extern "C" __global__ void __launch_bounds__(256) program(Args args) {
    const Fixed fixed = load_fixed(args);
    const Index result = (Index)blockIdx.x * 256 + threadIdx.x;
    if (result >= args.results) return;
    Cursor column = origin(args);
    move_inner(args, result, column);
    State total = neutral();
    #pragma unroll 4
    for (Index row = 0; row < args.count; ++row) {
        Cursor at = column;
        Values values;
        move_outer(args, row, at);
        load_whole(args, at, 0, values);
        compute(args, fixed, values);
        store_whole(args, at, 0, values);
        total.s0 = row == 0 ? values.value0[0] : Reducer0::join(total.s0, values.value0[0]);
    }
    finish(args, column, 0, total);
}
