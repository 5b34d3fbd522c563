// Delaunay triangulation in the plane: points are inserted into many triangles at once, then edges are flipped, many at once.
//
// Vertex `n` lies at infinity: a triangle (a, b, n) stands for the half-plane beyond the edge of the hull. vertex[3 t + i] are in
// counter-clockwise order, neighbor[3 t + i] lies opposite to vertex i.

#include "side.cuh"

// Whether d lies inside of the circle through a, b and c; on the circle, but for 100 bits, it does not.
__device__ bool in_circle(const double* xy, int a, int b, int c, int d) {
    double dx = xy[2 * d], dy = xy[2 * d + 1];
    double ax = xy[2 * a] - dx, ay = xy[2 * a + 1] - dy, bx = xy[2 * b] - dx, by = xy[2 * b + 1] - dy;
    double cx = xy[2 * c] - dx, cy = xy[2 * c + 1] - dy;
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double bc = bx * cy - by * cx, ca = cx * ay - cy * ax, ab = ax * by - ay * bx;
    double det = aa * bc + bb * ca + cc * ab;
    double size = aa * (fabs(bx * cy) + fabs(by * cx)) + bb * (fabs(cx * ay) + fabs(cy * ax)) + cc * (fabs(ax * by) + fabs(ay * bx));
    if (fabs(det) > 2e-15 * size) return det > 0;
    Wide wax = two_sum(xy[2 * a], -dx), way = two_sum(xy[2 * a + 1], -dy), wbx = two_sum(xy[2 * b], -dx);
    Wide wby = two_sum(xy[2 * b + 1], -dy), wcx = two_sum(xy[2 * c], -dx), wcy = two_sum(xy[2 * c + 1], -dy);
    Wide waa = plus(times(wax, wax), times(way, way)), wbb = plus(times(wbx, wbx), times(wby, wby));
    Wide wcc = plus(times(wcx, wcx), times(wcy, wcy));
    Wide total = times(waa, minus(times(wbx, wcy), times(wby, wcx)));
    total = plus(total, times(wbb, minus(times(wcx, way), times(wcy, wax))));
    total = plus(total, times(wcc, minus(times(wax, wby), times(way, wbx))));
    return total.high > 1e-29 * size;
}

// Whether c, on the line through a and b, lies strictly between them.
__device__ bool between(const double* xy, int a, int b, int c) {
    int k = xy[2 * a] != xy[2 * b] ? 0 : 1;
    double p = xy[2 * a + k], q = xy[2 * b + k], r = xy[2 * c + k];
    return (p < r && r < q) || (q < r && r < p);
}

// Whether vertex d lies inside of the circle of a triangle, which is a half-plane and its border's edge at infinity.
__device__ bool inside(const double* xy, const int* v, int n, int d) {
    for (int i = 0; i < 3; i++)
        if (v[i] == n) {
            int a = v[(i + 1) % 3], b = v[(i + 2) % 3];
            int s = side(xy, a, b, d);
            return s > 0 || s == 0 && between(xy, a, b, d);
        }
    return in_circle(xy, v[0], v[1], v[2], d);
}

// Which of two triangles on both sides of the edge from p to q a point belongs to: true for that on the left. `beyond` says that
// the left one lies at infinity, `before` the right one.
__device__ bool on_left(const double* xy, int n, int p, int q, int at, bool beyond, bool before, int other) {
    if (p == n || q == n) {
        // Both lie at infinity, beyond one line: what counts is the order along it. `other` is the right one's vertex.
        int here = p == n ? q : p, k = xy[2 * here] != xy[2 * other] ? 0 : 1;
        double centre = xy[2 * here + k];
        return (xy[2 * at + k] < centre) != (xy[2 * other + k] < centre);
    }
    int s = side(xy, p, q, at);
    if (s != 0) return s > 0;
    // On the edge a point belongs to a triangle that is not at infinity, on its continuation to one that is.
    return between(xy, p, q, at) ? before : beyond;
}

// The first triangle, number 0, and those beyond its edges take all other points.
extern "C" __global__ void first_home(const double* xy, const int* vertex, int* home, i64 n) {
    i64 q = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (q >= n) return;
    int place = 0;
    for (int t = 1; t <= 3; t++)
        if (side(xy, vertex[3 * t], vertex[3 * t + 1], (int)q) > 0) place = t;
    home[q] = q == vertex[0] || q == vertex[1] || q == vertex[2] ? -1 : place;
}

// Waiting points on the line of their edge of the hull go on along the hull, to an edge that they lie beyond.
extern "C" __global__ void settle(const double* xy, const int* vertex, const int* neighbor, int* home, int infinite, i64 n) {
    i64 q = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (q >= n || home[q] < 0) return;
    int t = home[q];
    for (i64 step = 0; step < n; step++) {
        int i = vertex[3 * t] == infinite ? 0 : vertex[3 * t + 1] == infinite ? 1 : vertex[3 * t + 2] == infinite ? 2 : -1;
        if (i < 0) break;
        int a = vertex[3 * t + (i + 1) % 3], b = vertex[3 * t + (i + 2) % 3];
        if (side(xy, a, b, (int)q) > 0) break;
        if (between(xy, a, b, (int)q)) t = neighbor[3 * t + i];
        else t = neighbor[3 * t + (between(xy, a, (int)q, b) ? i + 1 : i + 2) % 3];
    }
    home[q] = t;
}

// Each triangle takes the waiting point with the smallest rank.
extern "C" __global__ void choose(const int* home, const int* rank, int* chosen, i64 n) {
    i64 p = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (p >= n || home[p] < 0) return;
    atomicMin(&chosen[home[p]], rank[p]);
}

// A chosen point divides its triangle (a, b, c) into (p, b, c) in its place, (a, p, c) at `first[t]` and (a, b, p) after it.
// Neighbours outside are as before.
extern "C" __global__ void divide(const int* winners, const int* triangles, int* vertex, int* neighbor, int* divided, int* home,
                                  int* dirty, i64 start, i64 count) {
    i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (i >= count) return;
    int t = triangles[i], p = winners[i], u = (int)(start + 2 * i), w = u + 1;
    int a = vertex[3 * t], b = vertex[3 * t + 1], c = vertex[3 * t + 2];
    int na = neighbor[3 * t], nb = neighbor[3 * t + 1], nc = neighbor[3 * t + 2];
    vertex[3 * t] = p;
    vertex[3 * u] = a, vertex[3 * u + 1] = p, vertex[3 * u + 2] = c;
    vertex[3 * w] = a, vertex[3 * w + 1] = b, vertex[3 * w + 2] = p;
    neighbor[3 * t] = na, neighbor[3 * t + 1] = u, neighbor[3 * t + 2] = w;
    neighbor[3 * u] = t, neighbor[3 * u + 1] = nb, neighbor[3 * u + 2] = w;
    neighbor[3 * w] = t, neighbor[3 * w + 1] = u, neighbor[3 * w + 2] = nc;
    divided[t] = u;
    home[p] = -1;
    dirty[t] = dirty[u] = dirty[w] = 1;
}

__device__ bool has_edge(const int* v, int a, int b) {
    return (v[0] == a || v[1] == a || v[2] == a) && (v[0] == b || v[1] == b || v[2] == b);
}

// Neighbours that were divided, or flipped with `partner`, are replaced by the part that has the common edge.
extern "C" __global__ void mend(const int* vertex, int* neighbor, const int* divided, const int* partner, i64 count) {
    i64 t = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (t >= count) return;
    for (int i = 0; i < 3; i++) {
        int u = neighbor[3 * t + i], a = vertex[3 * t + (i + 1) % 3], b = vertex[3 * t + (i + 2) % 3];
        if (has_edge(vertex + 3 * u, a, b)) continue;
        int other = divided[u];
        if (other >= 0) {
            neighbor[3 * t + i] = has_edge(vertex + 3 * other, a, b) ? other : other + 1;
            continue;
        }
        neighbor[3 * t + i] = partner[u];
    }
}

// Waiting points of divided triangles find their part.
extern "C" __global__ void follow_division(const double* xy, const int* vertex, const int* divided, int* home, int infinite, i64 n) {
    i64 q = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (q >= n || home[q] < 0) return;
    int t = home[q], u = divided[t];
    if (u < 0) return;
    int p = vertex[3 * t], a = vertex[3 * u], b = vertex[3 * t + 1], c = vertex[3 * t + 2];
    int corner[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (corner[i] == infinite) {
            // The parts of (x, y, infinity): the finite one has both, the others one each.
            int x = corner[(i + 1) % 3], y = corner[(i + 2) % 3], parts[3] = {t, u, u + 1};
            int first = side(xy, x, p, (int)q), second = side(xy, p, y, (int)q);
            if (first > 0) home[q] = parts[(i + 2) % 3];
            else if (second > 0) home[q] = parts[(i + 1) % 3];
            else home[q] = parts[i];
            return;
        }
    // Around the new point, the part is found by the sides of the three new edges.
    int sa = side(xy, p, a, (int)q), sb = side(xy, p, b, (int)q), sc = side(xy, p, c, (int)q);
    if (sb >= 0 && sc <= 0) home[q] = t;
    else if (sc >= 0 && sa <= 0) home[q] = u;
    else home[q] = u + 1;
}

// Edges that are to be flipped claim both of their triangles; the smallest number gets them.
extern "C" __global__ void claim(const double* xy, const int* vertex, const int* neighbor, const int* dirty, int* claims,
                                 int* wanted, int* touched, int* flips, int infinite, i64 count) {
    i64 t = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (t >= count) return;
    wanted[t] = -1;
    int best = 2147483647;
    for (int i = 0; i < 3; i++) {
        int u = neighbor[3 * t + i];
        // The triangle with the smaller number speaks for the edge.
        if (u < t || !(dirty[t] || dirty[u])) continue;
        int a = vertex[3 * t + (i + 1) % 3], b = vertex[3 * t + (i + 2) % 3], p = vertex[3 * t + i], d = -1;
        for (int k = 0; k < 3; k++)
            if (vertex[3 * u + k] != a && vertex[3 * u + k] != b) d = vertex[3 * u + k];
        if (d < 0 || d == p) continue;
        bool flips;
        if (d != infinite) flips = inside(xy, vertex + 3 * t, infinite, d);
        else flips = inside(xy, vertex + 3 * u, infinite, p);
        // Two points on one edge, which came at once from both sides: their triangles have no area, and neither have the new
        // ones, but their neighbours beyond the edge have.
        bool flat = a != infinite && b != infinite && p != infinite && d != infinite && side(xy, a, b, p) == 0 &&
                    side(xy, a, b, d) == 0;
        if (flat) flips = between(xy, a, b, p) && between(xy, a, b, d);
        // Both new triangles must be turned as they should.
        if (flips && !flat && p != infinite && d != infinite) {
            if (a != infinite && side(xy, p, a, d) <= 0) flips = false;
            if (b != infinite && side(xy, p, d, b) <= 0) flips = false;
        }
        if (flips && 3 * t + i < best) best = (int)(3 * t + i);
    }
    if (best == 2147483647) return;
    int u = neighbor[best];
    wanted[t] = best;
    touched[t] = touched[u] = 1;
    atomicAdd(flips, 1);
    atomicMin(&claims[t], best);
    atomicMin(&claims[u], best);
}

// Edges that got both triangles are flipped.
extern "C" __global__ void flip(int* vertex, int* neighbor, const int* claims, const int* wanted, int* partner, i64 count) {
    i64 t = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (t >= count || wanted[t] < 0) return;
    int edge = wanted[t];
    if (claims[t] != edge) return;
    // The triangle is this thread's alone from here on.
    int i = edge - 3 * (int)t, u = neighbor[edge];
    if (claims[u] != edge) return;
    int p = vertex[3 * t + i], a = vertex[3 * t + (i + 1) % 3], b = vertex[3 * t + (i + 2) % 3], k = 0;
    for (int j = 0; j < 3; j++)
        if (vertex[3 * u + j] != a && vertex[3 * u + j] != b) k = j;
    int d = vertex[3 * u + k];
    int pa = neighbor[3 * t + (i + 2) % 3], pb = neighbor[3 * t + (i + 1) % 3];
    // In u the vertices are d, b, a.
    int da = neighbor[3 * u + (k + 1) % 3], db = neighbor[3 * u + (k + 2) % 3];
    vertex[3 * t] = p, vertex[3 * t + 1] = a, vertex[3 * t + 2] = d;
    neighbor[3 * t] = da, neighbor[3 * t + 1] = u, neighbor[3 * t + 2] = pa;
    vertex[3 * u] = p, vertex[3 * u + 1] = d, vertex[3 * u + 2] = b;
    neighbor[3 * u] = db, neighbor[3 * u + 1] = pb, neighbor[3 * u + 2] = (int)t;
    partner[t] = u;
    partner[u] = (int)t;
}

// Waiting points of flipped triangles choose between the two.
extern "C" __global__ void follow_flip(const double* xy, const int* vertex, const int* partner, int* home, int infinite, i64 n) {
    i64 q = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (q >= n || home[q] < 0) return;
    int t = home[q], u = partner[t];
    if (u < 0) return;
    // The first of the two has the vertices p, a, d, the second p, d, b.
    if (vertex[3 * t + 2] != vertex[3 * u + 1] || vertex[3 * t] != vertex[3 * u]) {
        int s = t;
        t = u;
        u = s;
    }
    int p = vertex[3 * t], a = vertex[3 * t + 1], d = vertex[3 * t + 2], b = vertex[3 * u + 2];
    bool left = on_left(xy, infinite, p, d, (int)q, b == infinite, a == infinite, a);
    home[q] = left ? u : t;
}

// The triangle of each point by a walk from `start`: across the edge that it lies beyond, -1 outside.
extern "C" __global__ void walk(const double* xy, const int* vertex, const int* neighbor, const double* at, const int* start,
                                int* found, double tolerance, i64 triangles, i64 count) {
    i64 point = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (point >= count) return;
    double x = at[2 * point], y = at[2 * point + 1];
    int t = start[point];
    if (!(x == x && y == y)) t = -1;
    for (i64 step = 0; t >= 0 && step <= triangles; step++) {
        int next = t;
        double worst = 0;
        for (int i = 0; i < 3; i++) {
            int a = vertex[3 * t + (i + 1) % 3], b = vertex[3 * t + (i + 2) % 3], c = vertex[3 * t + i];
            double ax = xy[2 * a], ay = xy[2 * a + 1], bx = xy[2 * b], by = xy[2 * b + 1];
            double area = (bx - ax) * (xy[2 * c + 1] - ay) - (by - ay) * (xy[2 * c] - ax);
            double share = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
            if (share < -tolerance && share < worst) {
                worst = share;
                next = neighbor[3 * t + i];
            }
        }
        if (next == t) break;
        t = next;
    }
    found[point] = t;
}

// The same point by point, by one thread: the way of a CPU (Bowyer; Watson). A point removes the triangles whose circles it lies in, and is
// joined with the border of the hole. The first four triangles are there; `hole` and `border` are scratch, `mark` is zero, and
// `result` gets the number of triangles: 0 where rounding has torn the mesh.
extern "C" __global__ void insert_all(const double* xy, const int* order, int* vertex, int* neighbor, int* mark, int* beginning, int* hole,
                                      int* border, int* result, int room, int n) {
    int count = 4, last = 0;
    result[0] = 0;
    for (int i = 0; i < n; i++) {
        int q = order[i], t = last, from = -1;
        // From edge to edge towards the point.
        for (int steps = 0;; steps++) {
            const int* v = vertex + 3 * t;
            if (v[0] == n || v[1] == n || v[2] == n) break;
            int next = -1;
            for (int k = 0; k < 3 && next < 0; k++) {
                int beyond = neighbor[3 * t + k];
                if (beyond != from && side(xy, v[(k + 1) % 3], v[(k + 2) % 3], q) < 0) next = beyond;
            }
            if (next < 0) break;
            if (steps > count) return;
            from = t;
            t = next;
        }
        const int* at = vertex + 3 * t;
        if (at[0] == q || at[1] == q || at[2] == q) continue;

        int holes = 1, edges = 0, untouched = 2 * (i + 1), touched = untouched + 1;
        hole[0] = t;
        mark[t] = touched;
        for (int h = 0; h < holes; h++) {
            int gone = hole[h];
            for (int k = 0; k < 3; k++) {
                int other = neighbor[3 * gone + k];
                if (mark[other] == touched) continue;
                if (mark[other] != untouched && inside(xy, vertex + 3 * other, n, q)) {
                    mark[other] = touched;
                    hole[holes++] = other;
                } else {
                    mark[other] = untouched;
                    border[3 * edges] = vertex[3 * gone + (k + 1) % 3];
                    border[3 * edges + 1] = vertex[3 * gone + (k + 2) % 3];
                    border[3 * edges + 2] = other;
                    edges++;
                }
            }
        }
        if (edges != holes + 2 || count + 2 > room) return;
        for (int e = 0; e < edges; e++) {
            int a = border[3 * e], b = border[3 * e + 1], outer = border[3 * e + 2];
            int made = e < holes ? hole[e] : count++;
            bool is_finite = a != n && b != n;
            if (is_finite && side(xy, a, b, q) <= 0) return;
            vertex[3 * made] = q;
            vertex[3 * made + 1] = a;
            vertex[3 * made + 2] = b;
            neighbor[3 * made] = outer;
            for (int k = 0; k < 3; k++)
                if (vertex[3 * outer + (k + 1) % 3] == b && vertex[3 * outer + (k + 2) % 3] == a) neighbor[3 * outer + k] = made;
            beginning[a] = made;
            if (is_finite) last = made;
        }
        for (int e = 0; e < edges; e++) {
            int made = beginning[border[3 * e]], next = beginning[border[3 * e + 1]];
            neighbor[3 * made + 1] = next;
            neighbor[3 * next + 2] = made;
        }
    }
    result[0] = count;
}
