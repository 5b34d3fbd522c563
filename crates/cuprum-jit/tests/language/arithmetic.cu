struct CN {
    int n;
};
#define side(v) side_(calls, v)
__device__ int side_(int& calls, int v) {
    calls++;
    return v;
}
__global__ void test(double* out) {
    int k = 0, calls = 0;
    char c = 200;
    unsigned char uc = 250;
    short s = 40000;
    unsigned short us = 65535;
    out[k++] = c + uc;
    out[k++] = s * us;
    out[k++] = (unsigned char)(uc + 10);
    out[k++] = uc + 10;
    unsigned u = 3;
    int i = -5;
    out[k++] = u + i;
    out[k++] = u * i;
    out[k++] = i / 2;
    out[k++] = i % 3;
    out[k++] = i >> 1;
    out[k++] = (unsigned)i >> 1;
    long long ll = 1LL << 40;
    out[k++] = ll;
    out[k++] = (int)ll;
    out[k++] = ll / 3;
    out[k++] = ll % 1000;
    unsigned long long ull = -1;
    out[k++] = ull;
    out[k++] = (double)(ull >> 3);
    out[k++] = (float)ull;
    out[k++] = -1 < 1u;
    out[k++] = -1 < (long)1u;
    out[k++] = (short)-1 < (unsigned short)1;
    out[k++] = 7 / 2 * 2.0;
    out[k++] = 7 / 2.0f;
    out[k++] = 1e10f;
    out[k++] = 0.1f + 0.2f;
    out[k++] = 0.1 + 0.2f;
    out[k++] = 0.1f * 3;
    float f = 16777216.0f;
    f += 1;
    out[k++] = f;
    double d = f;
    d += 1;
    out[k++] = d;
    out[k++] = (int)3.99;
    out[k++] = (int)-3.99;
    out[k++] = (unsigned)3.99f;
    out[k++] = (long long)1e15;
    out[k++] = (char)65.7;
    out[k++] = true + true;
    bool b = 5;
    out[k++] = b;
    b = 0.5;
    out[k++] = b;
    out[k++] = !5;
    out[k++] = ~5;
    out[k++] = -(unsigned)1;
    out[k++] = +uc;
    int x = 5;
    out[k++] = x++ + ++x;
    x = 3;
    x += x++;
    out[k++] = x;
    x <<= 2;
    out[k++] = x;
    x ^= 0xff;
    out[k++] = x;
    x %= 7;
    out[k++] = x;
    uc += 100;
    out[k++] = uc;
    uc >>= 1;
    out[k++] = uc;
    s *= 2;
    out[k++] = s;
    c -= 100;
    out[k++] = c;
    out[k++] = 'a';
    out[k++] = '\xff';
    out[k++] = sizeof('a');
    out[k++] = sizeof(1L);
    out[k++] = sizeof(1 ? 1 : 1LL);
    out[k++] = sizeof(c + c);
    out[k++] = sizeof(1.0f * 1);
    out[k++] = 0x7fffffff;
    out[k++] = 0x80000000;
    out[k++] = 2147483648;
    out[k++] = 0xffffffffffffffff;
    out[k++] = 1u - 2;
    out[k++] = 010;
    out[k++] = 0b101;
    out[k++] = 1'000;
    out[k++] = (side(0) && side(1));
    out[k++] = calls;
    out[k++] = (side(1) || side(1));
    out[k++] = calls;
    out[k++] = side(1) ? side(2) : side(3);
    out[k++] = calls;
    out[k++] = (1, 2, 3);
    int y = (x = 9, x + 1);
    out[k++] = y;
    int a[5] = {1, 2, 3};
    int* p = a;
    out[k++] = *p++;
    out[k++] = *++p;
    out[k++] = p - a;
    out[k++] = p[-1];
    out[k++] = *(p + 1);
    out[k++] = 2[a];
    out[k++] = a[3];
    *p = 77;
    out[k++] = a[2];
    p += 2;
    out[k++] = p == &a[4];
    out[k++] = p > a;
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int sum = 0;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) sum += m[i][j] * (i + 1);
    out[k++] = sum;
    int (*row)[3] = m;
    out[k++] = row[1][2];
    out[k++] = (*(row + 1))[0];
    out[k++] = sizeof(m);
    out[k++] = sizeof(m[0]);
    int m2[][2] = {1, 2, 3, 4, 5};
    out[k++] = sizeof(m2);
    out[k++] = m2[2][0] + m2[2][1];
    switch (x) {
        case 1:
        out[k++] = 1;
        case 9:
        out[k++] = 90;
        case 10:
        out[k++] = 100;
        break;
        default:
        out[k++] = -1;
    }
    switch (y) {
        default:
        out[k++] = -1;
        break;
        case 3:
        out[k++] = 3;
    }
    int n = 0;
    do {
        n++;
        if (n == 3) continue;
        if (n == 7) break;
} while (n < 10);
    out[k++] = n;
    for (int i = 0, j = 10; i < j; i++, j--) n += i * j;
    out[k++] = n;
    goto skip;
    out[k++] = 123456;
    skip:
    out[k++] = 7;
    int q = 10;
    while (q --> 0) {
        if (q % 2) continue;
        n += q;
    }
    out[k++] = n;
    for (int v : a) n += v;
    out[k++] = n;
    for (auto& v : a) v *= 2;
    out[k++] = a[0] + a[4] + a[2];
    long l = 5;
    l = l * -3 / 2;
    out[k++] = l;
    out[k++] = 5 % -3;
    out[k++] = -5 % 3;
    out[k++] = (-7) / 2;
    unsigned char bytes[4] = {1, 2, 3, 4};
    unsigned word;
    memcpy(&word, bytes, 4);
    out[k++] = word;
    int cond = 3;
    out[k++] = cond > 2 ? 1.5 : 2;
    out[k++] = cond < 2 ? 1 : 2.5f;
    const int N = 4;
    int arr[N * 2 + 1];
    out[k++] = sizeof(arr) / sizeof(arr[0]);
    constexpr int fact5 = 1 * 2 * 3 * 4 * 5;
    out[k++] = fact5;
    enum {
        A, B = 5, C
    };
    out[k++] = A + B * C;
    enum class E : unsigned char {
        X = 3, Y
    };
    E e = E::Y;
    out[k++] = (int)e;
    out[k++] = e == E::Y;
    out[k++] = sizeof(E);
    out[k++] = (float)0x7fffffff;
    out[k++] = (double)(float)123456789;
    out[k++] = (int)(float)16777217;
    out[k++] = 5.0 / 0.0;
    out[k++] = (short)70000;
    out[k++] = (signed char)200;
    unsigned sh = 1;
    out[k++] = sh << 31;
    out[k++] = (1 << 31) >> 31;
    out[k++] = (unsigned short)-1 >> 4;
    out[k++] = 1ull << 63;
    volatile int vol = 3;
    vol += 2;
    out[k++] = vol;
    out[k++] = (x > 3) + (x < 100) * 2;
    out[k++] = x & 1 | 2 ^ 3;
    out[k++] = !x == 0;
    float ff = 1;
    ff /= 3;
    out[k++] = ff;
    ff = ff * 3 - 1;
    out[k++] = ff;
    double dd = 1;
    dd /= 3;
    out[k++] = dd;
    int ii = 7;
    ii /= 2.5;
    out[k++] = ii;
    ii *= 1.5f;
    out[k++] = ii;
}
