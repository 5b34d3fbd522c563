// cub::BlockRadixSort and cub::BlockMergeSort: both stable.
#ifndef __CUPRUM_CUB_BLOCK_SORT_CUH
#define __CUPRUM_CUB_BLOCK_SORT_CUH
#include <cub/block/block_scan.cuh>
namespace cub {
namespace detail {
// Keys as unsigned numbers in the same order.
template <class T> struct RadixKey;
#define __CUPRUM_RADIX(Type, Unsigned, flip)                                                                  \
    template <> struct RadixKey<Type> {                                                                       \
        typedef Unsigned Bits;                                                                                \
        static __device__ Bits of(Type key) { return (Bits)((Bits)key ^ (Bits)flip); }                        \
        static __device__ Type back(Bits bits) { return (Type)(Bits)(bits ^ (Bits)flip); }                    \
        static __device__ Bits digits(Bits bits) { return bits; }                                             \
    };
__CUPRUM_RADIX(bool, unsigned char, 0)
__CUPRUM_RADIX(char, unsigned char, 0x80)
__CUPRUM_RADIX(signed char, unsigned char, 0x80)
__CUPRUM_RADIX(unsigned char, unsigned char, 0)
__CUPRUM_RADIX(short, unsigned short, 0x8000)
__CUPRUM_RADIX(unsigned short, unsigned short, 0)
__CUPRUM_RADIX(int, unsigned int, 0x80000000u)
__CUPRUM_RADIX(unsigned int, unsigned int, 0)
__CUPRUM_RADIX(long, unsigned long, 0x8000000000000000ul)
__CUPRUM_RADIX(unsigned long, unsigned long, 0)
__CUPRUM_RADIX(long long, unsigned long long, 0x8000000000000000ull)
__CUPRUM_RADIX(unsigned long long, unsigned long long, 0)
#undef __CUPRUM_RADIX
// Negative floats have all their bits turned, others the sign. Both zeros sort alike.
#define __CUPRUM_RADIX(Type, Unsigned, sign, to_bits, of_bits)                                                \
    template <> struct RadixKey<Type> {                                                                       \
        typedef Unsigned Bits;                                                                                \
        static __device__ Bits of(Type key) {                                                                 \
            Bits bits = (Bits)to_bits(key);                                                                   \
            return bits & sign ? ~bits : bits | sign;                                                         \
        }                                                                                                     \
        static __device__ Type back(Bits bits) { return of_bits(bits & sign ? bits ^ sign : ~bits); }         \
        static __device__ Bits digits(Bits bits) { return bits == (Bits)~sign ? sign : bits; }                \
    };
__CUPRUM_RADIX(float, unsigned int, 0x80000000u, __float_as_uint, __uint_as_float)
__CUPRUM_RADIX(double, unsigned long long, 0x8000000000000000ull, __double_as_longlong, __longlong_as_double)
#undef __CUPRUM_RADIX
}

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int RADIX_BITS = 4,
          bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int SMEM_CONFIG = 0, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixSort {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static const int N = ITEMS_PER_THREAD;
    static const int DIGITS = 1 << RADIX_BITS;
    typedef detail::RadixKey<KeyT> Radix;
    typedef typename Radix::Bits Bits;
    typedef BlockScan<int, BLOCK_DIM_X, BLOCK_SCAN_WARP_SCANS, BLOCK_DIM_Y, BLOCK_DIM_Z> Scan;

public:
    struct TempStorage {
        typename Scan::TempStorage scan;
        int counts[DIGITS * THREADS];
        Bits keys[THREADS * ITEMS_PER_THREAD];
        ValueT values[THREADS * ITEMS_PER_THREAD];
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    // Where each of the thread's elements goes, by one digit: counts of all digits and threads are summed, digit by digit.
    __device__ void rank(Bits (&keys)[ITEMS_PER_THREAD], int (&ranks)[ITEMS_PER_THREAD], int bit, int bits, bool descending) {
        int digits[ITEMS_PER_THREAD];
        for (int d = 0; d < DIGITS; ++d) temp.counts[d * THREADS + thread] = 0;
        for (int i = 0; i < N; ++i) {
            int digit = (int)((Radix::digits(keys[i]) >> bit) & (Bits)((1 << bits) - 1));
            digits[i] = descending ? DIGITS - 1 - digit : digit;
            ranks[i] = temp.counts[digits[i] * THREADS + thread];
            temp.counts[digits[i] * THREADS + thread] = ranks[i] + 1;
        }
        __syncthreads();
        int sum = 0, before;
        for (int i = 0; i < DIGITS; ++i) sum += temp.counts[thread * DIGITS + i];
        Scan(temp.scan).ExclusiveSum(sum, before);
        for (int i = 0; i < DIGITS; ++i) {
            int count = temp.counts[thread * DIGITS + i];
            temp.counts[thread * DIGITS + i] = before;
            before += count;
        }
        __syncthreads();
        for (int i = 0; i < N; ++i) ranks[i] += temp.counts[digits[i] * THREADS + thread];
        __syncthreads();
    }
    template <bool with_values>
    __device__ void sort(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD], int begin, int end,
                         bool descending, bool striped) {
        Bits bits[ITEMS_PER_THREAD];
        int ranks[ITEMS_PER_THREAD];
        for (int i = 0; i < N; ++i) bits[i] = Radix::of(keys[i]);
        for (int bit = begin; bit < end; bit += RADIX_BITS) {
            rank(bits, ranks, bit, end - bit < RADIX_BITS ? end - bit : RADIX_BITS, descending);
            bool last = bit + RADIX_BITS >= end;
            for (int i = 0; i < N; ++i) {
                temp.keys[ranks[i]] = bits[i];
                if (with_values) temp.values[ranks[i]] = values[i];
            }
            __syncthreads();
            for (int i = 0; i < N; ++i) {
                int from = last && striped ? thread + i * THREADS : thread * N + i;
                bits[i] = temp.keys[from];
                if (with_values) values[i] = temp.values[from];
            }
            __syncthreads();
        }
        for (int i = 0; i < N; ++i) keys[i] = Radix::back(bits[i]);
    }

public:
    __device__ BlockRadixSort() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockRadixSort(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

#define __CUPRUM_SORT(Name, descending, striped)                                                               \
    __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {  \
        ValueT none[ITEMS_PER_THREAD];                                                                         \
        sort<false>(keys, none, begin_bit, end_bit, descending, striped);                                      \
    }                                                                                                          \
    __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD],                   \
                         int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {                                  \
        sort<true>(keys, values, begin_bit, end_bit, descending, striped);                                     \
    }
    __CUPRUM_SORT(Sort, false, false)
    __CUPRUM_SORT(SortDescending, true, false)
    __CUPRUM_SORT(SortBlockedToStriped, false, true)
    __CUPRUM_SORT(SortDescendingBlockedToStriped, true, true)
#undef __CUPRUM_SORT
};

template <class KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, class ValueT = NullType, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockMergeSort {
    static const int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    static const int N = ITEMS_PER_THREAD;

public:
    struct TempStorage {
        KeyT keys[THREADS * ITEMS_PER_THREAD];
        ValueT values[THREADS * ITEMS_PER_THREAD];
    };

private:
    TempStorage& temp;
    int thread;

    static __device__ TempStorage& own_storage() {
        __shared__ TempStorage own;
        return own;
    }
    // How many of the keys from `first` to `last` come before `key`; equal ones too if `with_equal`.
    template <class Less> __device__ int before(const KeyT& key, int first, int last, bool with_equal, Less less) {
        int low = first;
        while (low < last) {
            int middle = low + (last - low) / 2;
            bool goes_first = with_equal ? !less(key, temp.keys[middle]) : less(temp.keys[middle], key);
            if (goes_first) low = middle + 1;
            else last = middle;
        }
        return low - first;
    }
    template <bool with_values, class Less>
    __device__ void sort(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD], Less less, int count) {
        int own = count - thread * N < N ? count - thread * N : N;
        for (int i = 1; i < own; ++i) {
            for (int j = i; j > 0 && less(keys[j], keys[j - 1]); --j) {
                KeyT key = keys[j];
                keys[j] = keys[j - 1];
                keys[j - 1] = key;
                if (with_values) {
                    ValueT value = values[j];
                    values[j] = values[j - 1];
                    values[j - 1] = value;
                }
            }
        }
        for (int width = N; width < THREADS * N; width *= 2) {
            for (int i = 0; i < N; ++i) {
                if (thread * N + i < count) temp.keys[thread * N + i] = keys[i];
            }
            __syncthreads();
            int places[ITEMS_PER_THREAD];
            for (int i = 0; i < N; ++i) {
                int at = thread * N + i, run = at / width, start = run * width;
                bool is_left = run % 2 == 0;
                int other = is_left ? start + width : start - width;
                int first = other < count ? other : count, last = other + width < count ? other + width : count;
                int pair = is_left ? start : start - width;
                places[i] = at >= count ? at : pair + (at - start) + before(keys[i], first, last, !is_left, less);
            }
            __syncthreads();
            for (int i = 0; i < N; ++i) {
                if (thread * N + i >= count) continue;
                temp.keys[places[i]] = keys[i];
                if (with_values) temp.values[places[i]] = values[i];
            }
            __syncthreads();
            for (int i = 0; i < N; ++i) {
                if (thread * N + i >= count) continue;
                keys[i] = temp.keys[thread * N + i];
                if (with_values) values[i] = temp.values[thread * N + i];
            }
            __syncthreads();
        }
    }

public:
    __device__ BlockMergeSort() : temp(own_storage()), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockMergeSort(TempStorage& storage)
        : temp(storage), thread(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}

#define __CUPRUM_SORT(Name)                                                                                    \
    template <class Less> __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], Less less) {                    \
        ValueT none[ITEMS_PER_THREAD];                                                                         \
        sort<false>(keys, none, less, THREADS * N);                                                            \
    }                                                                                                          \
    template <class Less>                                                                                      \
    __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], Less less, int valid_items, KeyT oob_default) {       \
        ValueT none[ITEMS_PER_THREAD];                                                                         \
        for (int i = 0; i < N; ++i) {                                                                          \
            if (thread * N + i >= valid_items) keys[i] = oob_default;                                          \
        }                                                                                                      \
        sort<false>(keys, none, less, valid_items);                                                            \
    }                                                                                                          \
    template <class Less>                                                                                      \
    __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD], Less less) {      \
        sort<true>(keys, values, less, THREADS * N);                                                           \
    }                                                                                                          \
    template <class Less>                                                                                      \
    __device__ void Name(KeyT (&keys)[ITEMS_PER_THREAD], ValueT (&values)[ITEMS_PER_THREAD], Less less,        \
                         int valid_items, KeyT oob_default) {                                                  \
        for (int i = 0; i < N; ++i) {                                                                          \
            if (thread * N + i >= valid_items) keys[i] = oob_default;                                          \
        }                                                                                                      \
        sort<true>(keys, values, less, valid_items);                                                           \
    }
    __CUPRUM_SORT(Sort)
    __CUPRUM_SORT(StableSort)
#undef __CUPRUM_SORT
};
}
#endif
