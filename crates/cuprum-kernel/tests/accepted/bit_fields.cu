struct Bits { unsigned few : 5; unsigned long long long_few : 9; unsigned all : 32; int sign : 7; };
// An int holds all values of the first two: what is computed of them is an int.
constexpr Bits b = {9, 9, 9, -3};
static_assert(-b.few < 0 && -b.long_few < 0 && -b.all > 0 && b.sign < 0, "as C++ promotes bit-fields");
static_assert((true ? b.few : -1) - 10 < 0, "so in a choice");
__global__ void k(int *x) { Bits c = b; x[0] = -c.few / 2 + (c.few - 10 < 0) + c.all + c.sign; }
