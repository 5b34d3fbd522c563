// Connected components by union and find. Each set element has a parent, an element of the same component that does not come
// after it; the first element of a component is its own parent. Elements that are not set have the parent -1.
//
// Threads unite components at the same time: a root changes by an atomic minimum alone, so parents only ever move to earlier
// elements of their component, and the result does not depend on the order.

template <class I> struct Neighbours {
    I n;         // elements in all
    I row;       // length of the last axis
    I chunk;     // elements of a row that one thread begins with
    int axes;    // axes before the last
    int count;   // neighbours that come before an element
    bool left;   // whether the one before it in the row is among them
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

// The parents to begin with: the first element of a run within a chunk of a row.
template <class I> __global__ void begin_runs(const bool* set, I* parent, const Neighbours<I> shape) {
    I chunks = (shape.row + shape.chunk - 1) / shape.chunk;
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (thread >= (long long)(shape.n / shape.row) * chunks) return;
    I first = (I)(thread / chunks) * shape.row, begin = (I)(thread % chunks) * shape.chunk;
    I end = begin + shape.chunk < shape.row ? begin + shape.chunk : shape.row;
    I run = -1;
    for (I i = first + begin; i < first + end; i++) {
        run = !set[i] ? -1 : run >= 0 && shape.left ? run : i;
        parent[i] = run;
    }
}

// Unites the elements of a chunk with the neighbours before them. `offsets` holds how far each neighbour lies back, `steps` the
// steps to it along each axis, `dims` the lengths of the axes.
template <class I>
__global__ void unite_neighbours(I* parent, const I* offsets, const signed char* steps, const I* dims, const Neighbours<I> shape) {
    I chunks = (shape.row + shape.chunk - 1) / shape.chunk;
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (thread >= (long long)(shape.n / shape.row) * chunks) return;
    I line = (I)(thread / chunks), begin = (I)(thread % chunks) * shape.chunk;
    I end = begin + shape.chunk < shape.row ? begin + shape.chunk : shape.row;
    I* row = parent + line * shape.row;
    // A run that goes on from the chunk before is united with it.
    if (shape.left && begin > 0 && row[begin] >= 0 && row[begin - 1] >= 0)
        unite(parent, line * shape.row + begin - 1, line * shape.row + begin);
    for (int k = 0; k < shape.count; k++) {
        const signed char* step = steps + k * (shape.axes + 1);
        I rest = line;
        bool inside = true;
        for (int axis = shape.axes - 1; axis >= 0; axis--) {
            I at = rest % dims[axis] + step[axis];
            rest /= dims[axis];
            inside = inside && at >= 0 && at < dims[axis];
        }
        if (!inside) continue;
        I by = step[shape.axes], back = offsets[k];
        I first = begin < -by ? -by : begin, last = end < shape.row - by ? end : shape.row - by;
        // Of neighbours that are set one after the other along both rows, the first two are enough: the runs are united already.
        bool before = shape.left && first > 0 && first + by > 0 && row[first - 1] >= 0 && row[first - 1 - back] >= 0;
        for (I x = first; x < last; x++) {
            bool both = row[x] >= 0 && row[x - back] >= 0;
            if (both && !before) unite(parent, line * shape.row + x - back, line * shape.row + x);
            before = both && shape.left;
        }
    }
}

// Points every element at its root, and says which elements are roots.
template <class I> __global__ void find_roots(const I* parent, I* root, bool* is_root, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    I found = parent[i] < 0 ? (I)-1 : root_of(parent, (I)i);
    root[i] = found;
    is_root[i] = found == (I)i;
}

// Numbers components by their first elements.
template <class I, class Out>
__global__ void number_components(const I* root, const I* number, Out* label, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) label[i] = root[i] < 0 ? (Out)0 : (Out)number[root[i]];
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
