template<int N> struct Int { static constexpr int value = N; }; template<class T, T v> struct ic {
    static constexpr T value = v; typedef ic type; constexpr operator T() const {
    return v; } }; using t_ = ic<bool, true>; using f_ = ic<bool, false>;
template<class T> struct isp : f_ {}; template<class T> struct isp<T*> : t_ {};
template<class T, int R, int C> struct Mat { T d[R][C]; template<int K> __device__ Mat<T, R, K> operator*(const Mat<T, C, K>& o) const {
    Mat<T, R, K> r{}; for (int i = 0; i < R; i++) for (int j = 0; j < K; j++) for (int k = 0; k < C; k++) r.d[i][j] += d[i][k] * o.d[k][j];
    return r; } __device__ static Mat identity() { Mat m{}; for (int i = 0; i < (R < C ? R : C); ++i) m.d[i][i] = 1;
    return m; } }; template<class T> __device__ int tag(T, t_) { return 1;
    } template<class T> __device__ int tag(T, f_) { return 2; } template<class A, class B = A, int K = Int<3>::value + 1> struct D {
    A a; B b; static const int k = K; }; template<template<class, int> class C_, class T> struct Ap {
    typedef C_<T, (1 << 3)> type; }; template<class T, int N> struct Ar {
    T a[N]; };
__global__ void k(float* x) { Mat<float,2,3> a = Mat<float,2,3>::identity();
    Mat<float,3,4> b{}; auto c = a * b; x[0] = c.d[1][1] + tag(1, isp<int>()) + tag(1, typename isp<int*>::type()) + D<int>::k + D<int, float, (2 > 1)>::k + sizeof(Ap<Ar, char>::type) + Int<(3 > 2 ? 4 : 5)>::value;
    D<D<int>, D<D<float>>> dd; dd.a.a = 1; x[1] = dd.a.a; if (isp<float*>::value && !isp<int>{}) x[2] = 1;
    Ar<int, sizeof(int) * 2> ar = {}; x[3] = ar.a[7]; }
