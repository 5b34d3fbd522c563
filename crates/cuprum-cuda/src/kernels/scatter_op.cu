// Combines values with the elements of a strided array that index tuples point at: every tuple has its turn.
//
// Before this text: rows.cuh with its own; `Target`, the array's type, `Inner`, that of the values, in which `combined` is
// computed; ATOMIC, what changes an element where the order of turns does not matter; `Key`, which numbers the places.

#define IN_ORDER 0  // it does matter: places are sorted
#define EXCHANGE 1  // compare and exchange
#define ADD 2
#define SUBTRACT 3
#define MAXIMUM 4
#define MINIMUM 5
#define AND 6
#define OR 7
#define XOR 8

inline Target turned(Target x, Inner value) { return cast<Target>(combined(cast<Inner>(x), value)); }

#if ATOMIC
inline void change(Target *at, Inner value) {
#if ATOMIC == ADD
    atomicAdd((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == SUBTRACT
    atomicAdd((word_of<Target> *)at, (word_of<Target>)(0 - (word_of<Target>)value));
#elif ATOMIC == MAXIMUM
    atomicMax(at, value);
#elif ATOMIC == MINIMUM
    atomicMin(at, value);
#elif ATOMIC == AND
    atomicAnd((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == OR
    atomicOr((word_of<Target> *)at, (word_of<Target>)value);
#elif ATOMIC == XOR
    atomicXor((word_of<Target> *)at, (word_of<Target>)value);
#else
    // The word that holds the element, and how far up it stands in there.
    typedef word_of<Target> Bits;
    if constexpr (sizeof(Target) == 8) {
        u64 *word = (u64 *)at, seen = *(volatile u64 *)word, before;
        do {
            before = seen;
            seen = atomicCAS(word, before, (u64)(Bits)turned((Target)(Bits)before, value));
        } while (seen != before);
    } else {
        u32 shift = 8 * (u32)((u64)at & 3);
        u32 *word = (u32 *)((u64)at & ~3ull), seen = *(volatile u32 *)word, before;
        u32 others = ~((u32)(Bits)~(Bits)0 << shift);
        do {
            before = seen;
            u32 after = (u32)(Bits)turned((Target)(Bits)(before >> shift), value) << shift;
            seen = atomicCAS(word, before, (before & others) | after);
        } while (seen != before);
    }
#endif
}

extern "C" __global__ void change_rows(char *target, const Inner *values, u64 value_step, const Place place,
                                       const Row row, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    Index k = i / (Index)row.units, r = i - k * (Index)row.units;
    change((Target *)(target + row_offset(place, k) + unit_offset(row, r)), values[(u64)k * value_step + r]);
}
#else
// Numbers the places that tuples point at.
extern "C" __global__ void number_places(const Place place, u64 count, Key *keys) {
    u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    u64 position = 0;
#pragma unroll
    for (int axis = 0; axis < INDICES; axis++)
        position = position * (u64)place.length[axis] + (u64)place.index[axis][k];
    keys[k] = (Key)position;
}

extern "C" __global__ void order_keys(const Key *keys, const i64 *order, u64 count, Key *sorted) {
    u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (s < count) sorted[s] = keys[order[s]];
}

// The value of another lane, word by word.
template <class T> inline T from_lane(T x, u32 lane) {
    if constexpr (sizeof(T) < 4) {
        union { u32 word; T value; } box = {0};
        box.value = x;
        box.word = __shfl_sync(~0u, box.word, (int)lane);
        return box.value;
    } else {
        union Box {
            u32 words[sizeof(T) / 4];
            T value;
            Box() {}
        } box;
        box.value = x;
#pragma unroll
        for (u32 w = 0; w < sizeof(T) / 4; w++) box.words[w] = __shfl_sync(~0u, box.words[w], (int)lane);
        return box.value;
    }
}

#define ALONE 64

// Single elements, in the order of their places and then of their tuples. The thread at a place's first tuple takes a
// number of turns; where more are left, its warp goes on, reading 32 values at a time.
extern "C" __global__ void fold_elements(char *target, const Inner *values, u64 value_step, const Place place,
                                         const Key *keys, const i64 *order, u64 count) {
    u64 s = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    u32 lane = threadIdx.x & 31;
    bool going = s < count && (s == 0 || keys[s - 1] != keys[s]);
    Target x;
    Target *at = 0;
    Key key = 0;
    if (going) {
        key = keys[s];
        at = (Target *)(target + row_offset(place, (Index)order[s]));
        x = *at;
        for (u32 turn = 0; turn < ALONE && going; turn++) {
            x = turned(x, values[(u64)order[s] * value_step]);
            s++;
            going = s < count && keys[s] == key;
        }
        if (!going) *at = x;
    }
    for (u32 left = __ballot_sync(~0u, going); left; left &= left - 1) {
        u32 whose = (u32)__ffs((int)left) - 1;
        Target sum = from_lane(x, whose);
        Key sought = from_lane(key, whose);
        u64 next = from_lane(s, whose) + lane;
        u32 found;
        do {
            bool is_its = next < count && keys[next] == sought;
            Inner value = {};
            if (is_its) value = values[(u64)order[next] * value_step];
            found = (u32)__popc(__ballot_sync(~0u, is_its));
            for (u32 j = 0; j < found; j++) sum = turned(sum, from_lane(value, j));
            next += 32;
        } while (found == 32);
        if (lane == whose) *at = sum;
    }
}

// Rows: a thread for each element of each place's first tuple.
extern "C" __global__ void fold_rows(char *target, const Inner *values, u64 value_step, const Place place,
                                     const Row row, const Key *keys, const i64 *order, u64 count, u64 total) {
    Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    u64 s = i / (Index)row.units;
    Index r = i - (Index)s * (Index)row.units;
    Key key = keys[s];
    if (s > 0 && keys[s - 1] == key) return;
    Target *at = (Target *)(target + row_offset(place, (Index)order[s]) + unit_offset(row, r));
    Target x = *at;
    do {
        x = turned(x, values[(u64)order[s] * value_step + r]);
        s++;
    } while (s < count && keys[s] == key);
    *at = x;
}
#endif
