struct N { N* next; int v[3]; struct { float w; } in; int get(int i = 0) const {
    return v[i]; } N* self() { return this; } };
__global__ void k(N* n, int* x, unsigned u, unsigned char c) { x[0] = n->next->next->v[1] + n[1].next->in.w + n->self()->get() + (*n).get(2) + (&n[2])->v[0];
    x[1] = u >> 3 & 7 | u << 2 ^ ~u; x[2] = c << 8 | c; x[3] = -c + +c;
    x[4] = !u; x[5] = u && c || !c; x[6] = x[0] ? x[1] : x[2] ? 3 : 4; x[7] = (x[0] = 3, x[1] = 4, 5);
    x[8] += x[9] -= 2; x[10]++, --x[11]; *x++ = 3; *(x--) = 4; x[u > 3 ? 1 : 2] = sizeof x[0] + sizeof(int) * 2 - sizeof(x);
    int i = 0; i = i++ + 1; x[12] = i; unsigned long long m = 1ull << 40;
    x[13] = m >> 38; x[14] = (u - 5) < 3; x[15] = (int)u - 5 < 3; x[16] = 7 / -2 + 7 % -2;
    x[17] = 'a' < 'b'; bool b = u; b |= c; x[18] = b; float f = 1; f /= 2;
    f = -f; x[19] = f != 0; x[20] = 1 + (2, 3); }
