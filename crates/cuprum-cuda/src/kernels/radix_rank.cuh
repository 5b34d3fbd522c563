// One block's share of a radix sort: where its elements go by one digit, elements of one digit in their order.
// Element i of a warp's lane is number 32 * i + lane of the warp's run, and the runs follow each other.

constexpr u32 DIGITS = 256;

// The lanes among `lanes` that hold the same digit.
inline u32 peers_of(u32 digit, u32 lanes) {
    u32 peers = lanes;
#pragma unroll
    for (u32 bit = 0; bit < 8; bit++) {
        bool set = digit >> bit & 1;
        u32 vote = __ballot_sync(0xffffffffu, set);
        peers &= set ? vote : ~vote;
    }
    return peers;
}

// How many elements with the same digit precede an element in its warp's run; raises the warp's counts, one for
// each digit. All lanes of the warp take part, whether their element is there or not.
inline u32 place_in_warp(u32* counts, u32 digit, bool there, u32 lane) {
    u32 peers = peers_of(digit, __ballot_sync(0xffffffffu, there));
    u32 below = __popc(peers & ((1u << lane) - 1));
    u32 before = counts[digit];
    __syncwarp();
    if (there && below == 0) counts[digit] = before + __popc(peers);
    __syncwarp();
    return before + below;
}

// The same by marks: every lane marks itself at its digit, one word of bits for each, all zero before and after.
inline u32 place_by_marks(u32* counts, u32* marks, u32 digit, bool there, u32 lane) {
    if (there) atomicOr(&marks[digit], 1u << lane);
    __syncwarp();
    u32 peers = *(volatile u32*)&marks[digit], before = *(volatile u32*)&counts[digit];
    u32 below = __popc(peers & ((1u << lane) - 1));
    __syncwarp();
    if (there && below == 0) {
        counts[digit] = before + __popc(peers);
        marks[digit] = 0;
    }
    __syncwarp();
    return before + below;
}

// The sum of the values of all lanes before this one.
inline u32 sum_before(u32 value, u32 lane) {
    u32 sum = value;
#pragma unroll
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step) sum += other;
    }
    return sum - value;
}

// Turns the counts of each warp into counts of the warps before it; the first DIGITS threads return their digit's total.
template <int WARPS> u32 chain_warps(u32* counts, u32 thread) {
    u32 total = 0;
    if (thread < DIGITS) {
#pragma unroll
        for (int warp = 0; warp < WARPS; warp++) {
            u32 count = counts[warp * DIGITS + thread];
            counts[warp * DIGITS + thread] = total;
            total += count;
        }
    }
    return total;
}

// Where each digit's elements begin in the block: `starts[digit]`, from the totals in the first DIGITS threads. All threads
// take part; `sums` has 8 places. The starts can be read after the next __syncthreads.
inline void start_digits(u32 total, u32 thread, u32* sums, u32* starts) {
    u32 lane = thread & 31, warp = thread >> 5;
    u32 before = sum_before(total, lane);
    if (thread < DIGITS && lane == 31) sums[warp] = before + total;
    __syncthreads();
    if (thread < DIGITS) {
        for (u32 w = 0; w < warp; w++) before += sums[w];
        starts[thread] = before;
    }
}
