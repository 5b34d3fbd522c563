// Index tuples and the places that they point at, numbered in C order. Before this text: INDICES, the number of index arrays.

struct Tuples {
    const i64 *index[INDICES];
    i64 length[INDICES];
};

inline u64 position_of(const Tuples &tuples, u64 k) {
    u64 position = 0;
#pragma unroll
    for (int axis = 0; axis < INDICES; axis++)
        position = position * (u64)tuples.length[axis] + (u64)tuples.index[axis][k];
    return position;
}
