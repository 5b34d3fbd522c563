// What CUDA's device runtime has for kernels that launch kernels. On the CPU all streams are one: what threads of a block
// launch runs in the order of the launches, which every stream allows, and behind it what was launched as a tail.
enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
struct CUstream_st;
struct CUevent_st;
typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

// A launch that cannot be stops the kernel with a message: no error is left to ask for.
__device__ inline cudaError_t cudaGetLastError() { return cudaSuccess; }
__device__ inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
__device__ inline const char* cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "error"; }
__device__ inline const char* cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaErrorUnknown"; }
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    *stream = (cudaStream_t)0;
    return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return cudaSuccess; }
