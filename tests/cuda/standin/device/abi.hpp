// What a compiled kernel module and the stand-in driver know of each other. Included on both sides, so it
// uses no header: kernel texts must not see more names than NVRTC gives them.
#pragma once

namespace standin {

constexpr unsigned abi_version = 1;
constexpr unsigned warp_lanes = 32;
constexpr unsigned most_threads = 1024;
constexpr unsigned most_dynamic_shared = 227 * 1024;
constexpr unsigned shared_guard = 1024;  // bytes behind the dynamic shared memory that must stay untouched
constexpr unsigned char poison = 0xA5;   // what memory holds that nobody has written

struct Index3 {
    unsigned x, y, z;
};

// Which of a block's threads runs, and which are next. Threads are taken in `order`, ascending where it is null.
struct Cursor {
    unsigned next, count, current, finished;
    const unsigned* order;
    Index3 shape;
    unsigned live[most_threads / warp_lanes];  // a bit for every thread that has not ended
};

enum class Collective : unsigned {
    sync, shuffle, ballot, match_any, match_all,
    add_signed, add, min_signed, min, max_signed, max, bit_and, bit_or, bit_xor,
};
enum class Barrier : unsigned { sync, count, all, any };

// Where in the kernel's text a thread waits, for reports.
struct Place {
    const char* what;
    const char* file;
    unsigned line;
};

// What the driver does for a kernel.
struct Machine {
    unsigned (*barrier)(Barrier kind, int predicate, Place);
    // `source` is the lane a shuffle reads; the result for a lane that never came is poison.
    unsigned long long (*collective)(Collective kind, unsigned mask, unsigned long long value, unsigned source, Place);
    void (*yield)();
    [[noreturn]] void (*fail)(const char* message, Place);
};

// What a texture or a surface object stands for: elements row by row, and how they are read.
struct TextureView {
    unsigned char* data;
    unsigned long width, height, depth;  // in elements; an axis that is not there is 1
    unsigned long pitch, plane;          // in bytes
    unsigned format, channels;           // as the driver numbers them
    unsigned beyond[3];                  // 0: around, 1: the edge, 2: mirrored, 3: the border's colour
    bool linear, normalized, as_integer;
    float border[4];
};

struct Kernel {
    void (*run)(void** parameters);  // runs threads from the cursor until none is left
    unsigned count;                  // of parameters
    const unsigned* sizes;
    int bounds;                      // of __launch_bounds__, 0 where there are none
};

struct Module {
    unsigned version;
    const Machine** machine;
    Cursor* cursor;
    Index3 *thread, *block, *block_shape, *grid_shape;
    unsigned char* dynamic_shared;
};

}  // namespace standin
