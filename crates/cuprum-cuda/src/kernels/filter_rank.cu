// The element of a rank among the places of a window, as a key.
//
// Before this text: COUNT and RANK for small windows, where both are part of the text, or COUNT 0; filter.cuh and
// filter_window.cuh and filter_selection.cuh with their own.

// A window's keys, wherever it lies.
struct WindowKeys {
    const Window &window;
    const AtEdge &edge;
    const Place *places;
    Held operator()(i64 k) const { return window.inside ? held(window.first[places[k].offset]) : edge(k, places[k]); }
};

#if !COUNT
// The bits of the element sought, from the highest down: each is one if no more than `rank` elements lie below it. Bits
// that all elements share are not looked for.
template <class Read> inline Held ranked_by_bits(Read read, i64 count, i64 rank) {
    typedef word_of<Held> Word;
    constexpr Word flip = is_signed<Held> ? (Word)((Word)1 << (8 * sizeof(Word) - 1)) : (Word)0;
    Word all = (Word)read(0) ^ flip, any = all;
    for (i64 k = 1; k < count; k++) {
        Word word = (Word)read(k) ^ flip;
        all &= word;
        any |= word;
    }
    Word open = all ^ any;
    Word found = all;
    // Below the highest bit in which two elements differ nothing is known yet.
    int bit = open ? 63 - __clzll((i64)(u64)open) : -1;
    if (bit >= 0) found &= (Word) ~(((Word)1 << bit) | (((Word)1 << bit) - 1));
    for (; bit >= 0; bit--) {
        Word candidate = found | (Word)((Word)1 << bit);
        i64 below = 0;
#pragma unroll 4
        for (i64 k = 0; k < count; k++) below += ((Word)read(k) ^ flip) < candidate;
        if (below <= rank) found = candidate;
    }
    return (Held)(found ^ flip);
}
#endif

extern "C" __global__ void filter_rank(const In *input, In *out, const Geometry geometry, const Places places,
                                       i64 count, i64 rank, u32 extension, Fill fill, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Window window(geometry, input, i);
    AtEdge edge = {geometry, window, input, places.along, extension, held_fill(fill)};
    WindowKeys keys = {window, edge, places.place};
#if COUNT
    Held kept[COUNT / 2 + 2];
    Held result = selected<COUNT, COUNT, 0, RANK, COUNT - 1 - RANK>(kept, keys);
#else
    Held result = ranked_by_bits(keys, count, rank);
#endif
    out[i] = element_of(result);
}
