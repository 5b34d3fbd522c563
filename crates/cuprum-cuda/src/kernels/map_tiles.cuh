// Elementwise programs over operands that lie row by row and others that lie column by column: square tiles, of which
// the transposed operands are read along their own neighbours and handed over in shared memory. All of a tile's elements
// are read before the first is written.

constexpr int ROWS = 256 / SIDE, EACH = SIDE / ROWS;

extern "C" __global__ void __launch_bounds__(256) program(Args args) {
    __shared__ Tiles tiles;
    const Fixed fixed = load_fixed(args);
    const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    const Index rest = blockIdx.x / args.tiles_across, batch = rest / args.tiles_down;
    const Index across = (blockIdx.x - rest * args.tiles_across) * SIDE, down = (rest - batch * args.tiles_down) * SIDE;
    const bool whole = across + SIDE <= args.across && down + SIDE <= args.down;
    Cursor base = origin(args);
    move_outer(args, batch, base);
    Cursor at[EACH];
    Values values[EACH];
    #pragma unroll
    for (int i = 0; i < EACH; ++i) {
        at[i] = base;
        move_tile(args, down + y + i * ROWS, across + x, at[i]);
        if (whole || (down + y + i * ROWS < args.down && across + x < args.across))
            load_whole(args, at[i], 0, values[i]);
    }
    #pragma unroll
    for (int i = 0; i < EACH; ++i) {
        Cursor transposed = base;
        move_tile(args, down + x, across + y + i * ROWS, transposed);
        if (whole || (down + x < args.down && across + y + i * ROWS < args.across))
            load_transposed(args, transposed, y + i * ROWS, x, tiles);
    }
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < EACH; ++i) {
        if (whole || (down + y + i * ROWS < args.down && across + x < args.across)) {
            take_transposed(tiles, x, y + i * ROWS, values[i]);
            compute(args, fixed, values[i]);
            store_whole(args, at[i], 0, values[i]);
        }
    }
}
