// Watersheds from markers. Elements wait in a list for each cost, linked by their positions; -1 ends a list. One thread follows them:
// which of two markers takes an element that both reach at one cost depends on the order in which elements were reached.

struct Waiting {
    int* next;
    int* previous;
    int* first;
    int* last;
};

__device__ void put(Waiting lists, int list, int at, bool in_front) {
    int neighbour = in_front ? lists.first[list] : lists.last[list];
    lists.next[at] = in_front ? neighbour : -1;
    lists.previous[at] = in_front ? -1 : neighbour;
    if (neighbour < 0) {
        lists.first[list] = lists.last[list] = at;
    } else if (in_front) {
        lists.previous[neighbour] = at;
        lists.first[list] = at;
    } else {
        lists.next[neighbour] = at;
        lists.last[list] = at;
    }
}

__device__ void take(Waiting lists, int list, int at) {
    int next = lists.next[at], previous = lists.previous[at];
    if (next >= 0) lists.previous[next] = previous;
    else lists.last[list] = previous;
    if (previous >= 0) lists.next[previous] = next;
    else lists.first[list] = next;
}

// `cost` holds a value above `most` for elements that nothing has reached, and -1 for those that are done.
template <class Input, class Label>
__global__ void watershed(const Input* input, Label* labels, int size, const int* shape, int axes, const signed char* steps, int count,
                          int* cost, int* next, int* previous, int* first, int* last, int most) {
    Waiting lists = {next, previous, first, last};
    for (int i = 0; i < size; i++) {
        cost[i] = most + 1;
        if (labels[i] != 0) {
            cost[i] = 0;
            put(lists, 0, i, labels[i] > 0);
        }
    }
    for (int list = 0; list <= most; list++) {
        while (first[list] >= 0) {
            int from = first[list], here = (int)input[from];
            Label label = labels[from];
            take(lists, list, from);
            cost[from] = -1;
            for (int k = 0; k < count; k++) {
                int rest = from, to = 0, stride = 1;
                bool outside = false;
                for (int axis = axes - 1; axis >= 0; axis--) {
                    int at = rest % shape[axis] + steps[k * axes + axis];
                    rest /= shape[axis];
                    outside = outside || at < 0 || at >= shape[axis];
                    to += at * stride;
                    stride *= shape[axis];
                }
                if (outside || cost[to] < 0) continue;
                int apart = (int)input[to] - here, reached = apart < 0 ? -apart : apart;
                if (reached < list) reached = list;
                if (reached >= cost[to]) continue;
                if (cost[to] <= most) take(lists, cost[to], to);
                cost[to] = reached;
                labels[to] = label;
                put(lists, reached, to, label >= 0);
            }
        }
    }
}
