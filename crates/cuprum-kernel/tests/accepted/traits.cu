template<typename T> struct traits; template<> struct traits<float> { typedef double acc;
    static constexpr int id=1; __device__ static float zero(){return 0;}
    }; template<> struct traits<int> { using acc=long long; static constexpr int id=2;
    __device__ static int zero(){return 0;} };
template<typename T, template<typename> class Tr = traits> __device__ typename Tr<T>::acc sum(const T* p, int n){
    typename Tr<T>::acc s = Tr<T>::zero(); for(int i=0;i<n;i++) s+=p[i];
    return s*Tr<T>::id; }
template<typename T> using acc_t = typename traits<T>::acc; template<int N> __device__ int fac(){
    return N*fac<N-1>(); } template<> __device__ int fac<0>(){return 1;}
template<class T> constexpr int rank_v = 0; template<class T> constexpr int rank_v<T*> = 1 + rank_v<T>;
template<class T, int N> __device__ int len(T (&)[N]) { return N; }
__global__ void k(float*x,int*y){ x[0]=sum(x,3); y[0]=sum<int>(y,2)+fac<5>()+rank_v<int**>;
    acc_t<float> a=1; x[1]=a; int z[7]; z[0]=1; y[1]=len(z)+z[0]; }
