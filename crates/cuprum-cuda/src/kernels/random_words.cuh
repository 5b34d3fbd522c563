// Philox4x64-10: the words of a stream by their number. A stream comes as its parts that all blocks share; block 0 is
// the one that holds the first draw, and the first blocks may be given instead of enciphered.

#ifdef __CUDACC__
#define RANDOM_OUTLINE __noinline__
#else
#define RANDOM_OUTLINE __attribute__((noinline))
#endif

constexpr u64 PHILOX_0 = 0xD2E7470EE14C6C93ull, PHILOX_1 = 0xCA5A826395121157ull;
constexpr u64 WEYL_0 = 0x9E3779B97F4A7C15ull, WEYL_1 = 0xBB67AE8584CAA73Bull;

struct Words {
    u64 keys[16];     // Of rounds 3 to 10.
    u64 start[4];     // What the first two rounds make of all but the lowest word of the counter,
    u64 carried[4];   // and of those words one higher.
    u64 key[2];       // Of the first round.
    u64 counter[4];   // Of the first enciphered block.
    u64 lead[8];      // The blocks that are given.
    u32 given;        // How many they are.
    u32 shift;        // The place of the first draw in its block, in draws of 32 bits.
};

struct Block {
    u64 a, b, c, d;
};

// The block at any counter.
RANDOM_OUTLINE Block encipher(u64 k0, u64 k1, Block x) {
    for (int round = 0; round < 10; round++) {
        u64 low = x.a * PHILOX_0, high = x.c * PHILOX_1;
        u64 upper = __umul64hi(x.c, PHILOX_1) ^ x.b ^ k0, lower = __umul64hi(x.a, PHILOX_0) ^ x.d ^ k1;
        x = Block{upper, high, lower, low};
        k0 += WEYL_0, k1 += WEYL_1;
    }
    return x;
}

// Enciphered block `steps`. Of the counter only the lowest word differs between blocks, so that of the first two
// rounds' four products two are the same for all; CARRY is set where that word overflows among them.
inline Block enciphered(const Words& stream, u64 steps) {
    u64 lowest = stream.counter[0] + steps;
#if CARRY
    bool carry = lowest < steps;
    u64 start[4];
    for (int i = 0; i < 4; i++) start[i] = carry ? stream.carried[i] : stream.start[i];
#else
    const u64* start = stream.start;
#endif
    u64 d = lowest * PHILOX_0, c = __umul64hi(lowest, PHILOX_0) ^ start[0];
    u64 b = c * PHILOX_1, a = __umul64hi(c, PHILOX_1) ^ start[1];
    c = d ^ start[2];
    d = start[3];
#pragma unroll
    for (int round = 0; round < 8; round++) {
        u64 low = a * PHILOX_0, high = c * PHILOX_1;
        u64 upper = __umul64hi(c, PHILOX_1) ^ b ^ stream.keys[2 * round];
        c = __umul64hi(a, PHILOX_0) ^ d ^ stream.keys[2 * round + 1];
        a = upper, b = high, d = low;
    }
    return Block{a, b, c, d};
}

// A block of the stream.
inline Block block_at(const Words& stream, u64 number) {
    if (number < stream.given) {
        const u64* lead = stream.lead + 4 * (u32)number;
        return Block{lead[0], lead[1], lead[2], lead[3]};
    }
    return enciphered(stream, number - stream.given);
}

inline u64 word_of_block(const Block& block, u32 i) {
    return i & 2 ? (i & 1 ? block.d : block.c) : (i & 1 ? block.b : block.a);
}

// How many chunks a warp makes. Where draws begin inside a block, the last lane's block only completes its neighbour's.
inline u32 chunks_of_warp(const Words& stream) { return stream.shift ? 31 : 32; }

// The eight draws of chunk `chunk`, that of the thread; all threads of a warp take part with chunks in a row.
inline void chunk_draws(const Words& stream, u64 chunk, u32* draws) {
    Block block = block_at(stream, chunk);
    u32 row[15];
#pragma unroll
    for (int i = 0; i < 8; i++) row[i] = (u32)(word_of_block(block, i / 2) >> (32 * (i % 2)));
    if (stream.shift) {
#pragma unroll
        for (int i = 0; i < 7; i++) row[8 + i] = __shfl_down_sync(0xffffffffu, row[i], 1);
        if (stream.shift & 4) {
#pragma unroll
            for (int i = 0; i < 11; i++) row[i] = row[i + 4];
        }
        if (stream.shift & 2) {
#pragma unroll
            for (int i = 0; i < 9; i++) row[i] = row[i + 2];
        }
        if (stream.shift & 1) {
#pragma unroll
            for (int i = 0; i < 8; i++) row[i] = row[i + 1];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) draws[i] = row[i];
}

inline u64 word_of_draws(const u32* draws, int i) { return draws[2 * i] | (u64)draws[2 * i + 1] << 32; }

// Where a thread stands among the chunks of the grid.
struct Place {
    u64 chunk;
    bool mine;  // Whether the thread has a chunk of its own.
};

inline Place place_of_thread(const Words& stream) {
    u32 lane = threadIdx.x % 32, count = chunks_of_warp(stream);
    u64 warp = (u64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    return Place{warp * count + lane, lane < count};
}

// The elements of chunks as they are stored: N of them a chunk, 16 bytes or a multiple of 32 bytes.
template <class T, int N> struct Stored {
    static constexpr int pieces = N * sizeof(T) / 16;
    union {
        T elements[N];
        uint4 parts[pieces];
    };
    Stored() {}
};

inline uint4 of_neighbour(uint4 mine) {
    return make_uint4(__shfl_xor_sync(0xffffffffu, mine.x, 1), __shfl_xor_sync(0xffffffffu, mine.y, 1),
                      __shfl_xor_sync(0xffffffffu, mine.z, 1), __shfl_xor_sync(0xffffffffu, mine.w, 1));
}

// Keeps a choice apart from the store that follows: as two stores, each of half the threads, it would fill half sectors.
inline uint4 settled(uint4 value) {
    asm("" : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w));
    return value;
}

// Stores the elements of the thread's chunk, `n` being all there are. Two neighbours store 32 bytes side by side at a
// time: memory is written in such sectors. All threads of a warp take part.
template <class T, int N> void store_chunk(T* out, u64 n, Place place, u32 chunks, const Stored<T, N>& stored) {
    u64 whole = n / N;
    bool aligned = (u64)out % 16 == 0;
    if (!aligned || place.chunk == whole) {
        if (place.mine) {
            u64 first = place.chunk * N;
#pragma unroll
            for (int i = 0; i < N; i++) {
                if (first + i < n) out[first + i] = stored.elements[i];
            }
        }
    }
    if (!aligned) return;
    uint4* vectors = (uint4*)out;
    if constexpr (Stored<T, N>::pieces == 1) {
        if (place.mine && place.chunk < whole) vectors[place.chunk] = stored.parts[0];
    } else {
        constexpr int pieces = Stored<T, N>::pieces;
        u32 odd = threadIdx.x & 1, even_lane = (threadIdx.x % 32) & ~1u;
        u64 even = place.chunk - odd;
        bool first = even_lane < chunks && even < whole, second = even_lane + 1 < chunks && even + 1 < whole;
        uint4* to = vectors + even * pieces + odd;
#pragma unroll
        for (int i = 0; i < pieces; i += 2) {
            uint4 low = stored.parts[i], high = stored.parts[i + 1];
            uint4 got = of_neighbour(odd ? low : high);
            uint4 front = settled(odd ? got : low), back = settled(odd ? high : got);
            if (first) to[i] = front;
            if (second) to[pieces + i] = back;
        }
    }
}
