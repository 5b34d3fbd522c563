// Philox4x32-7, the light words of a stream: each of its blocks is two light blocks here, whose counters differ in one bit.
// Stands on philox4x64.cuh.

constexpr u32 LIGHT_0 = 0xD2511F53u, LIGHT_1 = 0xCD9E8D57u;

// What the counter's words but the lowest stand for.
struct LightStart {
    u32 a[2], b[2], c, d;  // What the first two rounds make of them, for the two halves of a block.
    u32 keys[10];          // Of rounds 3 to 7.
};

struct Light {
    static constexpr int draws = 4;
    u64 lowest;          // The lowest word of the first block's counter.
    LightStart start;
    LightStart carried;  // The same of the words above it one higher.
    u32 shift;           // The place of the first draw in its light block, in draws of 32 bits.
    u32 half;            // Which half of its block that is.
};

// A light block from what the first two rounds make of the counter's upper words and of the half.
// `low` is the first product, that of the counter's lowest half word.
inline void light_draws(const LightStart& start, u64 low, u32 b1, u32 c1, u32 d1, u32* draws) {
    u64 high = (u64)((u32)(low >> 32) ^ start.c) * LIGHT_1;
    u32 a = (u32)(high >> 32) ^ b1, b = (u32)high, c = (u32)low ^ c1, d = d1;
#pragma unroll
    for (int round = 0; round < 5; round++) {
        u64 first = (u64)a * LIGHT_0, second = (u64)c * LIGHT_1;
        a = (u32)(second >> 32) ^ b ^ start.keys[2 * round];
        c = (u32)(first >> 32) ^ d ^ start.keys[2 * round + 1];
        b = (u32)second, d = (u32)first;
    }
    draws[0] = a, draws[1] = b, draws[2] = c, draws[3] = d;
}

// Light block `number`, from the first draw's on.
inline void block_draws(const Light& stream, u64 number, u32* draws) {
    u64 steps = (number + stream.half) >> 1, lowest = stream.lowest + steps;
    u32 half = (u32)(number + stream.half) & 1;
#if CARRY
    LightStart start = lowest < steps ? stream.carried : stream.start;
#else
    const LightStart& start = stream.start;
#endif
    u64 other = (u64)((u32)(lowest >> 32) ^ start.a[half]) * LIGHT_0;
    light_draws(start, (u64)(u32)lowest * LIGHT_0, start.b[half], (u32)(other >> 32) ^ start.d, (u32)other, draws);
}

// Philox4x32 blocks 256 apart, one after the other, all with the same upper half of the lowest word: they are the same
// halves of their 4x64 blocks. Blocks of threads begin with an even number.
struct LightWalk {
    u64 low;
    u32 b, c, d;
};

template <class Number> LightWalk walk_from(const Light& stream, Number number) {
    u32 lowest = (u32)stream.lowest + (u32)((number + stream.half) >> 1);
    u32 half = (threadIdx.x + stream.half) & 1;
    u64 other = (u64)((u32)(stream.lowest >> 32) ^ stream.start.a[half]) * LIGHT_0;
    return LightWalk{(u64)lowest * LIGHT_0, stream.start.b[half], (u32)(other >> 32) ^ stream.start.d, (u32)other};
}

inline void walked_draws(const Light& stream, LightWalk walk, u32* draws) {
    light_draws(stream.start, walk.low, walk.b, walk.c, walk.d, draws);
}

inline LightWalk later_by_256(LightWalk walk) {
    return LightWalk{walk.low + ((u64)LIGHT_0 << 7), walk.b, walk.c, walk.d};
}
