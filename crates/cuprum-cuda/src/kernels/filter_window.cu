// Filters over the places of a window: sums of products, extrema, extrema of sums.
//
// Before this text: WINDOW_OP, `Out`, filter.cuh and filter_window.cuh with their own.

#define CORRELATE 0
#define MINIMUM 1
#define MAXIMUM 2
#define MINIMUM_PLUS 3
#define MAXIMUM_PLUS 4

template <class Read> inline Held folded_window(Read read, const Place *places, i64 count) {
#if WINDOW_OP == CORRELATE
    Held sum = 0;
#pragma unroll 4
    for (i64 k = 0; k < count; k++) {
        Place place = places[k];
        sum += read(k, place) * place.number;
    }
    return sum;
#elif WINDOW_OP == MINIMUM || WINDOW_OP == MAXIMUM
    Held best = read(0, places[0]);
#pragma unroll 4
    for (i64 k = 1; k < count; k++) {
        Held x = read(k, places[k]);
        best = WINDOW_OP == MINIMUM ? smaller(best, x) : larger(best, x);
    }
    return best;
#else
    Held best = read(0, places[0]) + places[0].number;
#pragma unroll 4
    for (i64 k = 1; k < count; k++) {
        Place place = places[k];
        Held x = read(k, place) + place.number;
        // A NaN takes over, and one that is best already stays: nothing compares with it.
        bool stays = best != best || (WINDOW_OP == MINIMUM_PLUS ? x >= best : x <= best);
        best = stays ? best : x;
    }
    return best;
#endif
}

extern "C" __global__ void filter_window(const In *input, Out *out, const Geometry geometry, const Places places,
                                         i64 count, u32 extension, Fill fill, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Window window(geometry, input, i);
    Held result;
    if (window.inside) {
        result = folded_window(Inside{window.first}, places.place, count);
    } else {
        AtEdge edge = {geometry, window, input, places.along, extension, held_fill(fill)};
        result = folded_window(edge, places.place, count);
    }
#if KEYS
    out[i] = element_of(result);
#else
    out[i] = narrowed_to<Out>(result);
#endif
}
