typedef double (*Op)(double, double);
__device__ double add(double a, double b) {
    return a + b;
}
__device__ double sub(double a, double b) {
    return a - b;
}
__device__ double mul(double a, double b) {
    return a * b;
}
struct Vec {
    double x, y, z;
};
__device__ Vec up(Vec v) {
    v.y += 1;
    return v;
}
__device__ Vec down(Vec v) {
    v.y -= 10;
    return v;
}
__device__ void twice(double& v) {
    v *= 2;
}
__device__ void thrice(double& v) {
    v *= 3;
}
__device__ int& first(int* p) {
    return p[0];
}
__device__ int& second(int* p) {
    return p[1];
}
__device__ Op table[3] = {add, sub, mul};
__device__ Op chosen = mul;
struct Step {
    Op run;
    double by;
    Step* next;
};
__device__ double apply(Op f, double a, double b) {
    return f ? f(a, b) : -1;
}
__device__ double fold(Op f, const double* v, int n) {
    double r = v[0];
    for (int i = 1; i < n; i++) r = (*f)(r, v[i]);
    return r;
}
__device__ Op pick(int k) {
    if (k == 0) return add;
    if (k == 1) return &sub;
    return nullptr;
}
template <class F> __device__ double call(F f, double a, double b) {
    return f(a, b);
}
template <Op F> __device__ double fixed(double a, double b) {
    return F(a, b);
}
typedef int (*Down)(int);
__device__ int countdown(int n) {
    Down self = countdown;
    return n <= 0 ? 0 : 1 + self(n - 1);
}
__device__ double chain(int depth, Op f, double v) {
    return depth == 0 ? v : chain(depth - 1, depth % 2 ? sub : f, f(v, depth));
}
__global__ void test(double* out) {
    int k = 0;
    Op p = add;
    out[k++] = p(2, 3);
    p = mul;
    out[k++] = p(2, 3);
    for (int i = 0; i < 3; i++) out[k++] = table[i](7, 2);
    out[k++] = chosen(4, 5);
    chosen = sub;
    out[k++] = chosen(4, 5);
    Op local[2] = {sub, add};
    for (int i = 0; i < 4; i++) out[k++] = local[i % 2](i, 10);
    out[k++] = apply(add, 1, 2) + apply(nullptr, 1, 2);
    for (int i = 0; i < 3; i++) out[k++] = apply(pick(i), 20, i);
    double v[4] = {5, 4, 3, 2};
    out[k++] = fold(out[0] > 4 ? add : sub, v, 4);
    out[k++] = fold(out[0] > 5 ? add : sub, v, 4);
    Step last = {mul, 3, nullptr}, start = {add, 2, &last};
    double r = 1;
    for (Step* s = &start; s; s = s->next) r = s->run(r, s->by);
    out[k++] = r;
    Vec (*move)(Vec) = up;
    Vec w = {1, 2, 3};
    w = move(w);
    move = down;
    out[k++] = move(w).y + w.x;
    void (*grow)(double&) = k > 3 ? twice : thrice;
    grow(r);
    grow = thrice;
    grow(r);
    out[k++] = r;
    int& (*where)(int*) = second;
    int cells[2] = {1, 2};
    where(cells) = 8;
    out[k++] = cells[0] * 100 + cells[1];
    where = first;
    where(cells) += 4;
    out[k++] = cells[0] * 100 + cells[1];
    out[k++] = (p == mul) + 2 * (p != mul) + 4 * (pick(2) == nullptr) + 8 * !pick(0);
    out[k++] = call(p, 3, 4) + call(add, 1, 1) + fixed<sub>(1, 5);
    const Op always = sub;
    out[k++] = always(1, 2) + fixed<add>(2, 2);
    out[k++] = countdown(25);
    out[k++] = chain(6, mul, 1.5);
    auto q = &add;
    out[k++] = (*q)(1, 1) + (***q)(2, 2);
    out[k++] = (k % 2 ? add : mul)(6, 7);
    Op rows[2][2] = {{add, sub}, {mul, pick(1)}};
    for (auto& row : rows)
        for (Op each : row) out[k++] = each(9, 3);
}
