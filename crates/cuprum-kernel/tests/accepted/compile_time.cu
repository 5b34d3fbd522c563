template<class T> __device__ T conv(T x){ if constexpr (sizeof(T)==4) return x*2;
    else if constexpr (sizeof(T) == 8) { return x*3; } else { return x;
    } } template<class T, int N = sizeof(T)> struct Q { T d[N]; static constexpr int n = N;
    }; template<typename T> constexpr T sq(T x) { return x*x; }
static_assert(sq(3)==9, "x"); static_assert(Q<int>::n == 4);
__global__ void k(float*x,double*y){ x[0]=conv(x[0]); y[0]=conv<double>(y[0]);
    Q<short> q; q.d[Q<short>::n - 1]=1; x[1]=q.d[1]; int arr[sq(3)]; arr[8]=1;
    x[2]=arr[8]; }
