__global__ void k(int* dst){ int x = 5; int *p = &x, **pp = &p, &r = *p;
    const int *const cp = p; int m[2][3] = {{1},{2,3}}; int (*pm)[3] = m;
    **pp += pm[1][1]; r++; dst[0]=*cp; unsigned long long u = (unsigned long long)p;
    dst[1] = (int)(u & 1); dst[2] = p == &x && !(p != *pp); }
