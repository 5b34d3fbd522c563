__global__ void k(int*x,int n){ int i=0; do { if(i==3) continue; x[i]=i;
    } while(++i<n); while(true){ if(i--<=0) break; } for(int a=0,b=n;a<b;a++,--b) {
    x[a]+=b; } switch(n){ case 0: case 1: x[0]=1; case 2: { int z=2; x[1]=z;
    break; } default: x[2]=3; } if(n>2) goto end; x[3]=4; end: ; for(;;) {
    break; } int j; for (j = 0; j < 3; ++j); x[j]=1; if (int t = n) x[0]=t;
    else x[0]=-t; if (auto q = n*2; q > 3) x[1] = q; }
