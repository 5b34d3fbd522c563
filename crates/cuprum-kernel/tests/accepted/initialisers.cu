struct A { int x = 1; float y{2}; int z[2] = {3,4}; }; struct B { A a; int k;
    B() = default; __device__ B(int k_) : a(), k(k_) {} }; struct Cc { const float* p;
    int n; };
__global__ void k(int*o, const float* q){ A a; A b{5}; A c = {6, 7.f, {8, 9}};
    B d(3); B e; Cc f{q, 3}; Cc g = {q, 4}; int v = {3}; int w{};
    float m[2][2] = {1,2,3,4}; char s[] = "hi"; int arr[3]{1,2}; float4 t = make_float4(1,2,3,4);
    float3 u = {1,2,3}; int2 i2{1,2}; dim3 dd(1,2); uint3 ui = threadIdx;
    o[0]=a.x+b.x+c.z[1]+d.k+e.a.x+f.n+g.n+v+w+m[1][0]+s[1]+arr[2]+t.w+u.z+i2.y+dd.z+ui.x;
    }
