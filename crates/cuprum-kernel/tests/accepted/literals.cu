__global__ void k(float*x,long long*y){ x[0]=1.f+.5f+1e-3f+0x1p-2f+1.F+2.5e+3;
    y[0]=0xFFFFFFFFFFFFFFFFull&0777&0b1011&1'000'000; y[1]='a'+'\n'+'\x41'+'\0';
    y[2]=5u+6l+7LL+8ul; const char* s="abc" "def\t"; y[3]=s[2]; y[4]=true+false;
    int* p=nullptr; y[5]=(p==NULL); printf("%d %f\n", (int)y[0], x[0]);
    }
