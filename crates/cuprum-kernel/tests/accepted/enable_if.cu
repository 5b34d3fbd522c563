#include <type_traits>
template<typename T, typename std::enable_if<std::is_floating_point<T>::value>::type* = nullptr> __device__ T f(T x) {
    return x * 2; } template<typename T, typename std::enable_if<!std::is_floating_point<T>::value, int>::type = 0> __device__ T f(T x) {
    return x * 3; } template<typename T, typename = std::enable_if_t<std::is_integral_v<T>>> __device__ T g(T x) {
    return x; } template<class T> __device__ std::enable_if_t<(sizeof(T) > 4), int> h(T) {
    return 8; } template<class T> __device__ std::enable_if_t<sizeof(T) <= 4, int> h(T) {
    return 4; }
__global__ void k(int* x, float* y) { x[0] = f(x[0]) + g(3) + h(1.0) + h(1.0f);
    y[0] = f(y[0]); using R = std::conditional_t<std::is_same_v<int, long>, char, short>;
    R r = 3; x[1] = r; }
