template<class T> __device__ T sum(T a){return a;} template<class T, class... R> __device__ T sum(T a, R... r){return a+sum(r...);}
template<class... T> __device__ auto fold(T... t){return (t + ... + 0);}
template<class... T> __device__ int cnt(T&&... t){ int s[] = {(int)t...};
    return sizeof...(T) + s[0]; } template<int... I> struct seq{}; template<int N,int... I> struct mk : mk<N-1,N-1,I...>{};
template<int... I> struct mk<0,I...>{ typedef seq<I...> type; };
template<int... I> __device__ int total(seq<I...>){ int s=0; int d[]={(s+=I,0)...}; (void)d; return s; }
__global__ void k(int*x){ x[0]=sum(1,2,3); x[1]=fold(1,2,3); x[2]=cnt(4,5); x[3]=total(mk<5>::type()); }
