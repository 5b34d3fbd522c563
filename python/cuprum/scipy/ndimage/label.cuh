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

// The kernels by rows are for CPUs, where a thread walks along a row, eight elements at a time as bits where they are aligned: where a
// run begins or ends in noise no processor can guess.
struct Bits {
    unsigned set, count;  // which of so many elements are set, the first one lowest

    __device__ Bits(const bool* at, long long left) {
        const bool whole = left >= 8 && (unsigned long long)at % 8 == 0;
        set = whole ? (unsigned)((*(const unsigned long long*)at * 0x0102040810204080ull) >> 56) : (unsigned)*at;
        count = whole ? 8 : 1;
    }
    // The same for the elements before them.
    __device__ unsigned before(unsigned last) const { return set << 1 | last; }
    __device__ unsigned last() const { return set >> (count - 1); }
};

// How many runs each row has; where elements beside each other are not joined, each is a run of its own.
template <class I> __global__ void count_runs(const bool* set, I* count, I row, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const bool* mine = set + line * row;
    I found = 0;
    unsigned last = 0;
    for (I x = 0; x < row;) {
        Bits bits(mine + x, row - x);
        found += __popc(joined ? bits.set & ~bits.before(last) : bits.set);
        last = bits.last();
        x += bits.count;
    }
    count[line] = found;
}

// Writes the places of at most MOST bits one after the other from `to[at]` on, before `to[last]`, and returns where the next one
// goes.
template <int MOST, class I> __device__ I list_bits(I* to, I at, I last, unsigned bits, I place) {
    if (at + MOST <= last) {
        // A place is written over where it does not count.
        #pragma unroll
        for (int i = 0; i < MOST; i++) {
            to[at] = place + (I)__ffs((int)bits) - 1;
            at += (I)(bits != 0);
            bits &= bits - 1;
        }
        return at;
    }
    for (int i = 0; bits; i++, bits >>= 1) {
        if (bits & 1) to[at++] = place + i;
    }
    return at;
}

// The runs of each row, which begin at number `first[line]`.
template <class I>
__global__ void list_runs(const bool* set, const I* first, I* start, I* end, I row, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const bool* mine = set + line * row;
    I base = (I)(line * row), begun = first[line], ended = begun, stop = first[line + 1];
    unsigned last = 0;
    for (I x = 0; x < row;) {
        Bits bits(mine + x, row - x);
        unsigned before = bits.before(last), all = (1u << bits.count) - 1;
        unsigned begins = joined ? bits.set & ~before : bits.set, ends = (joined ? before & ~bits.set : before) & all;
        if (begins | ends) {
            // Of eight elements at most four begin a run that is joined, and four end one.
            if (joined) {
                begun = list_bits<4>(start, begun, stop, begins, (I)(base + x));
                ended = list_bits<4>(end, ended, stop, ends, (I)(base + x));
            } else {
                begun = list_bits<8>(start, begun, stop, begins, (I)(base + x));
                ended = list_bits<8>(end, ended, stop, ends, (I)(base + x));
            }
        }
        last = bits.last();
        x += bits.count;
    }
    if (last) end[ended] = base + row;
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
    const bool* mine = set + line * row;
    I* out = labels + line * row;
    I run = first[line];
    unsigned last = 0;
    for (I x = 0; x < row;) {
        Bits bits(mine + x, row - x);
        unsigned begins = joined ? bits.set & ~bits.before(last) : bits.set;
        if (bits.count == 8 && begins == 0 && (bits.set == 0 || bits.set == 255)) {
            // Within a run, or between two.
            I number = bits.set ? numbers[run] : 0;
            #pragma unroll
            for (int i = 0; i < 8; i++) out[x + i] = number;
        } else {
            for (unsigned i = 0; i < bits.count; i++) {
                run += (I)(begins >> i & 1);
                out[x + i] = numbers[run & -(I)(bits.set >> i & 1)];
            }
        }
        last = bits.last();
        x += bits.count;
    }
}

// Components numbered by their first runs, by one thread: a run's parent comes before it, so that it has its number by then.
template <class I> __global__ void number_runs(const I* parent, I* numbers, I* count, long long runs) {
    I found = 0;
    numbers[0] = 0;
    for (I i = 0; i < (I)runs; i++) {
        I up = parent[i];
        I number = numbers[up + 1];
        bool is_root = up == i;
        found += (I)is_root;
        numbers[i + 1] = is_root ? found : number;
    }
    count[0] = found;
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
