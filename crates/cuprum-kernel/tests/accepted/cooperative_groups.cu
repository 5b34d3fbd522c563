#include <cooperative_groups.h>
namespace cg = cooperative_groups; using namespace cooperative_groups;
template <unsigned N> __device__ int red(cg::thread_block_tile<N> g, int v) {
    for (int i = g.size() / 2; i > 0; i /= 2) v += g.shfl_down(v, i); return v;
    }
__global__ void k(int* x) { cg::thread_block b = cg::this_thread_block();
    auto t = cg::tiled_partition<32>(b); thread_block_tile<4> q = tiled_partition<4>(this_thread_block());
    int s = red<32>(t, x[b.thread_rank()]); if (t.thread_rank() == 0) atomicAdd(x, s + red(q, 1));
    b.sync(); }
