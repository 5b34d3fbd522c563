// Sixteen bytes at `at`, a multiple of 16, of a run that begins `skip` bytes behind `bytes` and ends before `length`.
// What lies around the run is not read, and counts as zero.
inline uint4 load16(const u8 *bytes, u64 at, u32 skip, u64 length) {
    if (at >= skip && length - at >= 16) return *(const uint4 *)(bytes + at);
    u32 parts[4] = {};
#pragma unroll
    for (u32 b = 0; b < 16; b++)
        if (at + b >= skip && at + b < length) parts[b / 4] |= (u32)bytes[at + b] << (8 * (b % 4));
    return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}
