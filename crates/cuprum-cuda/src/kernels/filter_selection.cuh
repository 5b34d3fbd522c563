// Orders among keys in registers: all of it is exchanges of two.
//
// Before this text: filter.cuh with its own.

inline void exchange(Held &low, Held &high) {
    Held least = smaller(low, high);
    high = larger(low, high);
    low = least;
}

// Batcher's sorting network: of the step that compares keys `apart` from each other in runs of 2 `run`, the exchange at `at` and all
// that follow it.
template <int n, int run, int apart, int at> inline void sort_from(Held (&keys)[n]) {
    if constexpr (run >= n) {
        return;
    } else if constexpr (apart == 0) {
        sort_from<n, 2 * run, 2 * run, 0>(keys);
    } else if constexpr (at + apart >= n) {
        sort_from<n, run, apart / 2, 0>(keys);
    } else {
        constexpr int first = apart % run;
        if constexpr (at >= first && (at - first) % (2 * apart) < apart && at / (2 * run) == (at + apart) / (2 * run))
            exchange(keys[at], keys[at + apart]);
        sort_from<n, run, apart, at + 1>(keys);
    }
}
template <int n> inline void sort(Held (&keys)[n]) { sort_from<n, 1, 1, 0>(keys); }

// Of `count` keys that are read one by one, the one with `below` smaller and `above` greater keys. As soon as the smallest
// key kept has too many above it to be that one, or the largest too many below, it is dropped: one is left in the end.
template <int count, int unseen, int kept, int below, int above, class Read>
inline Held selected(Held (&keys)[count / 2 + 2], Read &read) {
    if constexpr (unseen == 0 && kept == 1) {
        return keys[0];
    } else if constexpr (kept > 1 && below > unseen) {
#pragma unroll
        for (int k = 0; k < kept - 1; k++) exchange(keys[kept - 1], keys[k]);
        return selected<count, unseen, kept - 1, below - 1, above>(keys, read);
    } else if constexpr (kept > 1 && above > unseen) {
#pragma unroll
        for (int k = 0; k < kept - 1; k++) exchange(keys[k], keys[kept - 1]);
        return selected<count, unseen, kept - 1, below, above - 1>(keys, read);
    } else {
        keys[kept] = read(count - unseen);
        return selected<count, unseen - 1, kept + 1, below, above>(keys, read);
    }
}
