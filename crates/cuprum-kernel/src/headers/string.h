// <string.h>: what is not a builtin of the language.
#ifndef __CUPRUM_STRING_H
#define __CUPRUM_STRING_H
#ifdef __CUPRUM_CPU__
__device__ inline int memcmp(const void* a, const void* b, size_t n) {
    const unsigned char* p = (const unsigned char*)a;
    const unsigned char* q = (const unsigned char*)b;
    for (size_t i = 0; i < n; ++i) {
        if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    }
    return 0;
}
__device__ inline void* memmove(void* to, const void* from, size_t n) {
    unsigned char* p = (unsigned char*)to;
    const unsigned char* q = (const unsigned char*)from;
    if (p < q) {
        for (size_t i = 0; i < n; ++i) p[i] = q[i];
    } else {
        for (size_t i = n; i > 0; --i) p[i - 1] = q[i - 1];
    }
    return to;
}
__device__ inline size_t strlen(const char* s) {
    size_t n = 0;
    while (s[n]) ++n;
    return n;
}
__device__ inline int strcmp(const char* a, const char* b) {
    size_t i = 0;
    while (a[i] && a[i] == b[i]) ++i;
    return (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
}
#endif
#endif
