extern __shared__ unsigned char smem[];
template<int T> __global__ void __launch_bounds__(T, 2) k(float*x){ float* s=(float*)smem;
    int* t=(int*)&s[T]; __shared__ float tile[T][T+1]; __shared__ __align__(16) struct {
    float a; int b; } st; tile[threadIdx.y%T][threadIdx.x%T]=x[0]; if(threadIdx.x==0){st.a=1;st.b=2;}
    __syncthreads(); s[threadIdx.x]=tile[0][0]+st.a; t[0]=1; x[0]=s[0];
    }
template __global__ void k<8>(float*);
