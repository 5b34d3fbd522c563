// The element of a rank among all places of a box of HEIGHT rows and WIDTH columns, as a key.
//
// Before this text: HEIGHT, WIDTH, RANK; filter.cuh, filter_window.cuh for three axes (images, rows, columns) and
// filter_selection.cuh with their own.
//
// A block makes TILE_Y rows of TILE_X outputs. Its keys lie in shared memory, beyond the array's ends too. The HEIGHT keys in each column
// of the rows' windows are sorted once for all windows that hold them. A window then sorts its WIDTH smallest ones of the columns, its
// second ones, and so on: of a box that is sorted both ways, the key at (i, j) has (i + 1)(j + 1) - 1 others at or below it, and as many
// at or above it from the other corner, so that only keys near the middle can have the rank.

constexpr int TILE_X = 64, TILE_Y = 4, SPAN_X = TILE_X + WIDTH - 1, SPAN_Y = TILE_Y + HEIGHT - 1;

constexpr bool lies_below(int i, int j) { return HEIGHT * WIDTH - (HEIGHT - i) * (WIDTH - j) < RANK; }
constexpr bool lies_above(int i, int j) { return (i + 1) * (j + 1) - 1 > RANK; }
constexpr int counted(bool below) {
    int count = 0;
    for (int i = 0; i < HEIGHT; i++) {
        for (int j = 0; j < WIDTH; j++) count += below ? lies_below(i, j) : !lies_below(i, j) && !lies_above(i, j);
    }
    return count;
}
constexpr int BELOW = counted(true), KEPT = counted(false);

// Where the key at (i, j) stands among those kept.
constexpr int place_of(int i, int j) {
    int count = 0;
    for (int k = 0; k < i * WIDTH + j; k++) count += !lies_below(k / WIDTH, k % WIDTH) && !lies_above(k / WIDTH, k % WIDTH);
    return count;
}

struct Columns {
    Held key[HEIGHT][TILE_Y][SPAN_X];
};

template <int i, int j> inline void keep(Held (&kept)[KEPT], const Held (&row)[WIDTH]) {
    if constexpr (j < WIDTH) {
        if constexpr (!lies_below(i, j) && !lies_above(i, j)) kept[place_of(i, j)] = row[j];
        keep<i, j + 1>(kept, row);
    }
}
template <int i> inline void take_rows(Held (&kept)[KEPT], const Columns &columns, int y, int x) {
    if constexpr (i < HEIGHT) {
        Held row[WIDTH];
#pragma unroll
        for (int j = 0; j < WIDTH; j++) row[j] = columns.key[i][y][x + j];
        sort(row);
        keep<i, 0>(kept, row);
        take_rows<i + 1>(kept, columns, y, x);
    }
}

struct Kept {
    const Held (&key)[KEPT];
    Held operator()(int k) const { return key[k]; }
};

extern "C" __global__ void __launch_bounds__(TILE_X *TILE_Y)
    filter_rank_box(const In *input, In *out, const Geometry geometry, u32 tiles_x, u32 tiles_y, u32 extension, Fill fill) {
    __shared__ Held keys[SPAN_Y][SPAN_X];
    __shared__ Columns columns;
    const u32 image = blockIdx.x / (tiles_x * tiles_y), tile = blockIdx.x % (tiles_x * tiles_y);
    const i64 first_y = (i64)(tile / tiles_x) * TILE_Y, first_x = (i64)(tile % tiles_x) * TILE_X;
    const In *from = input + (i64)image * geometry.in_step[0];
    for (int at = threadIdx.x; at < SPAN_Y * SPAN_X; at += TILE_X * TILE_Y) {
        i64 y = first_y + geometry.start[1] + at / SPAN_X, x = first_x + geometry.start[2] + at % SPAN_X;
        if (y < 0 || y >= geometry.in_length[1]) y = position(y, geometry.in_length[1], extension);
        if (x < 0 || x >= geometry.in_length[2]) x = position(x, geometry.in_length[2], extension);
        keys[at / SPAN_X][at % SPAN_X] =
            y < 0 || x < 0 ? held_fill(fill) : held(from[y * geometry.in_step[1] + x * geometry.in_step[2]]);
    }
    __syncthreads();
    for (int at = threadIdx.x; at < TILE_Y * SPAN_X; at += TILE_X * TILE_Y) {
        int y = at / SPAN_X, x = at % SPAN_X;
        Held column[HEIGHT];
#pragma unroll
        for (int i = 0; i < HEIGHT; i++) column[i] = keys[y + i][x];
        sort(column);
#pragma unroll
        for (int i = 0; i < HEIGHT; i++) columns.key[i][y][x] = column[i];
    }
    __syncthreads();
    const int y = threadIdx.x / TILE_X, x = threadIdx.x % TILE_X;
    if (first_y + y >= geometry.out_length[1] || first_x + x >= geometry.out_length[2]) return;
    Held kept[KEPT], chosen[KEPT / 2 + 2];
    take_rows<0>(kept, columns, y, x);
    Kept read = {kept};
    Held result = selected<KEPT, KEPT, 0, RANK - BELOW, KEPT - 1 - (RANK - BELOW)>(chosen, read);
    out[((i64)image * geometry.out_length[1] + first_y + y) * geometry.out_length[2] + first_x + x] = element_of(result);
}
