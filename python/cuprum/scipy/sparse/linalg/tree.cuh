// The tree of fronts of a sparse pattern: which unknowns are eliminated together, and which later ones they reach. One thread
// walks through lists here: it is meant for a CPU.

typedef long long i64;

const int NONE = -1;

// For each place the places that it shares an element with: those before it, or those after it. `list` has room for all elements.
__device__ void list_neighbours(const int* starts, const int* rows, const int* place, bool later, int* begin, int* list, int n) {
    for (int k = 0; k <= n; k++) begin[k] = 0;
    for (int column = 0; column < n; column++) {
        for (int at = starts[column]; at < starts[column + 1]; at++) {
            int a = place[column], b = place[rows[at]];
            if (a != b) begin[(a < b) == later ? a : b]++;
        }
    }
    int total = 0;
    for (int k = 0; k <= n; k++) {
        total += begin[k];
        begin[k] = total;
    }
    // Filled from the ends, so that the beginnings are left.
    for (int column = 0; column < n; column++) {
        for (int at = starts[column]; at < starts[column + 1]; at++) {
            int a = place[column], b = place[rows[at]];
            if (a == b) continue;
            bool is_mine = (a < b) == later;
            int k = is_mine ? a : b;
            list[--begin[k]] = is_mine ? b : a;
        }
    }
}

// Puts the unknowns into an order in which subtrees are neighbours, and joins those that are eliminated in one front. `work` has
// room for ten numbers an unknown and one more, `zeros` for one. Fronts begin at `first`; `size` counts their unknowns, own and later.
extern "C" __global__ void find_fronts(const int* starts, const int* rows, int* order, int* list, int* work, i64* zeros, int* first,
                                       int* size, int* count, int n) {
    int* begin = work;
    int* place = begin + n + 1;
    int* parent = place + n;
    int* counts = parent + n;
    int* mark = counts + n;
    int* largest = mark + n;
    int* head = largest + n;
    int* next = head + n;
    int* post = next + n;
    int* stack = post + n;

    for (int k = 0; k < n; k++) place[order[k]] = k;
    list_neighbours(starts, rows, place, false, begin, list, n);

    // The first later unknown that the elimination of each one reaches; `mark` has the highest one known so far.
    for (int k = 0; k < n; k++) parent[k] = mark[k] = NONE;
    for (int k = 0; k < n; k++) {
        for (int at = begin[k]; at < begin[k + 1]; at++) {
            int i = list[at];
            while (i != NONE && i != k) {
                int above = mark[i];
                mark[i] = k;
                if (above == NONE) parent[i] = k;
                i = above;
            }
        }
    }
    // How many elements each column of L has.
    for (int k = 0; k < n; k++) {
        mark[k] = NONE;
        counts[k] = 1;
    }
    for (int k = 0; k < n; k++) {
        mark[k] = k;
        for (int at = begin[k]; at < begin[k + 1]; at++) {
            for (int i = list[at]; mark[i] != k; i = parent[i]) {
                mark[i] = k;
                counts[i]++;
            }
        }
    }

    // Children before parents; the child with the longest column comes last, next to its parent.
    for (int k = 0; k < n; k++) largest[k] = head[k] = NONE;
    for (int k = 0; k < n; k++) {
        int p = parent[k];
        if (p != NONE && (largest[p] == NONE || counts[largest[p]] <= counts[k])) largest[p] = k;
    }
    int depth = 0;
    for (int k = n - 1; k >= 0; k--) {
        int p = parent[k];
        if (p == NONE) stack[depth++] = k;
        else if (largest[p] != k) {
            next[k] = head[p];
            head[p] = k;
        }
    }
    int done = 0;
    while (depth > 0) {
        int k = stack[depth - 1];
        if (head[k] != NONE) {
            int child = head[k];
            head[k] = next[child];
            stack[depth++] = child;
        } else if (largest[k] != NONE) {
            stack[depth++] = largest[k];
            largest[k] = NONE;
        } else {
            depth--;
            post[done++] = k;
        }
    }
    // Everything by the new places: `head` has them by the old ones.
    for (int k = 0; k < n; k++) head[post[k]] = k;
    for (int k = 0; k < n; k++) {
        largest[k] = parent[post[k]] == NONE ? NONE : head[parent[post[k]]];
        mark[k] = counts[post[k]];
        next[k] = order[post[k]];
    }
    for (int k = 0; k < n; k++) {
        parent[k] = largest[k];
        counts[k] = mark[k];
        order[k] = next[k];
    }

    // Unknowns with one pattern make a front; a front is joined with its parent's where that adds few zeros.
    int fronts = 0;
    for (int k = 0; k < n;) {
        int start = k;
        while (k + 1 < n && parent[k] == k + 1 && counts[k] == counts[k + 1] + 1) k++;
        k++;
        int from = start, width = k - start, all = counts[start];
        i64 empty = 0;
        while (fronts > 0) {
            int child = fronts - 1, child_width = from - first[child], above = parent[from - 1];
            if (above < from || above >= k) break;
            i64 joined = child_width + width, whole = child_width + all, rest = whole - joined;
            i64 more = zeros[child] + empty + child_width * (whole - size[child]);
            double share = joined <= 16 ? 0.8 : joined <= 48 ? 0.1 : 0.05;
            if (joined > 4 && (double)more > share * (double)((whole * (whole + 1) - rest * (rest + 1)) / 2)) break;
            from = first[child];
            width = (int)joined;
            all = (int)whole;
            empty = more;
            fronts--;
        }
        first[fronts] = from;
        size[fronts] = all;
        zeros[fronts] = empty;
        fronts++;
    }
    first[fronts] = n;
    count[0] = fronts;
}

// The later places that each front reaches, rising, and the front that has the first of them: its parent. `below_start` says where
// they begin in `below`. `work` has room for four numbers an unknown and one more, and two a front.
extern "C" __global__ void find_structure(const int* starts, const int* rows, const int* order, const int* first,
                                          const i64* below_start, int* list, int* work, int* below, int* parent, int fronts, int n) {
    int* begin = work;
    int* place = begin + n + 1;
    int* owner = place + n;
    int* mark = owner + n;
    int* child_of = mark + n;
    int* next_child = child_of + fronts;
    for (int k = 0; k < n; k++) {
        place[order[k]] = k;
        mark[k] = NONE;
    }
    for (int front = 0; front < fronts; front++) {
        child_of[front] = NONE;
        for (int k = first[front]; k < first[front + 1]; k++) owner[k] = front;
    }
    list_neighbours(starts, rows, place, true, begin, list, n);
    for (int front = 0; front < fronts; front++) {
        int last = first[front + 1];
        int* found = below + below_start[front];
        int room = (int)(below_start[front + 1] - below_start[front]), count = 0;
        for (int at = begin[first[front]]; at < begin[last]; at++) {
            int k = list[at];
            if (k >= last && mark[k] != front && count < room) {
                mark[k] = front;
                found[count++] = k;
            }
        }
        for (int child = child_of[front]; child != NONE; child = next_child[child]) {
            for (i64 at = below_start[child]; at < below_start[child + 1]; at++) {
                int k = below[at];
                if (k >= last && mark[k] != front && count < room) {
                    mark[k] = front;
                    found[count++] = k;
                }
            }
        }
        // Sorted by falling gaps (Shell; the gaps are Ciura's and what follows them).
        for (int gap = count; gap > 1;) {
            gap = gap > 20 ? (int)(gap / 2.25) : gap > 10 ? 10 : gap > 4 ? 4 : 1;
            for (int i = gap; i < count; i++) {
                int moved = found[i], j = i;
                while (j >= gap && found[j - gap] > moved) {
                    found[j] = found[j - gap];
                    j -= gap;
                }
                found[j] = moved;
            }
            if (gap == 1) break;
        }
        parent[front] = NONE;
        if (count) {
            int above = owner[found[0]];
            parent[front] = above;
            next_child[front] = child_of[above];
            child_of[above] = front;
        }
    }
}

// Where everything goes: `above` has, for each later place of a front, where it is in the parent's; `target`, for each element of the
// matrix, where it is in the memory of the fronts, which are column-major and begin at `offset`. `depth` is how many fronts lie below a
// front at most. Elements are given by columns, and by rows as their numbers; `work` has room for two numbers an unknown.
extern "C" __global__ void find_targets(const int* starts, const int* rows, const int* column, const int* row_start, const int* row_entry,
                                        const int* order, const int* first, const i64* below_start, const int* below,
                                        const int* child_start, const int* child, const i64* offset, int* work, int* above, i64* target,
                                        int* depth, int fronts, int n) {
    int* place = work;
    int* local = place + n;
    for (int k = 0; k < n; k++) place[order[k]] = k;
    for (int front = 0; front < fronts; front++) {
        int begin = first[front], end = first[front + 1], width = end - begin, size = width, deepest = 0;
        for (int k = begin; k < end; k++) local[k] = k - begin;
        for (i64 i = below_start[front]; i < below_start[front + 1]; i++) local[below[i]] = size++;
        for (int at = child_start[front]; at < child_start[front + 1]; at++) {
            int from = child[at];
            if (depth[from] >= deepest) deepest = depth[from] + 1;
            for (i64 i = below_start[from]; i < below_start[from + 1]; i++) above[i] = local[below[i]];
        }
        depth[front] = deepest;
        for (int k = begin; k < end; k++) {
            int unknown = order[k];
            for (int at = starts[unknown]; at < starts[unknown + 1]; at++) {
                int there = place[rows[at]];
                if (there >= begin) target[at] = offset[front] + (i64)(k - begin) * size + local[there];
            }
            for (int at = row_start[unknown]; at < row_start[unknown + 1]; at++) {
                int there = place[column[row_entry[at]]];
                if (there >= end) target[row_entry[at]] = offset[front] + (i64)local[there] * size + (k - begin);
            }
        }
    }
}
