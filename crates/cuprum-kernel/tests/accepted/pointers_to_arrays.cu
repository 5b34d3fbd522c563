__global__ void k(const unsigned char* __restrict__ src, int* dst, size_t pitch, int w, int h){
 const unsigned char (*row)[4] = reinterpret_cast<const unsigned char (*)[4]>(src + pitch * 2);
 const float4* p = (const float4*)src; float4 v = p[0]; float* q = &v.x; const int *const *pp = 0; (void)pp; (void)p;
 int a[] = {1,2,3}; int (&r)[3] = a; int n = sizeof(a)/sizeof(a[0]); dst[0] = row[1][2] + r[1] + n + (int)q[2] + *(dst+1) + dst[1][&dst[1]-dst ? 0 : 0 , dst];
}
