// Connected components by union and find over runs: stretches of set elements in a row. Each run has a parent, a run of the same
// component that does not come after it; the first run of a component is its own parent.
//
// Threads unite components at the same time: a root changes by an atomic minimum alone, so parents only ever move to earlier
// runs of their component, and the result does not depend on the order.

template <class I> struct Image {
    I row;      // length of the last axis
    I runs;     // runs in all
    int axes;   // axes before the last
    int count;  // neighbours in rows before an element's own
};

template <class I> __device__ I root_of(const I* parent, I i) {
    for (I up = parent[i]; up != i; up = parent[i]) i = up;
    return i;
}

template <class I> __device__ void unite(I* parent, I a, I b) {
    while (true) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        if (a < b) {
            I earlier = a;
            a = b;
            b = earlier;
        }
        I was = atomicMin(&parent[a], b);
        if (was == a) return;
        a = was;
    }
}

// Unites a run with those that it touches in rows before its own. Runs lie from `start` to `end`, and `begun` says of each element
// how many runs have begun up to it. A neighbour is given by its steps along the axes, and by how far its row lies back.
template <class I>
__global__ void unite_runs(I* parent, const I* start, const I* end, const I* begun, const I* back, const signed char* steps,
                           const I* dims, const Image<I> image) {
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (thread >= image.runs) return;
    I run = (I)thread, line = start[run] / image.row, x = start[run] - line * image.row;
    for (int k = 0; k < image.count; k++) {
        const signed char* step = steps + k * (image.axes + 1);
        I rest = line;
        bool inside = true;
        for (int axis = image.axes - 1; axis >= 0; axis--) {
            I at = rest % dims[axis] + step[axis];
            rest /= dims[axis];
            inside = inside && at >= 0 && at < dims[axis];
        }
        I by = step[image.axes], low = x + by, high = x + (end[run] - start[run]) + by;
        if (low < 0) low = 0;
        if (high > image.row) high = image.row;
        if (!inside || low >= high) continue;
        I other = (line - back[k]) * image.row;
        // The run that the first element belongs to, or the next one.
        I next = begun[other + low] - 1;
        if (next < 0 || end[next] <= other + low) next++;
        for (; next < image.runs && start[next] < other + high; next++) unite(parent, next, run);
    }
}

// The kernels by rows are for CPUs, where a thread walks along a row. Where a run begins or ends in noise no processor can guess: places are
// written one after the other, and kept if they count. Eight elements that continue what is before them are passed over at once.
struct Row {
    const bool* set;
    bool in_words;

    __device__ Row(const bool* first, bool joined) : set(first), in_words(joined && (unsigned long long)first % 8 == 0) {}

    // Whether the elements from `x`, a multiple of eight, to `x` + 8 are all as the one before them.
    __device__ bool goes_on(long long x, bool before) const {
        return in_words && ((const unsigned long long*)set)[x / 8] == (before ? 0x0101010101010101ull : 0ull);
    }
};

// How many runs each row has; where elements beside each other are not joined, each is a run of its own.
template <class I> __global__ void count_runs(const bool* set, I* count, I row, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    Row mine(set + line * row, joined);
    I found = 0;
    bool before = false;
    for (I x = 0; x < row;) {
        I stop = x + 8 < row ? x + 8 : row;
        if (stop == x + 8 && mine.goes_on(x, before)) {
            x = stop;
            continue;
        }
        for (; x < stop; x++) {
            bool here = mine.set[x];
            found += here & !(joined & before);
            before = here;
        }
    }
    count[line] = found;
}

// The runs of each row, which begin at number `first[line]`.
template <class I>
__global__ void list_runs(const bool* set, const I* first, I* start, I* end, I row, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    Row mine(set + line * row, joined);
    I base = (I)(line * row), last = first[line + 1], begun = first[line], ended = begun;
    bool before = false;
    for (I x = 0; x < row;) {
        I stop = x + 8 < row ? x + 8 : row;
        if (stop == x + 8 && mine.goes_on(x, before)) {
            x = stop;
            continue;
        }
        I from = x;
        bool was = before;
        for (; x < stop && begun < last; x++) {
            bool here = mine.set[x];
            start[begun] = base + x;
            begun += here & !(joined & before);
            before = here;
        }
        before = was;
        for (x = from; x < stop; x++) {
            bool here = mine.set[x];
            if (ended < last) end[ended] = base + x;
            ended += before & !(joined & here);
            before = here;
        }
    }
    if (ended < last) end[ended] = base + row;
}

// Unites the runs of each row with those that they touch in rows before it, walking along both.
template <class I>
__global__ void unite_rows(I* parent, const I* start, const I* end, const I* first, const I* back, const signed char* steps,
                           const I* dims, const Image<I> image, long long lines) {
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (thread >= lines) return;
    I line = (I)thread;
    for (int k = 0; k < image.count; k++) {
        const signed char* step = steps + k * (image.axes + 1);
        I rest = line;
        bool inside = true;
        for (int axis = image.axes - 1; axis >= 0; axis--) {
            I at = rest % dims[axis] + step[axis];
            rest /= dims[axis];
            inside = inside && at >= 0 && at < dims[axis];
        }
        if (!inside) continue;
        // Places in this row less those of the neighbours in the other one.
        I shift = back[k] * image.row - step[image.axes];
        I next = first[line - back[k]], last = first[line - back[k] + 1];
        for (I run = first[line]; run < first[line + 1]; run++) {
            I low = start[run] - shift, high = end[run] - shift;
            while (next < last && end[next] <= low) next++;
            for (I other = next; other < last && start[other] < high; other++) unite(parent, other, run);
        }
    }
}

// The number of each element's component, row by row: `numbers` holds a zero and then that of each run.
template <class I>
__global__ void paint_rows(I* labels, const bool* set, const I* first, const I* numbers, I row, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    Row mine(set + line * row, joined);
    I* out = labels + line * row;
    I run = first[line];
    bool before = false;
    for (I x = 0; x < row;) {
        I stop = x + 8 < row ? x + 8 : row;
        if (stop == x + 8 && mine.goes_on(x, before)) {
            I number = before ? numbers[run] : 0;
            for (; x < stop; x++) out[x] = number;
            continue;
        }
        for (; x < stop; x++) {
            bool here = mine.set[x];
            run += here & !(joined & before);
            out[x] = numbers[run & -(I)here];
            before = here;
        }
    }
}

// Unites pairs of runs, or the ends of a graph's edges.
template <class I> __global__ void unite_pairs(I* parent, const I* a, const I* b, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) unite(parent, a[i], b[i]);
}

// Points every run at its root, and says which runs are roots.
template <class I> __global__ void find_roots(const I* parent, I* root, bool* is_root, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    I found = root_of(parent, (I)i);
    root[i] = found;
    is_root[i] = found == (I)i;
}

// The least and the greatest index of each label along each axis: `bounds` holds pairs for the axes of label 1, label 2, ...
template <class I>
__global__ void find_bounds(const I* label, I* bounds, const I* dims, int axes, I labels, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    I number = label[i];
    if (number < 1 || number > labels) return;
    long long rest = i;
    for (int axis = axes - 1; axis >= 0; axis--) {
        I at = (I)(rest % dims[axis]);
        rest /= dims[axis];
        I* pair = bounds + ((number - 1) * axes + axis) * 2;
        if (at < pair[0]) atomicMin(&pair[0], at);
        if (at > pair[1]) atomicMax(&pair[1], at);
    }
}
