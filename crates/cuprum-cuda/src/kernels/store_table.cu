// Writes a piece of a table that comes with the launch itself: nothing is copied from the host's memory later on, so that
// a captured launch holds the table too.

struct Piece {
    u64 words[256];
};

extern "C" __global__ void put_table(u64 *table, const Piece piece, u32 words) {
    if (threadIdx.x < words) table[threadIdx.x] = piece.words[threadIdx.x];
}
