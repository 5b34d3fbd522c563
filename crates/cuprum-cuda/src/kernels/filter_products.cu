// Sums of products with an array of weights, in the arithmetic of the elements: integers wrap, truth is "any of both",
// floats are summed in f64. A window is read row by row along its last axis.
//
// Before this text: `Sum`, what is added up; filter.cuh and filter_window.cuh with their own, `Held` being what elements
// are multiplied in.

inline Sum plus_product(Sum sum, Held a, Held b) {
    if constexpr (same<Held, bool>) return sum || (a && b);
    else return sum + (Sum)a * (Sum)b;
}

struct Weights {
    const In *first;
    i64 rows;
};

extern "C" __global__ void filter_products(const In *input, In *out, const Geometry geometry, const Weights weights,
                                           u32 extension, Fill fill, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Window window(geometry, input, i);
    constexpr int last = AXES - 1;
    i64 length = geometry.window[last];
    const In *weight = weights.first;
    Sum sum = 0;
    for (i64 row = 0; row < weights.rows; row++, weight += length) {
        // The row's first element, and whether it lies in the array along all other axes.
        i64 rest = row, inside_offset = 0, edge_offset = 0;
        bool filled = false;
#pragma unroll
        for (int axis = last - 1; axis >= 0; axis--) {
            i64 along = axis == 0 ? rest : rest % geometry.window[axis];
            if (axis > 0) rest /= geometry.window[axis];
            inside_offset += along * geometry.in_step[axis];
            if (!window.inside) {
                i64 at = position(window.begin[axis] + along, geometry.in_length[axis], extension);
                filled = filled || at < 0;
                edge_offset += at * geometry.in_step[axis];
            }
        }
        if (window.inside) {
            const In *element = window.first + inside_offset;
#pragma unroll 4
            for (i64 k = 0; k < length; k++) sum = plus_product(sum, held(element[k]), held(weight[k]));
        } else {
            for (i64 k = 0; k < length; k++) {
                i64 at = position(window.begin[last] + k, geometry.in_length[last], extension);
                if (extension == NOTHING && (filled || at < 0)) continue;
                Held x = filled || at < 0 ? held_fill(fill) : held(input[edge_offset + at]);
                sum = plus_product(sum, x, held(weight[k]));
            }
        }
    }
    out[i] = cast<In>((Held)sum);
}
