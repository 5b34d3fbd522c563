// The convex hull of points of the plane in lexicographic order.

#include "side.cuh"

// The lower and the upper chain (Andrew), one point after the other: the corners counter-clockwise.
extern "C" __global__ void hull(const double* xy, int* chain, i64* count, i64 n) {
    if (blockIdx.x || threadIdx.x) return;
    i64 m = 0;
    for (i64 i = 0; i < n; i++) {
        while (m >= 2 && side(xy, chain[m - 2], chain[m - 1], (int)i) <= 0) m--;
        chain[m++] = (int)i;
    }
    i64 lower = m + 1;
    for (i64 i = n - 2; i >= 0; i--) {
        while (m >= lower && side(xy, chain[m - 2], chain[m - 1], (int)i) <= 0) m--;
        chain[m++] = (int)i;
    }
    *count = m - 1;
}
