// Bounded integers by Lemire's method: the upper part of a draw times the number of values is the value, and it counts
// unless the lower part is below a threshold. Units are the draws of a width, cut out of those of 32 bits.

struct Rule {
    u64 offset;
    u64 values;     // How many there are; 0 where every draw is one.
    u64 threshold;  // Lower parts below this are passed over.
};

// A unit's value before the offset. Says whether it counts.
template <class U> bool judged(U unit, u64 values, u64 threshold, u64& value) {
    if (values == 0) {
        value = unit;
        return true;
    }
    if constexpr (same<U, u64>) {
        value = __umul64hi(unit, values);
        return unit * values >= threshold;
    } else if constexpr (same<U, u32>) {
        u64 product = (u64)unit * (u32)values;
        value = product >> 32;
        return (u32)product >= (u32)threshold;
    } else {
        u32 product = (u32)unit * (u32)values;
        value = product >> (8 * sizeof(U));
        return (U)product >= (U)threshold;
    }
}

// How far the stream moved: the words drawn, and the half word that waits. `drawn` units were used, `parts` of them
// to a draw of 32 bits, whose rest is forgotten; 0 where a unit is a word.
inline void report_moved(const Words& stream, u64 drawn, u64 parts, u32 waiting, u32 half, u64* moved) {
    moved[1] = waiting, moved[2] = half;
    if (parts == 0 || drawn == 0) {
        moved[0] = drawn;
        return;
    }
    u64 fresh = (drawn + parts - 1) / parts - waiting, words = (fresh + 1) / 2;
    moved[0] = words, moved[1] = fresh & 1;
    if (fresh == 0) return;
    u64 place = waiting + 2 * words - 1 + stream.shift;
    Block block = block_at(stream, place / 8);
    moved[2] = word_of_block(block, place / 2 % 4) >> (32 * (place % 2));
}
