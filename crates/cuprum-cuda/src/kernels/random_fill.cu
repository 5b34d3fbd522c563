// Fills `out` with elements whose words follow from their number: one chunk a thread.

extern "C" __global__ void random_fill(const Words stream, T* out, u64 n, const Parameters parameters) {
    Place place = place_of_thread(stream);
    u32 draws[8];
    chunk_draws(stream, place.chunk, draws);
    Stored<T, Maker::count> stored;
    Maker::make(draws, place.chunk * Maker::count, n, parameters, stored.elements);
    store_chunk(out, n, place, chunks_of_warp(stream), stored);
}
