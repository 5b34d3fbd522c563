typedef unsigned int uint_; typedef struct { int a; } S_; typedef struct node { int v; struct node* next; } node_t;
__global__ void k(float*x,int n){ x[0]=(float)n/(float)(n+1)*(-1); x[1]=float(n)+int(2.5f)+(unsigned)-1;
    uint_ u=(uint_)x[0]; unsigned char c=(unsigned char)(u&0xff); x[2]=(double)c;
    x[3]=*(float*)&u; int* ip=(int*)x; ip[4]=(int)((unsigned long long)x>>3);
    x[5]=(n)-1; x[6]=(n)*(2); x[7]=static_cast<float>(n)<1.f?1:2; S_ s = {n};
    x[8]=((S_*)&s)->a; node_t nd; nd.next=&nd; nd.v=3; x[9]=nd.next->next->v;
    short sh=short(n); x[10]=(long long)sh; x[11] = (n < 3) > (n > 2); bool b = n < 2 | n > 3;
    x[12]=b; x[13]=n<2&&n>1; (void)n; }
