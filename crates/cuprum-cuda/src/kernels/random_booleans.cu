// Single bits as booleans: a block's draws of 32 bits are shared out so that each thread stores 32 bytes at a time.

extern "C" __global__ void random_booleans(const Words stream, u8* out, u64 n) {
    __shared__ u32 shared[256 * 8];
    Place place = place_of_thread(stream);
    u32 draws[8], count = chunks_of_warp(stream), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    chunk_draws(stream, place.chunk, draws);
    for (int i = 0; i < 8; i++) {
        if (place.mine) shared[(warp * count + lane) * 8 + i] = draws[i];
    }
    __syncthreads();
    u32 tile = 64 * count;
    // A tile is a whole number of warps' shares.
    for (u32 at = threadIdx.x; at - lane < tile; at += 256) {
        u32 bits = shared[at];
        u32 spread[8];
        for (int i = 0; i < 8; i++) spread[i] = (bits >> (4 * i) & 15) * 0x00204081u & 0x01010101u;
        Stored<u8, 32> stored;
        stored.parts[0] = make_uint4(spread[0], spread[1], spread[2], spread[3]);
        stored.parts[1] = make_uint4(spread[4], spread[5], spread[6], spread[7]);
        store_chunk(out, n, Place{(u64)blockIdx.x * tile + at, true}, stored);
    }
}
