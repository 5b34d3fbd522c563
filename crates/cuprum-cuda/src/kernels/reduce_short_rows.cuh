// Short rows: a group of at most a warp's threads for each result.

extern "C" __global__ void __launch_bounds__(256, UNROLL > 1 ? 6 : 2) program(Args args) {
    const Fixed fixed = load_fixed(args);
    const int lanes = 1 << args.shift, lane = threadIdx.x & (lanes - 1);
    const Index result = (Index)blockIdx.x * (256 >> args.shift) + (threadIdx.x >> args.shift);
    const bool exists = result < args.results;
    Cursor row = origin(args);
    State total = neutral();
    if (exists) {
        move_outer(args, result, row);
        total = row_total(args, fixed, row, lane, lanes, args.packs);
    }
    #pragma unroll 1
    for (int offset = lanes / 2; offset > 0; offset /= 2)
        total = join(total, shuffled_down(total, offset, lanes));
    if (exists && lane == 0) finish(args, row, 0, total);
}
