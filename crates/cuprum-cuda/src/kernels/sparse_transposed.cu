// Products of a transposed sparse matrix with a vector: rows of the matrix add to elements all over the result.
//
// Threads add in any order, and yet the result is the same each time: sums are integers. A first pass finds the exponent of the
// largest product that each element of the result gets, the second adds the products as multiples of its last places (BITS
// of them, more than a product has), the third makes numbers of the sums. Products of integers are added as they are.
//
// The text before defines T, the elements, I, the indices, and LANES, the threads that share a row of the matrix.

inline bool8 times(bool8 a, bool8 b) { return bool8(a && b); }
template <class N> N times(N a, N b) { return (N)(a * b); }

typedef real_of<T> Part;
constexpr u32 PARTS = is_complex<T> ? 2 : 1;
// A float's bits: those of its fraction, the largest exponent and the one of 1. The sums of 2^(63 - BITS) products fit 64 bits.
constexpr int FRACTION = same<Part, f32> ? 23 : 52, BITS = same<Part, f32> ? 44 : 58;
constexpr i32 ENDLESS = same<Part, f32> ? 255 : 2047, ONE = ENDLESS / 2;
// What a sum has of products that are not finite.
constexpr u64 HAS_NAN = 1, HAS_PLUS = 2, HAS_MINUS = 4;

// `high` counts how often `low`, a signed number, has overflowed. All zero before.
struct alignas(16) Sum { u64 low; i32 high; i32 exponent; };

// Templates, so that a branch for other element types is never compiled.
template <class N> real_of<N> part_of(N x, u32 part) {
    if constexpr (is_complex<N>) return part == 0 ? x.re : x.im;
    else return x;
}

template <class F> i32 exponent_of(F x) { return (i32)(to_bits(x) >> FRACTION) & ENDLESS; }

template <class F> void note_exponent(Sum* sum, F product) {
    if constexpr (is_float<F>) {
        i32 exponent = exponent_of(product);
        // Most are no larger than what was there before.
        if (exponent > *(volatile i32*)&sum->exponent) atomicMax(&sum->exponent, exponent);
    }
}

template <class F> void add_part(Sum* sum, F product) {
    if constexpr (is_float<F>) {
        u64 bits = (u64)to_bits(product), fraction = bits & (((u64)1 << FRACTION) - 1);
        bool is_negative = bits >> (8 * sizeof(F) - 1);
        i32 exponent = exponent_of(product), largest = sum->exponent;
        if (largest == ENDLESS) {
            if (exponent == ENDLESS) atomicOr(&sum->low, fraction ? HAS_NAN : is_negative ? HAS_MINUS : HAS_PLUS);
            return;
        }
        if (exponent > 0) fraction |= (u64)1 << FRACTION;
        i32 down = (largest > 1 ? largest : 1) - (exponent > 1 ? exponent : 1);
        u64 places = fraction << (BITS - 1 - FRACTION);
        if (down > 0) places = down > BITS ? 0 : (places + ((u64)1 << (down - 1))) >> down;
        if (places == 0) return;
        u64 added = is_negative ? (u64)0 - places : places;
        i64 before = (i64)atomicAdd(&sum->low, added), after = (i64)((u64)before + added);
        if (is_negative ? after > before : after < before) atomicAdd(&sum->high, is_negative ? -1 : 1);
    } else if constexpr (same<F, bool8>) {
        if (product) atomicOr(&sum->low, (u64)1);
    } else {
        atomicAdd(&sum->low, (u64)product);
    }
}

// Two to a power that a double has.
inline f64 power_of_two(i32 exponent) { return from_bits((u64)(exponent + 1023) << 52); }

template <class F> F number_of(Sum sum) {
    if constexpr (is_float<F>) {
        if (sum.exponent == ENDLESS) {
            bool is_both = (sum.low & HAS_PLUS) && (sum.low & HAS_MINUS);
            if ((sum.low & HAS_NAN) || is_both) return not_a_number<F>();
            return sum.low & HAS_PLUS ? infinity<F>() : -infinity<F>();
        }
        i64 high = (i64)sum.high - ((i64)sum.low < 0 ? 1 : 0);
        u64 low = sum.low;
        bool is_negative = high < 0;
        if (is_negative) {
            high = ~high + (low == 0 ? 1 : 0);
            low = (u64)0 - low;
        }
        i32 up = 0;
        while (high >> up) up++;
        // The last bit stands for all that are left out, so that the sum is rounded once.
        if (up) low = (u64)high << (64 - up) | low >> up | (low << (64 - up) ? 1 : 0);
        i32 exponent = (sum.exponent > 1 ? sum.exponent : 1) - ONE - BITS + 1 + up;
        f64 size = (f64)low * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
        return (F)(is_negative ? -size : size);
    } else if constexpr (same<F, bool8>) {
        return bool8(sum.low != 0);
    } else {
        return (F)sum.low;
    }
}

template <class N> N whole_of(const Sum* sums) {
    if constexpr (is_complex<N>) return N(number_of<real_of<N>>(sums[0]), number_of<real_of<N>>(sums[1]));
    else return number_of<N>(sums[0]);
}

template <class Visit>
void visit_products(const I* start, const I* column, const T* value, const T* x, u64 rows, Visit visit) {
    u64 row = (u64)blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    if (row >= rows) return;
    T by = x[row];
    for (I k = start[row] + (I)(threadIdx.x % LANES), end = start[row + 1]; k < end; k += LANES) {
        T product = times(value[k], by);
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) visit((u64)column[k] * PARTS + part, part_of(product, part));
    }
}

extern "C" __global__ void __launch_bounds__(256)
transposed_exponents(const I* start, const I* column, const T* value, const T* x, Sum* sums, u64 rows) {
    visit_products(start, column, value, x, rows, [&](u64 place, Part product) { note_exponent(sums + place, product); });
}

extern "C" __global__ void __launch_bounds__(256)
transposed_sums(const I* start, const I* column, const T* value, const T* x, Sum* sums, u64 rows) {
    visit_products(start, column, value, x, rows, [&](u64 place, Part product) { add_part(sums + place, product); });
}

extern "C" __global__ void __launch_bounds__(256) transposed_numbers(const Sum* sums, T* out, u64 width) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i < width) out[i] = whole_of<T>(sums + i * PARTS);
}
