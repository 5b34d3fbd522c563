// Long rows: a block for each segment of a row. The last block of a row to arrive joins the row's segments in
// their order.

// The block's states joined as a tree; the first thread has the whole.
inline State block_total(State total) {
    __shared__ State warps[8];
    #pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2)
        total = join(total, shuffled_down(total, offset, 32));
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x < 32) {
        total = threadIdx.x < 8 ? warps[threadIdx.x] : neutral();
        #pragma unroll 1
        for (int offset = 4; offset > 0; offset /= 2)
            total = join(total, shuffled_down(total, offset, 32));
    }
    return total;
}

extern "C" __global__ void __launch_bounds__(256, UNROLL > 1 ? 4 : 2) program(Args args) {
    const Fixed fixed = load_fixed(args);
    const Index result = blockIdx.x % args.results, segment = blockIdx.x / args.results;
    Cursor row = origin(args);
    move_outer(args, result, row);
    const Index start = segment * args.span, stop = start + args.span;
    const Index end = stop < args.packs ? stop : args.packs;
    State total = block_total(row_total(args, fixed, row, start + threadIdx.x, 256, end));
    if (args.segments == 1) {
        if (threadIdx.x == 0) finish(args, row, 0, total);
        return;
    }
    State* partials = (State*)args.scratch + result * args.segments;
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partials[segment] = total;
        __threadfence();
        is_last = atomicAdd(&args.tickets[result], 1u) == args.segments - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    total = neutral();
    #pragma unroll 1
    for (Index s = threadIdx.x; s < args.segments; s += 256)
        total = join(total, read_partial(partials + s));
    total = block_total(total);
    if (threadIdx.x == 0) {
        finish(args, row, 0, total);
        args.tickets[result] = 0;
    }
}
