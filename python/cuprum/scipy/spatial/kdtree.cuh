// Neighbours by a tree of boxes: points in tiles of equal number, the leaves, with the boxes of a complete binary tree above
// them. Node 1 is the root, node i has the children 2 i and 2 i + 1, leaves begin at `leaves`. Leaves are filled up with points
// at infinity, whose indices in `order` are n and more.

typedef long long i64;

enum Norm { MANHATTAN, EUCLIDEAN, CHEBYSHEV, MINKOWSKI };

// The norm of distances along axes, without its root.
template <int NORM> __device__ double added(double total, double d, double p) {
    if (NORM == MANHATTAN) return total + d;
    if (NORM == EUCLIDEAN) return total + d * d;
    if (NORM == CHEBYSHEV) return d > total ? d : total;
    return total + pow(d, p);
}

// `period` is 0 along an axis that is not periodic.
template <int RANK, int NORM, bool WRAPS> __device__ double to_point(const double* points, const double* period, double p, const double* x, i64 i) {
    double total = 0;
    for (int k = 0; k < RANK; k++) {
        double d = fabs(x[k] - points[i * RANK + k]);
        if (WRAPS && period[k] > 0 && d > period[k] / 2 && d <= period[k]) d = period[k] - d;
        total = added<NORM>(total, d, p);
    }
    return total;
}

template <int RANK, int NORM, bool WRAPS> __device__ double to_box(const double* low, const double* high, const double* period, double p, const double* x, i64 node) {
    double total = 0;
    for (int k = 0; k < RANK; k++) {
        double below = low[node * RANK + k] - x[k], above = x[k] - high[node * RANK + k];
        double d = below > 0 ? below : above > 0 ? above : 0;
        if (WRAPS && period[k] > 0 && d > 0 && below < period[k]) {
            double around = below > 0 ? x[k] + period[k] - high[node * RANK + k] : low[node * RANK + k] + period[k] - x[k];
            if (around < d) d = around > 0 ? around : 0;
        }
        total = added<NORM>(total, d, p);
    }
    return total;
}

// The distance of the farthest place in a box.
template <int RANK, int NORM, bool WRAPS> __device__ double across_box(const double* low, const double* high, const double* period, double p, const double* x, i64 node) {
    double total = 0;
    for (int k = 0; k < RANK; k++) {
        double a = fabs(x[k] - low[node * RANK + k]), b = fabs(x[k] - high[node * RANK + k]);
        double d = a > b ? a : b;
        if (WRAPS && period[k] > 0 && d > period[k] / 2) d = period[k] / 2;
        total = added<NORM>(total, d, p);
    }
    return total;
}

// The `k` nearest points, at most MAX_NEIGHBOURS: they are kept in order while the tree is walked, near boxes first. Points at `limit` or
// farther do not count, and boxes are skipped where no point in them is nearer by the factor `slack` than what is known.
template <int RANK, int NORM, bool WRAPS, int MAX_NEIGHBOURS>
__global__ void nearest(const double* points, const double* low, const double* high, const double* period, const i64* order, const int* cut,
                        const double* x, const i64* turn, double* out_distance, i64* out_index, i64 n, i64 leaves, i64 per_leaf,
                        i64 count, i64 k, double p, double limit, double slack) {
    i64 item = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (item >= count) return;
    i64 row = turn[item];
    double at[RANK], best[MAX_NEIGHBOURS], far[48];
    i64 who[MAX_NEIGHBOURS], stack[48];
    for (int i = 0; i < RANK; i++) at[i] = x[row * RANK + i];
    for (int i = 0; i < MAX_NEIGHBOURS; i++) {
        best[i] = limit;
        who[i] = -1;
    }
    double worst = limit;
    int depth = 1;
    stack[0] = 1;
    far[0] = 0;
    while (depth > 0) {
        depth--;
        if (!(far[depth] * slack < worst)) continue;
        i64 node = stack[depth];
        double here = far[depth];
        if (node > 1 && !WRAPS) {
            here = to_box<RANK, NORM, WRAPS>(low, high, period, p, at, node);
            if (!(here * slack < worst)) continue;
        }
        while (node < leaves) {
            double left, right;
            if (WRAPS) {
                left = to_box<RANK, NORM, WRAPS>(low, high, period, p, at, 2 * node);
                right = to_box<RANK, NORM, WRAPS>(low, high, period, p, at, 2 * node + 1);
            } else {
                // Along the axis that divides a node one of its parts is near; how far the other is at least, this tells too.
                int axis = cut[node];
                double along = x[row * RANK + axis];
                left = along - high[2 * node * RANK + axis];
                right = low[(2 * node + 1) * RANK + axis] - along;
            }
            bool swap = right < left;
            double near = swap ? right : left, other = swap ? left : right;
            if (!WRAPS) {
                other = other > 0 ? added<NORM>(0.0, other, p) : 0;
                if (other < here) other = here;
                near = here;
            }
            if (other * slack < worst) {
                stack[depth] = swap ? 2 * node : 2 * node + 1;
                far[depth] = other;
                depth++;
            }
            if (!(near * slack < worst)) {
                node = 0;
                break;
            }
            node = swap ? 2 * node + 1 : 2 * node;
        }
        if (node == 0) continue;
        i64 first = (node - leaves) * per_leaf, last = first + per_leaf;
        for (i64 i = first; i < last; i++) {
            double d = to_point<RANK, NORM, WRAPS>(points, period, p, at, i);
            if (!(d < worst)) continue;
            int place = MAX_NEIGHBOURS - 1;
            while (place > 0 && best[place - 1] > d) {
                best[place] = best[place - 1];
                who[place] = who[place - 1];
                place--;
            }
            best[place] = d;
            who[place] = i;
            worst = best[k - 1];
        }
    }
    for (int i = 0; i < k; i++) {
        bool found = who[i] >= 0;
        out_distance[row * k + i] = found ? best[i] : __longlong_as_double(0x7ff0000000000000ll);
        out_index[row * k + i] = found ? order[who[i]] : n;
    }
}

// The same for any `k`: a heap in the results' own memory, whose first element is the farthest.
template <int RANK, int NORM, bool WRAPS>
__global__ void nearest_many(const double* points, const double* low, const double* high, const double* period, const i64* order,
                             const double* x, const i64* turn, double* out_distance, i64* out_index, i64 n, i64 leaves,
                             i64 per_leaf, i64 count, i64 k, double p, double limit, double slack) {
    i64 item = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (item >= count) return;
    i64 row = turn[item];
    double at[RANK], far[48];
    i64 stack[48];
    double* best = out_distance + row * k;
    i64* who = out_index + row * k;
    for (int i = 0; i < RANK; i++) at[i] = x[row * RANK + i];
    for (i64 i = 0; i < k; i++) {
        best[i] = limit;
        who[i] = -1;
    }
    int depth = 1;
    stack[0] = 1;
    far[0] = 0;
    while (depth > 0) {
        depth--;
        if (!(far[depth] * slack < best[0])) continue;
        i64 node = stack[depth];
        while (node < leaves) {
            double left = to_box<RANK, NORM, WRAPS>(low, high, period, p, at, 2 * node), right = to_box<RANK, NORM, WRAPS>(low, high, period, p, at, 2 * node + 1);
            bool swap = right < left;
            stack[depth] = swap ? 2 * node : 2 * node + 1;
            far[depth] = swap ? left : right;
            depth++;
            node = swap ? 2 * node + 1 : 2 * node;
        }
        i64 first = (node - leaves) * per_leaf, last = first + per_leaf;
        for (i64 i = first; i < last; i++) {
            double d = to_point<RANK, NORM, WRAPS>(points, period, p, at, i);
            if (!(d < best[0])) continue;
            i64 hole = 0;
            for (;;) {
                i64 child = 2 * hole + 1;
                if (child >= k) break;
                if (child + 1 < k && best[child + 1] > best[child]) child++;
                if (!(best[child] > d)) break;
                best[hole] = best[child];
                who[hole] = who[child];
                hole = child;
            }
            best[hole] = d;
            who[hole] = i;
        }
    }
    for (i64 i = 0; i < k; i++) {
        bool found = who[i] >= 0;
        if (!found) best[i] = __longlong_as_double(0x7ff0000000000000ll);
        who[i] = found ? order[who[i]] : n;
    }
}

// Points within a radius of each point of `x`, or the sum of their weights: boxes that lie inside as a whole are added as such.
// `total` has the sums of the nodes.
template <int RANK, int NORM, bool WRAPS>
__global__ void within(const double* points, const double* low, const double* high, const double* period, const double* weight,
                       const double* total, const double* x, const double* radius, double* out, i64 n, i64 leaves, i64 per_leaf,
                       i64 count, double p, double slack) {
    i64 row = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (row >= count) return;
    double at[RANK], sum = 0, reach = radius[row];
    i64 stack[64];
    for (int i = 0; i < RANK; i++) at[i] = x[row * RANK + i];
    int depth = 1;
    stack[0] = 1;
    while (depth > 0) {
        i64 node = stack[--depth];
        if (!(to_box<RANK, NORM, WRAPS>(low, high, period, p, at, node) * slack <= reach)) continue;
        if (across_box<RANK, NORM, WRAPS>(low, high, period, p, at, node) <= reach * slack) {
            sum += total[node];
            continue;
        }
        if (node < leaves) {
            stack[depth++] = 2 * node + 1;
            stack[depth++] = 2 * node;
            continue;
        }
        i64 first = (node - leaves) * per_leaf, last = first + per_leaf;
        for (i64 i = first; i < last; i++)
            if (to_point<RANK, NORM, WRAPS>(points, period, p, at, i) <= reach) sum += weight[i];
    }
    out[row] = sum;
}

// The points themselves, from `start[row]` on, with their distances without the root. Only points after `after[row]` count.
template <int RANK, int NORM, bool WRAPS>
__global__ void list_within(const double* points, const double* low, const double* high, const double* period, const i64* order,
                            const double* x, const double* radius, const i64* after, const i64* start, i64* out_index,
                            double* out_distance, i64* found, i64 n, i64 leaves, i64 per_leaf, i64 count, double p, double slack,
                            bool writes) {
    i64 row = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (row >= count) return;
    double at[RANK], reach = radius[row];
    i64 stack[64], place = writes ? start[row] : 0, floor_index = after[row];
    for (int i = 0; i < RANK; i++) at[i] = x[row * RANK + i];
    int depth = 1;
    stack[0] = 1;
    while (depth > 0) {
        i64 node = stack[--depth];
        if (!(to_box<RANK, NORM, WRAPS>(low, high, period, p, at, node) * slack <= reach)) continue;
        if (node < leaves) {
            stack[depth++] = 2 * node + 1;
            stack[depth++] = 2 * node;
            continue;
        }
        // With slack, a box that lies inside of the larger radius counts as a whole.
        bool all = slack > 1 && across_box<RANK, NORM, WRAPS>(low, high, period, p, at, node) <= reach * slack;
        i64 first = (node - leaves) * per_leaf, last = first + per_leaf;
        for (i64 i = first; i < last; i++) {
            double d = to_point<RANK, NORM, WRAPS>(points, period, p, at, i);
            if ((all || d <= reach) && order[i] > floor_index && order[i] < n) {
                if (writes) {
                    out_index[place] = order[i];
                    out_distance[place] = d;
                }
                place++;
            }
        }
    }
    if (!writes) found[row] = place;
}
