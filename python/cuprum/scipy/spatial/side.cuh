// On which side of a line points of the plane lie, with twice the digits where they nearly lie on it.

typedef long long i64;

// Sums and products with twice the digits.
struct Wide {
    double high, low;
};
__device__ Wide two_sum(double a, double b) {
    double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}
__device__ Wide two_product(double a, double b) {
    double p = a * b;
    return {p, fma(a, b, -p)};
}
__device__ Wide plus(Wide a, Wide b) {
    Wide s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
    s = two_sum(s.high, s.low + t.high);
    return two_sum(s.high, s.low + t.low);
}
__device__ Wide minus(Wide a, Wide b) { return plus(a, {-b.high, -b.low}); }
__device__ Wide times(Wide a, Wide b) {
    Wide p = two_product(a.high, b.high);
    return two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// The side of the line from a to b that c lies on: 1 left, -1 right, 0 on it but for 100 bits.
__device__ int side(const double* xy, int a, int b, int c) {
    double ax = xy[2 * a], ay = xy[2 * a + 1], bx = xy[2 * b], by = xy[2 * b + 1], cx = xy[2 * c], cy = xy[2 * c + 1];
    double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), det = left - right;
    double bound = 4e-16 * (fabs(left) + fabs(right));
    if (det > bound) return 1;
    if (det < -bound) return -1;
    Wide l = times(two_sum(ax, -cx), two_sum(by, -cy)), r = times(two_sum(ay, -cy), two_sum(bx, -cx)), d = minus(l, r);
    bound = 1e-30 * (fabs(l.high) + fabs(r.high));
    return d.high > bound ? 1 : d.high < -bound ? -1 : 0;
}
