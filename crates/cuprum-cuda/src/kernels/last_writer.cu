// Which of several writes to one place is the last: that of the highest number.
//
// Before this text: index_tuples.cuh with its own; `Stamp`, unsigned, which holds one more than the number of index tuples. A
// stamp is the number of a tuple and one; zero is none.

// Keeps the highest stamp of a place. High numbers come first: most of the others need no atomic then.
inline void stamp(Stamp *place, Stamp number) {
    if (*(volatile Stamp *)place < number) atomicMax(place, number);
}

// One stamp for every place of the target.
extern "C" __global__ void stamp_table(const Tuples tuples, u64 count, Stamp *table) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 k = count - 1 - i;
    stamp(table + position_of(tuples, k), (Stamp)(k + 1));
}

// Few tuples: each looks whether a later one has its place.
extern "C" __global__ void compare_all(const Tuples tuples, u64 count, u8 *kept) {
    __shared__ u64 others[256];
    u64 k = (u64)blockIdx.x * 256 + threadIdx.x;
    u64 own = k < count ? position_of(tuples, k) : 0;
    bool last = true;
    for (u64 first = (u64)blockIdx.x * 256; first < count; first += 256) {
        u64 other = first + threadIdx.x;
        __syncthreads();
        others[threadIdx.x] = other < count ? position_of(tuples, other) : ~0ull;
        __syncthreads();
        for (u32 j = 0; j < 256; j++) last &= others[j] != own || first + j <= k;
    }
    if (k < count) kept[k] = last;
}

// A table of places by their hash, for targets far larger than the number of tuples. Its slots are a power of two, at
// least twice as many as tuples; free ones hold all ones.
inline u64 slot_of(u64 position, u64 mask) {
    position ^= position >> 31;
    position *= 0x9e3779b97f4a7c15ull;
    return (position ^ position >> 29) & mask;
}

extern "C" __global__ void stamp_hashed(const Tuples tuples, u64 count, u64 *places, Stamp *stamps, u64 mask) {
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    u64 k = count - 1 - i, position = position_of(tuples, k), slot = slot_of(position, mask);
    while (true) {
        u64 held = *(volatile u64 *)(places + slot);
        if (held == ~0ull) held = atomicCAS(places + slot, ~0ull, position);
        if (held == ~0ull || held == position) break;
        slot = (slot + 1) & mask;
    }
    stamp(stamps + slot, (Stamp)(k + 1));
}

extern "C" __global__ void keep_hashed(const Tuples tuples, u64 count, const u64 *places, const Stamp *stamps,
                                       u64 mask, u8 *kept) {
    u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    u64 position = position_of(tuples, k), slot = slot_of(position, mask);
    while (places[slot] != position) slot = (slot + 1) & mask;
    kept[k] = stamps[slot] == (Stamp)(k + 1);
}
