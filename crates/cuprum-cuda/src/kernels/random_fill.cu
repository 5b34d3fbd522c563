// Fills `out` with elements whose words follow from their number: `rows` chunks a thread, one after the other. PLAIN is set
// where chunks are blocks that can be walked along and `out` is aligned for vectors. Large results wait for arithmetic: where
// UNROLLED is not zero, as many rows go together, PASSES times, which is what `rows` are, of fewer chunks than 2^31. BLOCKS of
// threads are to fit a multiprocessor, which says how many registers a thread may take.

extern "C" __global__ void __launch_bounds__(256, BLOCKS)
random_fill(const Source stream, T* out, u64 n, const Parameters parameters, u32 rows) {
#if UNROLLED
    typedef Stored<T, Maker::count> Made;
    static_assert(Made::pieces == 1);
    u32 first = blockIdx.x * (256 * UNROLLED * PASSES) + threadIdx.x;
    auto block = walk_from(stream, first);
    Place place{first, true};
    if (first + 256 * (UNROLLED * PASSES - 1) < (u32)(n / Maker::count)) {
        typename Made::Piece* to = (typename Made::Piece*)out + first;
#pragma unroll 1
        for (int pass = 0; pass < PASSES; pass++) {
#pragma unroll
            for (int i = 0; i < UNROLLED; i++) {
                u32 draws[DRAWS];
                walked_draws(stream, block, draws);
                Made made;
                Maker::make(draws, (u64)(first + 256 * i) * Maker::count, n, parameters, made.elements);
                to[256 * i] = made.parts[0];
                block = later_by_256(block);
            }
            first += 256 * UNROLLED, to += 256 * UNROLLED;
        }
        return;
    }
    rows = UNROLLED * PASSES;
#else
    u64 row = (u64)blockIdx.x * rows;
#if PLAIN
    Place place{row * 256 + threadIdx.x, true};
    auto block = walk_from(stream, place.chunk);
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
