// Assignments of least cost by shortest augmenting paths: one block, whose threads share the columns.

typedef long long i64;

// cost[row, column] with rows <= columns. u and v are the prices, `assigned[column]` the row, -1 where there is none. The result
// does not depend on the number of threads: of equal distances the smallest column counts.
extern "C" __global__ void assign(const double* cost, double* u, double* v, double* shortest, i64* before, i64* assigned, int* seen,
                                  i64* result, i64 rows, i64 columns, int* impossible) {
    __shared__ double best[256];
    __shared__ i64 where[256];
    __shared__ i64 row, sink, last;
    __shared__ double level;
    int t = threadIdx.x, threads = blockDim.x;
    for (i64 start = 0; start < rows; start++) {
        for (i64 j = t; j < columns; j += threads) {
            shortest[j] = __longlong_as_double(0x7ff0000000000000ll);
            seen[j] = 0;
        }
        if (t == 0) {
            row = start;
            sink = -1;
            level = 0;
        }
        __syncthreads();
        for (;;) {
            double least = __longlong_as_double(0x7ff0000000000000ll);
            i64 place = columns;
            for (i64 j = t; j < columns; j += threads) {
                if (seen[j]) continue;
                double reach = level + cost[row * columns + j] - u[row] - v[j];
                if (reach < shortest[j]) {
                    shortest[j] = reach;
                    before[j] = row;
                }
                // A column without a row ends the path, so it comes first among equals.
                if (shortest[j] < least || shortest[j] == least && place < columns && assigned[j] < 0 && assigned[place] >= 0) {
                    least = shortest[j];
                    place = j;
                }
            }
            best[t] = least;
            where[t] = place;
            __syncthreads();
            if (t == 0) {
                i64 chosen = columns;
                double low = __longlong_as_double(0x7ff0000000000000ll);
                for (int k = 0; k < threads; k++) {
                    i64 j = where[k];
                    if (j == columns) continue;
                    bool sooner = chosen == columns || best[k] < low;
                    if (!sooner && best[k] == low) {
                        bool free = assigned[j] < 0, other = assigned[chosen] < 0;
                        sooner = free != other ? free : j < chosen;
                    }
                    if (sooner) {
                        low = best[k];
                        chosen = j;
                    }
                }
                last = chosen;
                if (chosen < columns) {
                    level = low;
                    seen[chosen] = 1;
                    if (assigned[chosen] < 0) sink = chosen;
                    else row = assigned[chosen];
                } else *impossible = 1;
            }
            __syncthreads();
            if (last == columns) return;
            if (sink >= 0) break;
        }
        // New prices keep the costs of the path at zero.
        for (i64 j = t; j < columns; j += threads)
            if (seen[j] && j != sink) {
                u[assigned[j]] += level - shortest[j];
                v[j] -= level - shortest[j];
            }
        __syncthreads();
        if (t == 0) {
            u[start] += level;
            i64 j = sink;
            for (;;) {
                i64 i = before[j], next = result[i];
                assigned[j] = i;
                result[i] = j;
                if (i == start) break;
                j = next;
            }
        }
        __syncthreads();
    }
}
