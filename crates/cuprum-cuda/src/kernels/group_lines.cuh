// Lines and places of a sparse matrix's elements: the place of each element from where those of each place begin, and where lines begin.
//
// The text before defines T, the indices.

constexpr u32 PLACED_THREADS = 256, PLACED_EACH = 8, PLACED_TILE = PLACED_THREADS * PLACED_EACH;

// The last place whose elements begin at or before an element, for starts that do not fall.
inline u64 place_of_element(const T* starts, u64 count, u64 element) {
    u64 low = 0, high = count;
    while (high - low > 1) {
        u64 middle = low + (high - low) / 2;
        if ((u64)starts[middle] <= element) low = middle;
        else high = middle;
    }
    return low;
}

// The place of each element, from where the elements of each of `count` places begin. Places that begin within a block's elements
// mark the first of them; each element has the last mark before it.
extern "C" __global__ void __launch_bounds__(PLACED_THREADS)
group_places(const T* starts, T* places, u64 count, u64 n) {
    __shared__ T marks[PLACED_TILE];
    __shared__ T lasts[PLACED_THREADS / 32];
    __shared__ u64 ends[2];
    u32 thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
    u64 from = (u64)blockIdx.x * PLACED_TILE, last = n - from < PLACED_TILE ? n : from + PLACED_TILE;
    if (thread < 2) ends[thread] = place_of_element(starts, count, thread == 0 ? from : last - 1);
    for (u32 i = thread; i < PLACED_TILE; i += PLACED_THREADS) marks[i] = 0;
    __syncthreads();
    u64 first = ends[0];
    // Of places with one start, all but the last are empty.
    for (u64 place = first + 1 + thread; place <= ends[1]; place += PLACED_THREADS) {
        u64 start = (u64)starts[place];
        if (start > from && start < last && start < (u64)starts[place + 1]) marks[start - from] = (T)(place - first);
    }
    __syncthreads();
    T mine[PLACED_EACH], most = 0;
#pragma unroll
    for (u32 i = 0; i < PLACED_EACH; i++) {
        T mark = marks[thread * PLACED_EACH + i];
        most = mark > most ? mark : most;
        mine[i] = most;
    }
    T before = most;
    for (u32 step = 1; step < 32; step *= 2) {
        T other = __shfl_up_sync(0xffffffffu, before, step);
        if (lane >= step && other > before) before = other;
    }
    if (lane == 31) lasts[warp] = before;
    before = __shfl_up_sync(0xffffffffu, before, 1);
    if (lane == 0) before = 0;
    __syncthreads();
    for (u32 w = 0; w < warp; w++) before = lasts[w] > before ? lasts[w] : before;
#pragma unroll
    for (u32 i = 0; i < PLACED_EACH; i++) marks[thread * PLACED_EACH + i] = mine[i] > before ? mine[i] : before;
    __syncthreads();
    for (u32 i = thread; i < PLACED_TILE && from + i < last; i += PLACED_THREADS) places[from + i] = (T)first + marks[i];
}

// Where the elements of each line begin, for sorted lines: an element writes the starts of the lines that end before it.
extern "C" __global__ void __launch_bounds__(PLACED_THREADS)
group_starts(const T* sorted, T* starts, u64 lines, u64 n) {
    u64 k = (u64)blockIdx.x * PLACED_THREADS + threadIdx.x;
    if (k > n) return;
    u64 from = k == 0 ? 0 : (u64)sorted[k - 1] + 1, to = k == n ? lines : (u64)sorted[k];
    for (u64 line = from; line <= to && line <= lines; line++) starts[line] = (T)k;
}
