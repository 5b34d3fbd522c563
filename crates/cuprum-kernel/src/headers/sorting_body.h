// Sorting and merging of ranges by one thread, for <cuprum/algorithms.h>, which includes this at its end: stable and in place,
// by insertion for short ranges, then by merges with rotation.
namespace __cuprum_algorithms {
// What is sorted: keys, or keys with values that go along with them.
template <class K, class Less> struct Keys {
    K keys;
    Less less;
    __host__ __device__ bool before(ptrdiff_t i, ptrdiff_t j) { return less(keys[i], keys[j]); }
    __host__ __device__ void swap(ptrdiff_t i, ptrdiff_t j) { iter_swap(keys + i, keys + j); }
};
template <class K, class V, class Less> struct KeysWithValues {
    K keys;
    V values;
    Less less;
    __host__ __device__ bool before(ptrdiff_t i, ptrdiff_t j) { return less(keys[i], keys[j]); }
    __host__ __device__ void swap(ptrdiff_t i, ptrdiff_t j) {
        iter_swap(keys + i, keys + j);
        iter_swap(values + i, values + j);
    }
};
template <class Range> __CUPRUM_FN void reverse_range(Range& range, ptrdiff_t first, ptrdiff_t last) {
    for (--last; first < last; ++first, --last) range.swap(first, last);
}
// Merges two sorted parts that lie side by side. The larger part is halved; what lies between the cuts is rotated, and
// two smaller merges are left. The larger of them waits: so no more wait than a length has bits. A function that called
// itself would need a stack whose size a GPU cannot know.
template <class Range>
__CUPRUM_FN void merge_in_place(Range& range, ptrdiff_t first, ptrdiff_t middle, ptrdiff_t last) {
    ptrdiff_t waiting[3 * 48];
    int count = 0;
    while (true) {
        if (first >= middle || middle >= last) {
            if (count == 0) return;
            last = waiting[--count];
            middle = waiting[--count];
            first = waiting[--count];
            continue;
        }
        ptrdiff_t cut1, cut2;
        bool from_left = middle - first > last - middle;
        if (from_left) {
            cut1 = first + (middle - first) / 2;
            ptrdiff_t low = middle, n = last - middle;
            while (n > 0) {
                ptrdiff_t half = n / 2;
                if (range.before(low + half, cut1)) {
                    low += half + 1;
                    n -= half + 1;
                } else {
                    n = half;
                }
            }
            cut2 = low;
        } else {
            cut2 = middle + (last - middle) / 2;
            ptrdiff_t low = first, n = middle - first;
            while (n > 0) {
                ptrdiff_t half = n / 2;
                if (!range.before(cut2, low + half)) {
                    low += half + 1;
                    n -= half + 1;
                } else {
                    n = half;
                }
            }
            cut1 = low;
            ++cut2;
        }
        reverse_range(range, cut1, middle);
        reverse_range(range, middle, cut2);
        reverse_range(range, cut1, cut2);
        ptrdiff_t joint = cut1 + (cut2 - middle);
        // The element that was cut at has its place.
        ptrdiff_t left_last = from_left ? joint : joint - 1, right_first = from_left ? joint + 1 : joint;
        bool left_waits = left_last - first > last - right_first;
        waiting[count++] = left_waits ? first : right_first;
        waiting[count++] = left_waits ? cut1 : cut2;
        waiting[count++] = left_waits ? left_last : last;
        if (left_waits) {
            first = right_first;
            middle = cut2;
        } else {
            middle = cut1;
            last = left_last;
        }
    }
}
template <class Range> __CUPRUM_FN void sort_range(Range range, ptrdiff_t n) {
    const ptrdiff_t run = 16;
    for (ptrdiff_t start = 0; start < n; start += run) {
        ptrdiff_t end = start + run < n ? start + run : n;
        for (ptrdiff_t i = start + 1; i < end; ++i) {
            for (ptrdiff_t j = i; j > start && range.before(j, j - 1); --j) range.swap(j, j - 1);
        }
    }
    for (ptrdiff_t width = run; width < n; width *= 2) {
        for (ptrdiff_t start = 0; start + width < n; start += 2 * width) {
            ptrdiff_t end = start + 2 * width < n ? start + 2 * width : n;
            merge_in_place(range, start, start + width, end);
        }
    }
}
template <class It, class Less> __CUPRUM_FN void stable_sort(It first, It last, Less less) {
    sort_range(Keys<It, Less>{first, less}, last - first);
}
template <class It> __CUPRUM_FN void stable_sort(It first, It last) { stable_sort(first, last, less_of<It>()); }
template <class It, class Less> __CUPRUM_FN void sort(It first, It last, Less less) { stable_sort(first, last, less); }
template <class It> __CUPRUM_FN void sort(It first, It last) { stable_sort(first, last, less_of<It>()); }
template <class K, class V, class Less> __CUPRUM_FN void stable_sort_by_key(K first, K last, V values, Less less) {
    sort_range(KeysWithValues<K, V, Less>{first, values, less}, last - first);
}
template <class K, class V> __CUPRUM_FN void stable_sort_by_key(K first, K last, V values) {
    stable_sort_by_key(first, last, values, less_of<K>());
}
template <class K, class V, class Less> __CUPRUM_FN void sort_by_key(K first, K last, V values, Less less) {
    stable_sort_by_key(first, last, values, less);
}
template <class K, class V> __CUPRUM_FN void sort_by_key(K first, K last, V values) {
    stable_sort_by_key(first, last, values, less_of<K>());
}
}
