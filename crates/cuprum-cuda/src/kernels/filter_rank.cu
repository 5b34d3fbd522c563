// The element of a rank among the places of a window, as a key.
//
// Before this text: COUNT and RANK for small windows, where both are part of the text, or COUNT 0; filter.cuh and
// filter_window.cuh with their own.

#if COUNT
// Windows inside the array: elements are taken in one by one. As soon as the smallest of those kept has too many above it to be the one sought, or
// the largest too many below, it is forgotten: in the end one is left. All of it is exchanges between registers.
template <int unseen, int kept, int below, int above, class Read>
inline Held selected(Held (&keys)[COUNT / 2 + 2], Read read, const Place *places) {
    if constexpr (unseen == 0 && kept == 1) {
        return keys[0];
    } else if constexpr (kept > 1 && below > unseen) {
#pragma unroll
        for (int k = 0; k < kept - 1; k++) {
            Held low = smaller(keys[k], keys[kept - 1]), high = larger(keys[k], keys[kept - 1]);
            keys[k] = high;
            keys[kept - 1] = low;
        }
        return selected<unseen, kept - 1, below - 1, above>(keys, read, places);
    } else if constexpr (kept > 1 && above > unseen) {
#pragma unroll
        for (int k = 0; k < kept - 1; k++) {
            Held low = smaller(keys[k], keys[kept - 1]), high = larger(keys[k], keys[kept - 1]);
            keys[k] = low;
            keys[kept - 1] = high;
        }
        return selected<unseen, kept - 1, below, above - 1>(keys, read, places);
    } else {
        keys[kept] = read(COUNT - unseen, places[COUNT - unseen]);
        return selected<unseen - 1, kept + 1, below, above>(keys, read, places);
    }
}

#endif

// The bits of the element sought, from the highest down: each is one if no more than `rank` elements lie below it. Bits
// that all elements share are not looked for.
template <class Read> inline Held ranked_by_bits(Read read, const Place *places, i64 count, i64 rank) {
    typedef word_of<Held> Word;
    constexpr Word flip = is_signed<Held> ? (Word)((Word)1 << (8 * sizeof(Word) - 1)) : (Word)0;
    Word all = (Word)read(0, places[0]) ^ flip, any = all;
    for (i64 k = 1; k < count; k++) {
        Word word = (Word)read(k, places[k]) ^ flip;
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
        for (i64 k = 0; k < count; k++) below += ((Word)read(k, places[k]) ^ flip) < candidate;
        if (below <= rank) found = candidate;
    }
    return (Held)(found ^ flip);
}

extern "C" __global__ void filter_rank(const In *input, In *out, const Geometry geometry, const Places places,
                                       i64 count, i64 rank, u32 extension, Fill fill, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Window window(geometry, input, i);
    Held result;
    if (window.inside) {
#if COUNT
        Held keys[COUNT / 2 + 2];
        result = selected<COUNT, 0, RANK, COUNT - 1 - RANK>(keys, Inside{window.first}, places.place);
#else
        result = ranked_by_bits(Inside{window.first}, places.place, count, rank);
#endif
    } else {
        AtEdge edge = {geometry, window, input, places.along, extension, held_fill(fill)};
        result = ranked_by_bits(edge, places.place, count, rank);
    }
    out[i] = element_of(result);
}
