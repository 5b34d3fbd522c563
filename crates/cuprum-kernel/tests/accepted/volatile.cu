__device__ volatile int flag; __device__ void spin(volatile int* f){ while(*f==0); } 
__global__ void k(int*x){ volatile float* v=(volatile float*)x; v[0]=v[1]+1;
    int r=3; x[2]=r; asm volatile(""); const volatile int cv = 3;
    x[3]=cv; unsigned long int a=1; long unsigned int b=2; int long long c=3;
    short int d=4; unsigned short int e=5; x[4]=a+b+c+d+e; long double ld=1;
    x[5]=ld; signed s=-1; x[6]=s; }
