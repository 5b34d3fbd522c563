// Orders the unknowns of a symmetric pattern so that elimination fills in little: minimum degree on a quotient graph.
//
// An eliminated unknown becomes an element, which stands for the clique of its neighbours. An unknown's list names its
// elements first and then the unknowns next to it that no element covers. Degrees are upper bounds after Amestoy, Davis
// and Duff. Unknowns whose lists are equal are merged and eliminated together. One thread does it all.

#define NONE (-1)

struct Graph {
    int n;
    long long capacity;
};

// Unknowns of one degree are linked to both sides.
__device__ void link(int i, int degree, int* head, int* next, int* previous) {
    next[i] = head[degree];
    previous[i] = NONE;
    if (head[degree] != NONE) previous[head[degree]] = i;
    head[degree] = i;
}

__device__ void unlink(int i, int degree, int* head, int* next, int* previous) {
    if (next[i] != NONE) previous[next[i]] = previous[i];
    if (previous[i] != NONE) next[previous[i]] = next[i];
    else head[degree] = next[i];
}

// The lists lie in `pool` from `begin[i]` on: `elements[i]` elements, then unknowns, `length[i]` in all.
//
// `start` and `neighbour` give the pattern without its diagonal, both triangles. `pool` has room for the pattern twice and
// `n` more. `work` holds 12 n + 1 numbers. `order` receives the unknowns in the order of elimination.
//
// `size[i]` is the number of unknowns that i stands for, 0 for those that were merged, negative while i is in the pivot's
// clique. `mark[e]` - `stamp` is how many unknowns of element e lie outside of the pivot's clique; 0 marks dead ones.
extern "C" __global__ void minimum_degree(const int* start, const int* neighbour, int* pool, int* work, int* order,
                                          const Graph graph) {
    int n = graph.n;
    int *begin = work, *length = work + n, *elements = work + 2 * n, *size = work + 3 * n, *degree = work + 4 * n;
    int *mark = work + 5 * n, *next = work + 6 * n, *previous = work + 7 * n, *parent = work + 8 * n;
    int *state = work + 9 * n, *chain = work + 10 * n, *head = work + 11 * n;  // state: 0 unknown, 1 element, 2 dead
    long long end = start[n];
    for (int i = 0; i <= n; i++) head[i] = NONE;
    for (long long k = 0; k < end; k++) pool[k] = neighbour[k];
    for (int i = 0; i < n; i++) {
        begin[i] = start[i];
        length[i] = start[i + 1] - start[i];
        elements[i] = 0;
        size[i] = 1;
        mark[i] = 1;
        parent[i] = NONE;
        state[i] = 0;
        degree[i] = length[i];
        link(i, degree[i], head, next, previous);
    }
    int stamp = 2, done = 0, lowest = 0, written = 0;
    while (done < n) {
        while (head[lowest] == NONE) lowest++;
        int pivot = head[lowest];
        unlink(pivot, lowest, head, next, previous);
        int count = size[pivot];
        done += count;

        // Make room for the pivot's clique behind all lists: at most the unknowns that are left.
        if (end + (n - done) > graph.capacity) {
            // Move the lists together, in the order in which they lie. The first entry of each tells whose it is.
            for (int i = 0; i < n; i++)
                if (state[i] != 2 && length[i] > 0) {
                    int first = pool[begin[i]];
                    pool[begin[i]] = -2 - i;
                    begin[i] = first;
                }
            long long to = 0, from = 0;
            while (from < end) {
                int entry = pool[from++];
                if (entry > -2) continue;
                int i = -2 - entry;
                pool[to] = begin[i];
                begin[i] = (int)to++;
                for (int k = 1; k < length[i]; k++) pool[to++] = pool[from++];
            }
            end = to;
        }

        // The clique: what the pivot's elements hold and what it is next to.
        size[pivot] = -count;
        int clique = (int)end, weight = 0;
        for (int k = 0; k <= elements[pivot]; k++) {
            // The last round takes the pivot's own unknowns.
            bool own = k == elements[pivot];
            int element = own ? pivot : pool[begin[pivot] + k];
            int from = own ? begin[pivot] + elements[pivot] : begin[element];
            int many = own ? length[pivot] - elements[pivot] : length[element];
            for (int j = 0; j < many; j++) {
                int i = pool[from + j];
                if (size[i] <= 0) continue;
                weight += size[i];
                size[i] = -size[i];
                pool[end++] = i;
                unlink(i, degree[i], head, next, previous);
            }
            if (!own) {
                state[element] = 2;
                mark[element] = 0;
            }
        }
        state[pivot] = 1;
        begin[pivot] = clique;
        length[pivot] = (int)end - clique;
        elements[pivot] = 0;
        degree[pivot] = weight;

        // How much of each element lies outside of the clique.
        if (stamp > 2000000000 - n) {
            for (int i = 0; i < n; i++)
                if (mark[i] != 0) mark[i] = 1;
            stamp = 2;
        }
        for (long long k = clique; k < end; k++) {
            int i = pool[k];
            for (int j = 0; j < elements[i]; j++) {
                int element = pool[begin[i] + j];
                if (mark[element] >= stamp) mark[element] += size[i];
                else if (mark[element] != 0) mark[element] = degree[element] + stamp + size[i];
            }
        }

        // New lists and degrees of the clique's unknowns. Lists that may be equal are chained by a sum of their entries.
        for (long long k = clique; k < end; k++) {
            int i = pool[k], weight_i = -size[i], to = begin[i], bound = 0;
            unsigned int hash = 0;
            int first_unknown = begin[i] + elements[i], after = begin[i] + length[i];
            for (int j = begin[i]; j < first_unknown; j++) {
                int element = pool[j];
                if (mark[element] == 0) continue;
                int outside = mark[element] - stamp;
                if (outside > 0) {
                    bound += outside;
                    pool[to++] = element;
                    hash += element;
                } else {
                    state[element] = 2;  // All of it lies in the clique.
                    mark[element] = 0;
                }
            }
            elements[i] = to - begin[i] + 1;
            int first_kept = to;
            for (int j = first_unknown; j < after; j++) {
                int other = pool[j];
                if (size[other] <= 0) continue;
                bound += size[other];
                pool[to++] = other;
                hash += other;
            }
            if (elements[i] == 1 && first_kept == to) {
                // Nothing outside of the clique: i is eliminated with the pivot.
                parent[i] = pivot;
                state[i] = 2;
                weight -= weight_i;
                count += weight_i;
                done += weight_i;
                size[i] = 0;
                elements[i] = 0;
                length[i] = 0;
                continue;
            }
            if (bound < degree[i]) degree[i] = bound;
            // The pivot becomes the first element. Its place is free: an element or the pivot itself was left out.
            pool[to] = pool[first_kept];
            pool[first_kept] = pool[begin[i]];
            pool[begin[i]] = pivot;
            length[i] = to - begin[i] + 1;
            hash = (hash + pivot) % (unsigned int)n;
            previous[i] = (int)hash;
        }
        degree[pivot] = weight;

        // Merge unknowns with equal lists: `next` chains those of one hash. `stamp` moves on beyond the marks of elements.
        stamp += n + 1;
        for (long long k = clique; k < end; k++) {
            int i = pool[k];
            if (size[i] < 0) chain[previous[i]] = NONE;
        }
        for (long long k = clique; k < end; k++) {
            int i = pool[k];
            if (size[i] >= 0) continue;
            next[i] = chain[previous[i]];
            chain[previous[i]] = i;
        }
        for (long long k = clique; k < end; k++) {
            int hash = size[pool[k]] < 0 ? previous[pool[k]] : NONE;
            if (hash == NONE || chain[hash] == NONE) continue;
            int i = chain[hash];
            chain[hash] = NONE;
            for (; i != NONE && next[i] != NONE; i = next[i]) {
                stamp++;
                for (int j = begin[i] + 1; j < begin[i] + length[i]; j++) mark[pool[j]] = stamp;
                int before = i;
                for (int other = next[i]; other != NONE;) {
                    bool equal = length[other] == length[i] && elements[other] == elements[i];
                    for (int j = begin[other] + 1; equal && j < begin[other] + length[other]; j++)
                        equal = mark[pool[j]] == stamp;
                    int follows = next[other];
                    if (equal) {
                        parent[other] = i;
                        size[i] += size[other];
                        size[other] = 0;
                        elements[other] = 0;
                        length[other] = 0;
                        state[other] = 2;
                        next[before] = follows;
                    } else {
                        before = other;
                    }
                    other = follows;
                }
            }
        }
        stamp++;

        // Put the clique's unknowns back by their degrees, and keep those that are left of it.
        long long to = clique;
        int left = n - done;
        for (long long k = clique; k < end; k++) {
            int i = pool[k];
            if (size[i] >= 0) continue;
            size[i] = -size[i];
            int bound = degree[i] + weight - size[i], most = left - size[i];
            if (bound > most) bound = most;
            degree[i] = bound;
            link(i, bound, head, next, previous);
            if (bound < lowest) lowest = bound;
            pool[to++] = i;
        }
        end = to;
        length[pivot] = (int)(to - clique);
        size[pivot] = count;
        if (length[pivot] == 0) {
            state[pivot] = 2;
            mark[pivot] = 0;
        }
        order[written++] = pivot;
    }

    // Unknowns that were merged follow the one they were merged with: `next` and `chain` become lists of children.
    int* child = chain;
    for (int i = 0; i < n; i++) child[i] = NONE;
    for (int i = 0; i < n; i++)
        if (parent[i] != NONE) {
            next[i] = child[parent[i]];
            child[parent[i]] = i;
        }
    // The pivots stand in `order`; copy them away, then write all of them with their children by a stack.
    for (int k = 0; k < written; k++) previous[k] = order[k];
    int position = 0, pivots = written;
    for (int k = 0; k < pivots; k++) {
        int top = 0;
        degree[top++] = previous[k];
        while (top > 0) {
            int i = degree[--top];
            order[position++] = i;
            for (int c = child[i]; c != NONE; c = next[c]) degree[top++] = c;
        }
    }
}
