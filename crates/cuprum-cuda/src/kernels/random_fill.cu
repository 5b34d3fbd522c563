// Fills `out` with elements whose words follow from their number: `rows` chunks a thread, one after the other. PLAIN is set
// where chunks are blocks that can be walked along and `out` is aligned for vectors. UNROLLED rows, where there are as many
// and all of them are whole, go together: that is what the arithmetic of large results waits for. BLOCKS of them are to fit a
// multiprocessor, which says how many registers a thread may take.

extern "C" __global__ void __launch_bounds__(256, BLOCKS)
random_fill(const Source stream, T* out, u64 n, const Parameters parameters, u32 rows) {
    u64 row = (u64)blockIdx.x * rows;
#if PLAIN
    Place place{row * 256 + threadIdx.x, true};
    auto block = walk_from(stream, place.chunk);
#if UNROLLED
    if (rows == UNROLLED && (row + UNROLLED) * 256 <= n / Maker::count) {
        typedef Stored<T, Maker::count> Made;
        typename Made::Piece* to = (typename Made::Piece*)out + place.chunk;
#pragma unroll
        for (int i = 0; i < UNROLLED; i++) {
            u32 draws[DRAWS];
            walked_draws(stream, block, draws);
            Made made;
            Maker::make(draws, (place.chunk + 256 * i) * Maker::count, n, parameters, made.elements);
            static_assert(Made::pieces == 1);
            to[256 * i] = made.parts[0];
            block = later_by_256(block);
        }
        return;
    }
#endif
#endif
#pragma unroll 1
    for (u32 i = 0; i < rows; i++) {
        u32 draws[DRAWS];
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
