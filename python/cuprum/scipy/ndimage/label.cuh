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

// Whether the row at these steps from another one lies within the image.
template <class I> __device__ bool has_row_at(I line, const signed char* step, const I* dims, int axes) {
    for (int axis = axes - 1; axis >= 0; axis--) {
        I at = line % dims[axis] + step[axis];
        if (at < 0 || at >= dims[axis]) return false;
        line /= dims[axis];
    }
    return true;
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
        I by = step[image.axes], low = x + by, high = x + (end[run] - start[run]) + by;
        if (low < 0) low = 0;
        if (high > image.row) high = image.row;
        if (low >= high || !has_row_at(line, step, dims, image.axes)) continue;
        I other = (line - back[k]) * image.row;
        // The run that the first element belongs to, or the next one.
        I next = begun[other + low] - 1;
        if (next < 0 || end[next] <= other + low) next++;
        for (; next < image.runs && start[next] < other + high; next++) unite(parent, next, run);
    }
}

// The kernels by rows are for CPUs. They read rows as bits, 32 elements a word, the first one lowest: where a run begins or ends
// in noise no processor can guess.

// Which elements begin a run; where elements beside each other are not joined, each is a run of its own.
__device__ unsigned begins_of(unsigned set, unsigned word_before, bool joined) {
    return joined ? set & ~(set << 1 | word_before >> 31) : set;
}

// How many runs each row has.
template <class I> __global__ void count_runs(const unsigned* bits, I* count, I words, bool joined, long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const unsigned* mine = bits + line * words;
    I found = 0;
    unsigned before = 0;
    for (I at = 0; at < words; at++) {
        unsigned set = mine[at];
        found += __popc(begins_of(set, before, joined));
        before = set;
    }
    count[line] = found;
}

// The root of a run; each run that is passed gets its parent's parent, so that ways stay short.
template <class I> __device__ I near_root_of(I* parent, I i) {
    while (true) {
        I up = parent[i], above = parent[up];
        if (up == above) return up;
        parent[i] = above;
        i = above;
    }
}

// Unites components that no other thread changes meanwhile.
template <class I> __device__ void unite_alone(I* parent, I a, I b) {
    a = near_root_of(parent, a);
    b = near_root_of(parent, b);
    if (a < b) parent[b] = a;
    if (b < a) parent[a] = b;
}

// Unites the runs of rows with those that they touch in rows before them, walking along both. A thread has a strip of rows: it first
// unites runs within the strip, which are its own; where ACROSS, with those of strips before it.
template <bool ACROSS, class I>
__global__ void unite_rows(I* parent, const unsigned* bits, const I* first, const I* back, const signed char* steps, const I* dims,
                           const Image<I> image, I words, bool joined, I strip, I lines) {
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (thread * strip >= lines) return;
    I top = (I)(thread * strip), bottom = lines - top < strip ? lines : top + strip;
    for (int k = 0; k < image.count; k++) {
        const signed char* step = steps + k * (image.axes + 1);
        int by = step[image.axes];
        I split = back[k] < bottom - top ? top + back[k] : bottom;
        for (I line = ACROSS ? top : split; line < (ACROSS ? split : bottom); line++) {
            if (!has_row_at(line, step, dims, image.axes)) continue;
            const unsigned *mine = bits + (long long)line * words, *others = bits + (long long)(line - back[k]) * words;
            // The last runs before a word and before its neighbours in the other row.
            I run = first[line] - 1, other = first[line - back[k]] - 1;
            unsigned set_before = 0, its_before = 0, its_begins_before = 0, meets_before = 0;
            unsigned its = others[0], its_begins = begins_of(its, 0, joined);
            if (by > 0) other += (I)(its_begins & 1);
            for (I at = 0; at < words; at++) {
                unsigned set = mine[at], begins = begins_of(set, set_before, joined);
                unsigned its_next = at + 1 < words ? others[at + 1] : 0, its_begins_next = begins_of(its_next, its, joined);
                unsigned near = its, near_begins = its_begins;
                if (by > 0) {
                    near = its >> 1 | its_next << 31;
                    near_begins = its_begins >> 1 | its_begins_next << 31;
                } else if (by < 0) {
                    near = its << 1 | its_before >> 31;
                    near_begins = its_begins << 1 | its_begins_before >> 31;
                }
                unsigned meets = set & near;
                for (unsigned pairs = begins_of(meets, meets_before, joined); pairs; pairs &= pairs - 1) {
                    unsigned up_to = pairs ^ (pairs - 1);
                    I a = other + (I)__popc(near_begins & up_to), b = run + (I)__popc(begins & up_to);
                    if (ACROSS) unite(parent, a, b);
                    else unite_alone(parent, a, b);
                }
                run += (I)__popc(begins);
                other += (I)__popc(near_begins);
                set_before = set;
                meets_before = meets;
                its_before = its;
                its_begins_before = its_begins;
                its = its_next;
                its_begins = its_begins_next;
            }
        }
    }
}

// The number of each element's component, row by row: `numbers` holds a zero and then that of each run.
template <class I>
__global__ void paint_rows(I* labels, const unsigned* bits, const I* first, const I* numbers, I row, I words, bool joined,
                           long long lines) {
    long long line = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const unsigned* mine = bits + line * words;
    I* out = labels + line * row;
    I run = first[line];
    unsigned before = 0;
    for (I at = 0; at < words; at++) {
        unsigned word = mine[at], word_begins = begins_of(word, before, joined);
        before = word;
        for (I x = at * 32; x < at * 32 + 32 && x < row; x += 8) {
            unsigned set = word & 255, begins = word_begins & 255;
            word >>= 8;
            word_begins >>= 8;
            if (row - x < 8) {
                for (I i = 0; i < row - x; i++) {
                    run += (I)(begins >> i & 1);
                    out[x + i] = numbers[run & -(I)(set >> i & 1)];
                }
            } else if (begins == 0 && (set == 0 || set == 255)) {
                // Within a run, or between two.
                I number = set ? numbers[run] : 0;
                #pragma unroll
                for (int i = 0; i < 8; i++) out[x + i] = number;
            } else {
                #pragma unroll
                for (int i = 0; i < 8; i++) {
                    run += (I)(begins >> i & 1);
                    out[x + i] = numbers[run & -(I)(set >> i & 1)];
                }
            }
        }
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

// The same for a graph in compressed rows, for CPUs: a thread has a stretch of nodes. Most edges lead to where a node already belongs.
template <class I>
__global__ void unite_neighbours(I* parent, const I* start, const I* target, long long stretch, long long nodes) {
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    long long last = (thread + 1) * stretch;
    if (last > nodes) last = nodes;
    for (long long node = thread * stretch; node < last; node++) {
        I root = near_root_of(parent, (I)node);
        for (I edge = start[node], stop = start[node + 1]; edge < stop; edge++) {
            I other = target[edge];
            if (parent[other] == root) continue;
            unite(parent, root, near_root_of(parent, other));
            root = near_root_of(parent, root);
        }
    }
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

// The same for CPUs: a thread has a strip of rows, and looks at the box of a label once for each stretch of a row.
template <class T>
__global__ void widen_bounds(const T* label, long long* bounds, const long long* dims, int axes, long long labels, long long strip,
                             long long lines) {
    long long line = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * strip, end = line + strip, row = dims[axes - 1];
    for (; line < end && line < lines; line++) {
        const T* mine = label + line * row;
        for (long long x = 0; x < row;) {
            const T number = mine[x];
            long long first = x++;
            while (x < row && mine[x] == number) x++;
            if (number < 1 || (unsigned long long)number > (unsigned long long)labels) continue;
            long long low = first, high = x - 1, rest = line;
            long long* pair = bounds + (long long)number * axes * 2;
            for (int axis = axes - 1; axis >= 0; axis--) {
                pair -= 2;
                if (low < pair[0]) atomicMin(&pair[0], low);
                if (high > pair[1]) atomicMax(&pair[1], high);
                if (axis == 0) break;
                low = high = axis == 1 ? rest : rest % dims[axis - 1];
                rest /= dims[axis - 1];
            }
        }
    }
}
