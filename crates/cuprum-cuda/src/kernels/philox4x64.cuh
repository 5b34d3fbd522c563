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
    static constexpr int draws = 8;  // Of 32 bits, in a block.
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

// A block's first product, that of the counter's lowest word. Of the counter only that word differs between blocks, so
// that of the first two rounds' four products two are the same for all.
struct Product {
    u64 low, high;
};

inline Product first_product(u64 lowest) { return Product{lowest * PHILOX_0, __umul64hi(lowest, PHILOX_0)}; }

inline Block enciphered(const Words& stream, const u64* start, Product product) {
    u64 d = product.low, c = product.high ^ start[0];
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

// Enciphered block `steps`. CARRY is set where the counter's lowest word overflows among the blocks.
inline Block enciphered(const Words& stream, u64 steps) {
    u64 lowest = stream.counter[0] + steps;
#if CARRY
    bool carry = lowest < steps;
    u64 start[4];
    for (int i = 0; i < 4; i++) start[i] = carry ? stream.carried[i] : stream.start[i];
#else
    const u64* start = stream.start;
#endif
    return enciphered(stream, start, first_product(lowest));
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

inline void draws_of_block(const Block& block, u32* draws) {
#pragma unroll
    for (int i = 0; i < 8; i++) draws[i] = (u32)(word_of_block(block, i / 2) >> (32 * (i % 2)));
}

inline void block_draws(const Words& stream, u64 number, u32* draws) { draws_of_block(block_at(stream, number), draws); }

// Blocks 256 apart, one after the other, while counters do not carry: the first product of each is that of the one before
// plus a constant.
inline Product walk_from(const Words& stream, u64 block) { return first_product(stream.counter[0] + block); }

inline void walked_draws(const Words& stream, Product product, u32* draws) {
    draws_of_block(enciphered(stream, stream.start, product), draws);
}

inline Product later_by_256(Product product) {
    u64 low = product.low + (PHILOX_0 << 8);
    return Product{low, product.high + (PHILOX_0 >> 56) + (low < product.low)};
}

// How many chunks a warp makes. Where draws begin inside a block, the last lane's block only completes its neighbour's.
template <class Source> u32 chunks_of_warp(const Source& stream) { return stream.shift ? 31 : 32; }

// The draws of chunk `chunk`, as many as a block has, that of the thread; all threads of a warp take part with chunks in a row.
template <class Source> void chunk_draws(const Source& stream, u64 chunk, u32* draws) {
    constexpr int count = Source::draws;
    u32 row[2 * count - 1];
    block_draws(stream, chunk, row);
    if (stream.shift) {
#pragma unroll
        for (int i = 0; i < count - 1; i++) row[count + i] = __shfl_down_sync(0xffffffffu, row[i], 1);
        // By its highest bit first; what is left to move by is less than that.
#pragma unroll
        for (int step = count / 2; step > 0; step /= 2) {
            if (stream.shift & step) {
#pragma unroll
                for (int i = 0; i < count + step - 1; i++) row[i] = row[i + step];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < count; i++) draws[i] = row[i];
}

inline u64 word_of_draws(const u32* draws, int i) { return draws[2 * i] | (u64)draws[2 * i + 1] << 32; }

// Where a thread stands among the chunks of the grid: of those of warps in a row, `row` rows of blocks on.
struct Place {
    u64 chunk;
    bool mine;  // Whether the thread has a chunk of its own.
};

template <class Source> Place place_in_row(const Source& stream, u64 row) {
    u32 lane = threadIdx.x % 32, count = chunks_of_warp(stream);
    u64 warp = row * (blockDim.x / 32) + threadIdx.x / 32;
    return Place{warp * count + lane, lane < count};
}

template <class Source> Place place_of_thread(const Source& stream) { return place_in_row(stream, blockIdx.x); }

// The elements of chunks as they are stored: N of them a chunk, a multiple of 16 bytes or half as many.
template <int bytes> struct PieceOf {
    typedef uint4 type;
};
template <> struct PieceOf<8> {
    typedef uint2 type;
};

template <class T, int N> struct Stored {
    typedef typename PieceOf<N * sizeof(T)>::type Piece;
    static constexpr int pieces = N * sizeof(T) / sizeof(Piece);
    union {
        T elements[N];
        Piece parts[pieces];
    };
    Stored() {}
};

// Stores the elements of a chunk one by one, `n` being all there are.
template <class T, int N> void store_singly(T* out, u64 n, u64 chunk, const Stored<T, N>& stored) {
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (chunk * N + i < n) out[chunk * N + i] = stored.elements[i];
    }
}

// Stores the elements of a chunk where `out` is aligned for vectors.
template <class T, int N> void store_aligned(T* out, u64 n, u64 chunk, const Stored<T, N>& stored) {
    if (chunk < n / N) {
        typename Stored<T, N>::Piece* to = (typename Stored<T, N>::Piece*)(out + chunk * N);
#pragma unroll
        for (int i = 0; i < Stored<T, N>::pieces; i++) to[i] = stored.parts[i];
    } else {
        store_singly(out, n, chunk, stored);
    }
}

// Stores the elements of the thread's chunk.
template <class T, int N> void store_chunk(T* out, u64 n, Place place, const Stored<T, N>& stored) {
    if (!place.mine) return;
    if ((u64)out % 16 == 0) store_aligned(out, n, place.chunk, stored);
    else store_singly(out, n, place.chunk, stored);
}
