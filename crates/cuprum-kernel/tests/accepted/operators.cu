struct M { float m[4]; __device__ float& operator()(int i,int j){return m[i*2+j];}
    __device__ const float& operator()(int i,int j) const {return m[i*2+j];}
    __device__ float operator[](int i) const {return m[i];} __device__ M& operator+=(const M&o){for(int i=0;i<4;i++)m[i]+=o.m[i];return *this;}
    __device__ explicit operator bool() const {return m[0]!=0;} __device__ M& operator++(){m[0]++;return *this;}
    __device__ M operator++(int){M t=*this;++*this;return t;} __device__ M operator-() const {
    M r; for(int i=0;i<4;i++) r.m[i]=-m[i]; return r; } };
__device__ bool operator==(const M&a,const M&b){return a.m[0]==b.m[0];}
__device__ inline M operator*(const M& a, float s) { M r = a; for (float& v : r.m) v *= s;
    return r; }
__global__ void k(float*x){ M a={{1,2,3,4}}, b=a*2.f; a(0,1)=3; a+=b; b++;
    ++b; x[0]=a[1]+(-b)(1,1)+(a==b?1:0); if(a) x[1]=1; }
