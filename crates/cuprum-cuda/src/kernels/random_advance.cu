// How far a stream moved where the number of units is known before.

extern "C" __global__ void random_advance(const Words stream, u64 drawn, u64 parts, u32 waiting, u32 half, u64* moved) {
    report_moved(stream, drawn, parts, waiting, half, moved);
}
