// Fills `out` with elements whose words follow from their number: `rows` chunks a thread, one after the other. PLAIN is set
// where chunks are blocks, all of them are enciphered without a carry, and `out` is aligned for vectors.

extern "C" __global__ void __launch_bounds__(256)
random_fill(const Source stream, T* out, u64 n, const Parameters parameters, u32 rows) {
    u64 row = (u64)blockIdx.x * rows;
#if PLAIN
    Place place{row * 256 + threadIdx.x, true};
    auto block = walk_from(stream, place.chunk);
#endif
#pragma unroll 1
    for (u32 i = 0; i < rows; i++) {
        u32 draws[8];
#if PLAIN
        walked_draws(stream, block, draws);
#else
        Place place = place_in_row(stream, row + i);
        chunk_draws(stream, place.chunk, draws);
#endif
        Stored<T, Maker::count> stored;
        Maker::make(draws, place.chunk * Maker::count, n, parameters, stored.elements);
#if PLAIN
        store_aligned(out, n, place.chunk, stored);
        block = later_by_256(block);
        place.chunk += 256;
#else
        store_chunk(out, n, place, stored);
#endif
    }
}
