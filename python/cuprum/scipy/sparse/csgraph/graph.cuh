// Algorithms on graphs in compressed rows. `start[i]` to `start[i + 1]` are the edges from node i, to the nodes in `target`.
// What proceeds node by node is done by one thread; shortest paths from several sources by one thread each.

typedef long long i64;

#define NOWHERE (-9999)

// Visits nodes in order of their distance. `before` is NOWHERE at the beginning and gets each node's predecessor.
extern "C" __global__ void breadth_first(const int* start, const int* target, int* order, int* before, i64* count, int first) {
    i64 head = 0, end = 1;
    order[0] = first;
    while (head < end) {
        int u = order[head++];
        for (int k = start[u]; k < start[u + 1]; k++) {
            int v = target[k];
            if (v == first || before[v] != NOWHERE) continue;
            before[v] = u;
            order[end++] = v;
        }
    }
    count[0] = end;
}

// Goes on from the node that was found last. `place` is a copy of `start` at the beginning.
extern "C" __global__ void depth_first(const int* start, const int* target, int* order, int* before, int* place, i64* count,
                                       int first) {
    i64 end = 1;
    order[0] = first;
    int u = first;
    while (true) {
        if (place[u] == start[u + 1]) {
            if (u == first) break;
            u = before[u];
            continue;
        }
        int v = target[place[u]++];
        if (v == first || before[v] != NOWHERE) continue;
        before[v] = u;
        order[end++] = v;
        u = v;
    }
    count[0] = end;
}

// Strong components after Tarjan and Pearce, numbered as they are completed. Edges are followed in order. `index` has all that is
// known of a node: 0 before it is met, then the least number of a node on the way that it leads to, and in the end its
// component, counted down from the largest number. It is 0 at the beginning. `frames` has room for five numbers a node.
extern "C" __global__ void strong_components(const int* start, const int* target, unsigned* index, int* label, int* stack, int* frames,
                                             i64* count, int n) {
    const unsigned LAST = 0xffffffffu;
    unsigned time = 0, found = 0;
    int top = 0;
    for (int root = 0; root < n; root++) {
        if (index[root] != 0) continue;
        int u = root, at = start[u], end = start[u + 1], depth = 0;
        unsigned mine = ++time, low = mine;
        index[u] = mine;
        while (true) {
            while (at < end) {
                int v = target[at++];
                unsigned known = index[v];
                if (known == 0) {
                    int* frame = frames + 5 * (i64)depth++;
                    frame[0] = u;
                    frame[1] = at;
                    frame[2] = end;
                    frame[3] = (int)mine;
                    frame[4] = (int)low;
                    u = v;
                    at = start[u];
                    end = start[u + 1];
                    low = mine = ++time;
                    index[u] = mine;
                } else if (known < low) {
                    low = known;
                }
            }
            if (low == mine) {
                // Nothing on the way before is reached: what was left since is a component.
                low = LAST - found++;
                time--;
                while (top > 0 && index[stack[top - 1]] >= mine) {
                    index[stack[--top]] = low;
                    time--;
                }
            } else {
                stack[top++] = u;
            }
            index[u] = low;
            if (depth == 0) break;
            const int* frame = frames + 5 * (i64)--depth;
            u = frame[0];
            at = frame[1];
            end = frame[2];
            mine = (unsigned)frame[3];
            if ((unsigned)frame[4] < low) low = (unsigned)frame[4];
        }
    }
    for (int i = 0; i < n; i++) label[i] = (int)(LAST - index[i]);
    count[0] = found;
}

// A heap of nodes by their keys. `where` is a node's place in it, -1 for nodes that are not.
__device__ void sift_up(int* heap, int* where, const double* key, int at) {
    int node = heap[at];
    while (at > 0) {
        int up = (at - 1) / 2;
        if (!(key[node] < key[heap[up]])) break;
        heap[at] = heap[up];
        where[heap[at]] = at;
        at = up;
    }
    heap[at] = node;
    where[node] = at;
}

__device__ int pop(int* heap, int* where, const double* key, int size) {
    int least = heap[0], node = heap[size - 1], at = 0;
    size--;
    while (2 * at + 1 < size) {
        int down = 2 * at + 1;
        if (down + 1 < size && key[heap[down + 1]] < key[heap[down]]) down++;
        if (!(key[heap[down]] < key[node])) break;
        heap[at] = heap[down];
        where[heap[at]] = at;
        at = down;
    }
    if (size > 0) {
        heap[at] = node;
        where[node] = at;
    }
    return least;
}

// Dijkstra's shortest paths: a thread makes one row of `distance` and `before`. Each row begins at `many` sources; `origin` gets
// the one that is nearest, where it is wanted. Distances are infinite, `before` NOWHERE and `where` -1 at the beginning; -2 are
// nodes that are done.
extern "C" __global__ void dijkstra(const int* start, const int* target, const double* weight, const int* source,
                                    double* distance, int* before, int* origin, int* heap, int* where, double limit, int n,
                                    int many, i64 rows) {
    i64 row = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double* d = distance + row * n;
    int *b = before + row * n, *h = heap + row * n, *w = where + row * n;
    int size = 0;
    for (int k = 0; k < many; k++) {
        int s = source[row * many + k];
        if (w[s] != -1) continue;
        d[s] = 0;
        if (origin) origin[s] = s;
        h[size] = s;
        sift_up(h, w, d, size++);
    }
    while (size > 0) {
        int u = pop(h, w, d, size--);
        w[u] = -2;
        for (int k = start[u]; k < start[u + 1]; k++) {
            int v = target[k];
            if (w[v] == -2) continue;
            double reach = d[u] + weight[k];
            if (reach > limit || !(reach < d[v])) continue;
            d[v] = reach;
            b[v] = u;
            if (origin) origin[v] = origin[u];
            if (w[v] == -1) {
                h[size] = v;
                sift_up(h, w, d, size++);
            } else {
                sift_up(h, w, d, w[v]);
            }
        }
    }
}

// Bellman and Ford's shortest paths: a thread makes one row, whose sources have the distance 0 at the beginning. `cycle` gets a
// node whose distance falls forever, plus 1.
extern "C" __global__ void bellman_ford(const int* start, const int* target, const double* weight, double* distance,
                                        int* before, int* cycle, int n, i64 rows) {
    i64 row = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double* d = distance + row * n;
    int* b = before + row * n;
    for (int round = 0; round < n; round++) {
        bool changed = false;
        for (int u = 0; u < n; u++) {
            double from = d[u];
            for (int k = start[u]; k < start[u + 1]; k++) {
                double reach = from + weight[k];
                if (!(reach < d[target[k]])) continue;
                d[target[k]] = reach;
                b[target[k]] = u;
                changed = true;
                if (target[k] == u) from = d[u];
            }
        }
        if (!changed) return;
    }
    for (int u = 0; u < n; u++)
        for (int k = start[u]; k < start[u + 1]; k++)
            if (d[u] + weight[k] + 1e-15 < d[target[k]]) {
                atomicMax(cycle, target[k] + 1);
                return;
            }
}

// One step of Floyd and Warshall: paths by way of a node, given the distances to it and from it.
extern "C" __global__ void floyd_warshall(double* distance, int* before, const double* to, const double* from,
                                          const int* before_there, i64 n) {
    i64 j = blockIdx.x * (i64)blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (i64 i = blockIdx.y; i < n; i += gridDim.y) {
        double reach = to[i] + from[j];
        if (!(reach < distance[i * n + j])) continue;
        distance[i * n + j] = reach;
        before[i * n + j] = before_there[j];
    }
}

// Kruskal's spanning forest of edges in order of their weights. `parent` names each node itself at the beginning.
extern "C" __global__ void spanning_forest(const int* row, const int* column, const i64* order, int* parent, bool* keep,
                                           i64 edges) {
    for (i64 k = 0; k < edges; k++) {
        i64 edge = order[k];
        int a = row[edge], b = column[edge];
        while (parent[a] != a) {
            parent[a] = parent[parent[a]];
            a = parent[a];
        }
        while (parent[b] != b) {
            parent[b] = parent[parent[b]];
            b = parent[b];
        }
        keep[edge] = a != b;
        if (a != b) parent[b] = a;
    }
}

// Cuthill and McKee's order: breadth first from the nodes in `roots`; edges of a node come in order of their targets' degrees.
extern "C" __global__ void cuthill_mckee(const int* start, const int* target, const int* roots, int* order, bool* seen, int n) {
    int head = 0, end = 0;
    for (int k = 0; k < n; k++) {
        if (seen[roots[k]]) continue;
        seen[roots[k]] = true;
        order[end++] = roots[k];
        for (; head < end; head++) {
            int u = order[head];
            for (int j = start[u]; j < start[u + 1]; j++) {
                int v = target[j];
                if (seen[v]) continue;
                seen[v] = true;
                order[end++] = v;
            }
        }
    }
}

// Hopcroft and Karp's largest matching of rows to columns. `row_mate` and `column_mate` are -1 at the beginning.
extern "C" __global__ void bipartite_matching(const int* start, const int* target, int* row_mate, int* column_mate, int* level,
                                              int* place, int* queue, int rows) {
    for (int r = 0; r < rows; r++)
        for (int k = start[r]; k < start[r + 1]; k++)
            if (column_mate[target[k]] < 0) {
                row_mate[r] = target[k];
                column_mate[target[k]] = r;
                break;
            }
    while (true) {
        // Levels of rows along paths that alternate, from the rows that are free.
        int head = 0, end = 0;
        bool found = false;
        for (int r = 0; r < rows; r++) {
            place[r] = start[r];
            level[r] = row_mate[r] < 0 ? 0 : -1;
            if (row_mate[r] < 0) queue[end++] = r;
        }
        while (head < end) {
            int r = queue[head++];
            for (int k = start[r]; k < start[r + 1]; k++) {
                int mate = column_mate[target[k]];
                if (mate < 0) {
                    found = true;
                } else if (level[mate] < 0) {
                    level[mate] = level[r] + 1;
                    queue[end++] = mate;
                }
            }
        }
        if (!found) return;
        // Disjoint paths down the levels to a free column; `queue` is the stack of a path.
        for (int free = 0; free < rows; free++) {
            if (row_mate[free] >= 0) continue;
            int depth = 0;
            queue[0] = free;
            while (depth >= 0) {
                int r = queue[depth];
                if (place[r] == start[r + 1]) {
                    level[r] = -1;
                    depth--;
                    continue;
                }
                int column = target[place[r]++], mate = column_mate[column];
                if (mate >= 0) {
                    if (level[mate] == level[r] + 1) queue[++depth] = mate;
                    continue;
                }
                for (; depth >= 0; depth--) {
                    int next = row_mate[queue[depth]];
                    row_mate[queue[depth]] = column;
                    column_mate[column] = queue[depth];
                    column = next;
                }
            }
        }
    }
}

// A matching of all rows with the least sum of weights, by shortest augmenting paths. `price` of rows and columns is 0,
// `where` -1 and `distance` infinite at the beginning. `status` is 1 where a row cannot be matched.
extern "C" __global__ void assignment(const int* start, const int* target, const double* weight, int* row_mate,
                                      int* column_mate, double* row_price, double* column_price, double* distance, int* before,
                                      int* heap, int* where, int* touched, int* status, int rows) {
    const double infinite = 1.0 / 0.0;
    for (int first = 0; first < rows; first++) {
        int size = 0, count = 0, r = first, sink = -1;
        double far = 0;
        while (sink < 0) {
            for (int k = start[r]; k < start[r + 1]; k++) {
                int c = target[k];
                if (where[c] == -2) continue;
                double reach = far + weight[k] - row_price[r] - column_price[c];
                if (!(reach < distance[c])) continue;
                if (where[c] == -1) {
                    touched[count++] = c;
                    heap[size] = c;
                    where[c] = size++;
                }
                distance[c] = reach;
                before[c] = r;
                sift_up(heap, where, distance, where[c]);
            }
            if (size == 0) {
                status[0] = 1;
                return;
            }
            int c = pop(heap, where, distance, size--);
            where[c] = -2;
            far = distance[c];
            if (column_mate[c] < 0) sink = c;
            else r = column_mate[c];
        }
        row_price[first] += far;
        for (int k = 0; k < count; k++) {
            int c = touched[k];
            if (where[c] == -2 && c != sink) {
                column_price[c] += distance[c] - far;
                row_price[column_mate[c]] += far - distance[c];
            }
            where[c] = -1;
            distance[c] = infinite;
        }
        for (int c = sink; c >= 0;) {
            int row = before[c], next = row_mate[row];
            row_mate[row] = c;
            column_mate[c] = row;
            c = row == first ? -1 : next;
        }
    }
}

// Dinic's largest flow. Each edge knows its reverse; `flow` is 0 at the beginning, `value` gets the flow out of the source.
extern "C" __global__ void maximum_flow(const int* start, const int* target, const i64* capacity, const int* reverse, i64* flow,
                                        int* level, int* place, int* stack, i64* value, int source, int sink, int n) {
    i64 total = 0;
    while (true) {
        for (int u = 0; u < n; u++) {
            level[u] = -1;
            place[u] = start[u];
        }
        int head = 0, end = 1;
        level[source] = 0;
        stack[0] = source;
        while (head < end && level[sink] < 0) {
            int u = stack[head++];
            for (int k = start[u]; k < start[u + 1]; k++) {
                int v = target[k];
                if (level[v] >= 0 || capacity[k] - flow[k] <= 0) continue;
                level[v] = level[u] + 1;
                stack[end++] = v;
            }
        }
        if (level[sink] < 0) break;
        // Paths down the levels; `stack` holds the edges of one.
        int depth = 0, u = source;
        while (true) {
            if (u == sink) {
                i64 least = capacity[stack[0]] - flow[stack[0]];
                int narrow = 0;
                for (int k = 1; k < depth; k++) {
                    i64 left = capacity[stack[k]] - flow[stack[k]];
                    if (left < least) {
                        least = left;
                        narrow = k;
                    }
                }
                for (int k = 0; k < depth; k++) {
                    flow[stack[k]] += least;
                    flow[reverse[stack[k]]] -= least;
                }
                total += least;
                depth = narrow;
                u = target[reverse[stack[narrow]]];
                continue;
            }
            bool deeper = false;
            for (; place[u] < start[u + 1]; place[u]++) {
                int k = place[u];
                if (level[target[k]] != level[u] + 1 || capacity[k] - flow[k] <= 0) continue;
                stack[depth++] = k;
                u = target[k];
                deeper = true;
                break;
            }
            if (deeper) continue;
            if (depth == 0) break;
            level[u] = -1;
            depth--;
            u = target[reverse[stack[depth]]];
        }
    }
    value[0] = total;
}
