// Where needles belong in sorted elements: one thread a needle, by halves.
//
// The text before defines T, RIGHT (behind equal elements instead of before them) and ORDERED (whether `order` gives the
// positions that sort).

extern "C" __global__ void __launch_bounds__(256)
search_sorted(const T* sorted, const i64* order, u64 length, const T* needles, i64* out, u64 count) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= count) return;
    auto needle = rank_of(needles[i]);
    u64 low = 0, left = length;
    while (left > 0) {
        u64 half = left / 2, at = low + half;
        if (ORDERED) {
            u64 place = (u64)order[at];
            at = place < length ? place : length - 1;
        }
        auto element = rank_of(sorted[at]);
        bool before = RIGHT ? !(needle < element) : element < needle;
        low = before ? low + half + 1 : low;
        left = before ? left - half - 1 : half;
    }
    out[i] = (i64)low;
}
