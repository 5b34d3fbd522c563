// Philox4x32-7, the light words of a stream: each of its blocks is two light blocks here, whose counters differ in one bit.
// Stands on random_words.cuh.

constexpr u32 LIGHT_0 = 0xD2511F53u, LIGHT_1 = 0xCD9E8D57u;

// What the counter's words but the lowest stand for.
struct LightStart {
    u32 a[2], b[2], c, d;  // What the first two rounds make of them, for the two halves of a block.
    u32 keys[10];          // Of rounds 3 to 7.
};

struct Light {
    u64 lowest;          // The lowest word of the first block's counter.
    LightStart start;
    LightStart carried;  // The same of the words above it one higher.
    u32 shift;           // The place of the first draw in its block, in draws of 32 bits.
    u32 unused;
};

inline void block_draws(const Light& stream, u64 number, u32* draws) {
    u64 lowest = stream.lowest + number;
#if CARRY
    LightStart start = lowest < number ? stream.carried : stream.start;
#else
    const LightStart& start = stream.start;
#endif
    u64 low = (u64)(u32)lowest * LIGHT_0;
    u64 high = (u64)((u32)(low >> 32) ^ start.c) * LIGHT_1;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        u64 other = (u64)((u32)(lowest >> 32) ^ start.a[half]) * LIGHT_0;
        u32 a = (u32)(high >> 32) ^ start.b[half], b = (u32)high;
        u32 c = (u32)(other >> 32) ^ (u32)low ^ start.d, d = (u32)other;
#pragma unroll
        for (int round = 0; round < 5; round++) {
            u64 first = (u64)a * LIGHT_0, second = (u64)c * LIGHT_1;
            a = (u32)(second >> 32) ^ b ^ start.keys[2 * round];
            c = (u32)(first >> 32) ^ d ^ start.keys[2 * round + 1];
            b = (u32)second, d = (u32)first;
        }
        draws[4 * half] = a, draws[4 * half + 1] = b, draws[4 * half + 2] = c, draws[4 * half + 3] = d;
    }
}

inline u64 walk_from(const Light&, u64 block) { return block; }
inline void walked_draws(const Light& stream, u64 block, u32* draws) { block_draws(stream, block, draws); }
inline u64 later_by_256(u64 block) { return block + 256; }
