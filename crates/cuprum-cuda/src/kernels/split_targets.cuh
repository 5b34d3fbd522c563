// The elements that a row is to be split around: what is known of them when they are found.
//
// The text before defines T, KEY (the word that ranks are computed in) and TARGETS (how many they can be).

typedef KEY Key;

struct Split {
    // Their ranks, ascending and each once.
    Key pivots[TARGETS];
    // The start of the elements below the first target, of those equal to it, of those between it and the second, and so
    // on.
    u32 starts[2 * TARGETS + 1];
    u32 count;
};

inline Key key_of(T x) { return exact_rank(x); }

// Which of these an element belongs to.
inline u32 class_of(Key key, const Key* pivots, u32 count) {
    u32 number = 0;
    for (u32 i = 0; i < count; i++) number += (key >= pivots[i]) + (key > pivots[i]);
    return number;
}
