// Windows of several axes: where an output's window begins and how its places are read.
//
// Before this text: AXES, `Index`, which numbers the outputs, and filter.cuh with its own.

struct Geometry {
    i64 in_length[AXES], in_step[AXES], out_length[AXES], window[AXES], start[AXES];
};

// A place that counts: how far it is from the window's first one, in elements, and the number that goes with it.
struct alignas(16) Place {
    i64 offset;
    f64 number;
};

// The places, and the position of each along every axis.
struct Places {
    const Place *place;
    const i32 *along;
};

// An output's window.
struct Window {
    i64 begin[AXES];
    const In *first;
    bool inside;

    Window(const Geometry &geometry, const In *input, Index i) {
        i64 offset = 0;
        inside = true;
#pragma unroll
        for (int axis = AXES - 1; axis >= 0; axis--) {
            Index next = axis == 0 ? 0 : i / (Index)geometry.out_length[axis];
            begin[axis] = (i64)(i - next * (Index)geometry.out_length[axis]) + geometry.start[axis];
            inside = inside && begin[axis] >= 0 && begin[axis] + geometry.window[axis] <= geometry.in_length[axis];
            offset += begin[axis] * geometry.in_step[axis];
            i = next;
        }
        first = input + offset;
    }
};

struct Inside {
    const In *first;
    Held operator()(i64, const Place &place) const { return held(first[place.offset]); }
};

struct AtEdge {
    const Geometry &geometry;
    const Window &window;
    const In *input;
    const i32 *along;
    u32 extension;
    Held fill;
    Held operator()(i64 k, const Place &) const {
        i64 offset = 0;
        bool filled = false;
#pragma unroll
        for (int axis = 0; axis < AXES; axis++) {
            i64 at = position(window.begin[axis] + along[k * AXES + axis], geometry.in_length[axis], extension);
            filled = filled || at < 0;
            offset += at * geometry.in_step[axis];
        }
        return filled ? fill : held(input[offset]);
    }
};
