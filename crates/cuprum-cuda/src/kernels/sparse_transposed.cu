// Products of a transposed sparse matrix with a vector: rows of the matrix add to elements all over the result.
//
// Threads add in any order, and yet the result is the same each time: sums are integers. Products of integers are added as they
// are. Floating-point products are added as multiples of one unit, the last of 2 * PLACES binary places below the
// largest product that a sample of the operands lets expect; PLACES is such that as many products as are stored cannot
// overflow half a sum. Most products are such multiples. Elements of the result that others were added to, and that
// are too small beside the unit, or had larger products than expected, are left open; further passes find the exponent of the largest
// product of each of them and add the products as multiples of its last places.
//
// The text before defines T, the elements, I, the indices, and LANES, the threads that share a row of the matrix.

inline bool8 times(bool8 a, bool8 b) { return bool8(a && b); }
template <class N> N times(N a, N b) { return (N)(a * b); }

typedef real_of<T> Part;
typedef word_of<I> Place;
constexpr u32 PARTS = is_complex<T> ? 2 : 1;
// A float's bits: those of its fraction, the largest exponent and the one of 1.
constexpr int FRACTION = same<Part, f32> ? 23 : 52;
constexpr i32 ENDLESS = same<Part, f32> ? 255 : 2047, ONE = ENDLESS / 2;
// Elements of a row that a thread loads before it adds the first of them.
constexpr u32 AHEAD = 4;
constexpr u32 ALL = 0xffffffffu;

// Templates, so that a branch for other element types is never compiled.
template <class N> real_of<N> part_of(N x, u32 part) {
    if constexpr (is_complex<N>) return part == 0 ? x.re : x.im;
    else return x;
}

template <class N> N made_of(const real_of<N>* parts) {
    if constexpr (is_complex<N>) return N(parts[0], parts[1]);
    else return parts[0];
}

template <class F> i32 exponent_of(F x) { return (i32)(to_bits(x) >> FRACTION) & ENDLESS; }

// Two to a power that a double has.
inline f64 power_of_two(i32 exponent) { return from_bits((u64)(exponent + 1023) << 52); }

// A number of 128 bits, and its size.
struct Wide {
    i64 high;
    u64 low;
    bool is_negative() const { return high < 0; }
    Wide size() const { return high < 0 ? Wide{~high + (low == 0 ? 1 : 0), (u64)0 - low} : *this; }
};

// A wide number times a power of two, rounded once.
template <class F> F rounded(Wide number, i32 exponent) {
    Wide size = number.size();
    u64 low = size.low;
    i32 up = size.high ? 64 - __clzll(size.high) : 0;
    // The last bit stands for all that are left out.
    if (up) low = (u64)size.high << (64 - up) | low >> up | (low << (64 - up) ? 1 : 0);
    exponent += up;
    f64 made = (f64)low * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
    return (F)(number.is_negative() ? -made : made);
}

// Sums in one unit for all

// What a sample of the operands has shown: the largest exponents. `is_open` says whether elements of the result are left open.
struct Window { i32 of_values, of_x; u32 is_open, unused; };
// The sum is `high` times 2^PLACES, plus `low`; both are signed.
struct alignas(16) Sum { u64 low, high; };
// What is marked of the products of a sum: that one is no multiple of the unit; that one is larger than expected, or not finite.
constexpr u32 IS_ROUNDED = 1, IS_LARGE = 2, MARKS = 16;
// Larger products than a sample lets expect are this many bits larger at most, if they are few.
constexpr i32 MARGIN = 3;

// Products below `limit` are multiples of `unit`, and of `low_unit` what is left of them.
struct Unit {
    f64 limit, per_unit, unit, per_low, low_unit;
    i32 exponent;
};

inline Unit unit_of(const Window* window, i32 places) {
    i32 a = window->of_values, x = window->of_x;
    i32 top = (a > 1 ? a : 1) + (x > 1 ? x : 1) - 2 * ONE + 2 + (PARTS - 1) + MARGIN;
    top = top < -900 ? -900 : top > 1023 ? 1023 : top;
    i32 unit = top - places, low = top - 2 * places;
    return Unit{power_of_two(top), power_of_two(-unit), power_of_two(unit), power_of_two(-low), power_of_two(low), low};
}

template <class F> i32 finite_exponent(F x) {
    i32 exponent = exponent_of(x);
    return exponent == ENDLESS ? 0 : exponent;
}

inline void note_largest(i32* largest, i32 exponent) {
#pragma unroll
    for (u32 apart = 16; apart > 0; apart /= 2) {
        i32 other = __shfl_xor_sync(ALL, exponent, apart);
        exponent = other > exponent ? other : exponent;
    }
    if (threadIdx.x % 32 == 0 && exponent > *(volatile i32*)largest) atomicMax(largest, exponent);
}

template <class N> i32 largest_exponent(N x) {
    i32 exponent = 0;
    if constexpr (is_float<real_of<N>>)
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            i32 other = finite_exponent(part_of(x, part));
            exponent = other > exponent ? other : exponent;
        }
    return exponent;
}

// Clears the sums and their marks; the first `samples` threads look at operands all over the arrays. `window` is zero before.
extern "C" __global__ void __launch_bounds__(256)
transposed_begin(const T* value, const T* x, Sum* sums, u32* marks, Window* window, u64 stored, u64 rows, u64 width, u64 samples) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    if (i < width * PARTS) sums[i] = Sum{0, 0};
    if (i * MARKS < width * PARTS) marks[i] = 0;
    if (i - threadIdx.x >= samples) return;
    note_largest(&window->of_values, i < samples && i < stored ? largest_exponent(value[i * (stored / samples + 1) % stored]) : 0);
    note_largest(&window->of_x, i < samples && i < rows ? largest_exponent(x[i * (rows / samples + 1) % rows]) : 0);
}

inline void note_mark(u32* marks, u32 mark) {
    if (!(*(volatile u32*)marks & mark)) atomicOr(marks, mark);
}

// Adds a product of each lane. Lanes work in pairs: the even one adds lower halves and the odd one upper halves, so that both
// halves of a sum are reached at once.
template <class F> void add_product(Sum* sums, u32* marks, const Unit& unit, Place place, F product) {
    f64 exact = (f64)product;
    i64 low = 0, high = 0;
    u32 mark = 0;
    if (fabs(exact) < unit.limit) {
        f64 whole = rint(exact * unit.per_unit), rest = exact - whole * unit.unit;
        f64 last = rint(rest * unit.per_low);
        high = (i64)whole;
        low = (i64)last;
        if (last * unit.low_unit != rest) mark = IS_ROUNDED;
    } else {
        mark = IS_LARGE;
    }
    if (mark) note_mark(&marks[place / MARKS], mark << place % MARKS * 2);
    bool is_odd = threadIdx.x & 1;
    i64 half = __shfl_xor_sync(ALL, is_odd ? low : high, 1);
    Place other = __shfl_xor_sync(ALL, place, 1);
    u64 first = is_odd ? half : low, second = is_odd ? high : half;
    if (first) atomicAdd((u64*)&sums[is_odd ? other : place] + is_odd, first);
    if (second) atomicAdd((u64*)&sums[is_odd ? place : other] + is_odd, second);
}

template <class N> void add_parts(Sum* sums, u32* marks, const Unit& unit, Place column, N product, bool there) {
    if constexpr (is_float<real_of<N>>) {
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            real_of<N> size = part_of(product, part);
            add_product(sums, marks, unit, column * (Place)PARTS + (Place)part, there ? size : (real_of<N>)0);
        }
    } else if constexpr (same<N, bool8>) {
        if (there && product) atomicOr(&sums[column].low, (u64)1);
    } else {
        if (there) atomicAdd(&sums[column].low, (u64)product);
    }
}

extern "C" __global__ void __launch_bounds__(256)
transposed_sums(const I* start, const I* column, const T* value, const T* x, Sum* sums, u32* marks, const Window* window,
                i32 places, u64 rows) {
    u64 row = (u64)blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    u64 k = row < rows ? (u64)start[row] + threadIdx.x % LANES : 0, end = row < rows ? (u64)start[row + 1] : 0;
    T by = row < rows ? x[row] : T(0);
    Unit unit = unit_of(window, places);
    for (; __any_sync(ALL, k < end); k += LANES * AHEAD) {
        T values[AHEAD];
        Place columns[AHEAD];
#pragma unroll
        for (u32 i = 0; i < AHEAD; i++) {
            u64 at = k + i * LANES;
            columns[i] = at < end ? (Place)column[at] : 0;
            values[i] = at < end ? value[at] : T(0);
        }
#pragma unroll
        for (u32 i = 0; i < AHEAD; i++)
            add_parts(sums, marks, unit, columns[i], times(values[i], by), k + i * LANES < end);
    }
}

// The number of a sum; `is_open` is set where products have to be added again.
template <class F> F number_of(Sum sum, u32 mark, i32 exponent, i32 places, bool& is_open) {
    if constexpr (is_float<F>) {
        i64 low = (i64)sum.low, high = (i64)sum.high;
        Wide whole{high >> (64 - places), (u64)high << places};
        u64 total = whole.low + (u64)low;
        whole.high += (low < 0 ? -1 : 0) + (total < whole.low ? 1 : 0);
        whole.low = total;
        Wide size = whole.size();
        bool is_small = size.high == 0 && size.low >> (FRACTION + 1) == 0;
        if ((mark & IS_LARGE) || ((mark & IS_ROUNDED) && is_small)) is_open = true;
        return rounded<F>(whole, exponent);
    } else if constexpr (same<F, bool8>) {
        return bool8(sum.low != 0);
    } else {
        return (F)sum.low;
    }
}

// Makes numbers of the sums. Sums of elements that are left open are cleared; `open` has a bit for each element.
extern "C" __global__ void __launch_bounds__(256)
transposed_numbers(Sum* sums, const u32* marks, u32* open, Window* window, T* out, i32 places, u64 width) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x;
    bool is_open = false;
    if (i < width) {
        Part parts[PARTS];
        i32 exponent = is_float<Part> ? unit_of(window, places).exponent : 0;
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            u64 at = i * PARTS + part;
            u32 mark = is_float<Part> ? marks[at / MARKS] >> at % MARKS * 2 : 0;
            parts[part] = number_of<Part>(sums[at], mark, exponent, places, is_open);
        }
        if (is_open)
            for (u32 part = 0; part < PARTS; part++) sums[i * PARTS + part] = Sum{0, 0};
        out[i] = made_of<T>(parts);
    }
    if (!is_float<Part>) return;
    u32 bits = __ballot_sync(ALL, is_open);
    if (threadIdx.x % 32 == 0 && i < width) {
        open[i / 32] = bits;
        if (bits) window->is_open = 1;
    }
}

// Sums in units of their own

// The bits of a product in its sum, more than it has itself. The sums of 2^(63 - BITS) products fit 64 bits.
constexpr int BITS = same<Part, f32> ? 44 : 58;
// What a sum has of products that are not finite.
constexpr u64 HAS_NAN = 1, HAS_PLUS = 2, HAS_MINUS = 4;

// `high` counts how often `low`, a signed number, has overflowed. All zero before.
struct alignas(16) ScaledSum { u64 low; i32 high; i32 exponent; };

template <class F> void note_exponent(ScaledSum* sum, F product) {
    i32 exponent = exponent_of(product);
    // Most are no larger than what was there before.
    if (exponent > *(volatile i32*)&sum->exponent) atomicMax(&sum->exponent, exponent);
}

template <class F> void add_scaled(ScaledSum* sum, F product) {
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
}

template <class F> F number_of_scaled(ScaledSum sum) {
    if (sum.exponent == ENDLESS) {
        bool is_both = (sum.low & HAS_PLUS) && (sum.low & HAS_MINUS);
        if ((sum.low & HAS_NAN) || is_both) return not_a_number<F>();
        return sum.low & HAS_PLUS ? infinity<F>() : -infinity<F>();
    }
    Wide whole{(i64)sum.high - ((i64)sum.low < 0 ? 1 : 0), sum.low};
    return rounded<F>(whole, (sum.exponent > 1 ? sum.exponent : 1) - ONE - BITS + 1);
}

template <class Visit>
void visit_open(const I* start, const I* column, const T* value, const T* x, const u32* open, u64 rows, Visit visit) {
    u64 row = (u64)blockIdx.x * (256 / LANES) + threadIdx.x / LANES;
    for (; row < rows; row += (u64)gridDim.x * (256 / LANES)) {
        u64 end = (u64)start[row + 1];
        for (u64 k = (u64)start[row] + threadIdx.x % LANES; k < end; k += LANES) {
            u64 at = (u64)column[k];
            if (!(open[at / 32] >> at % 32 & 1)) continue;
            T product = times(value[k], x[row]);
            for (u32 part = 0; part < PARTS; part++) visit(at * PARTS + part, part_of(product, part));
        }
    }
}

template <class N>
void find_open_exponents(const I* start, const I* column, const N* value, const N* x, ScaledSum* sums, const u32* open, u64 rows) {
    if constexpr (is_float<real_of<N>>)
        visit_open(start, column, value, x, open, rows, [&](u64 at, real_of<N> product) { note_exponent(sums + at, product); });
}

template <class N>
void add_open_products(const I* start, const I* column, const N* value, const N* x, ScaledSum* sums, const u32* open, u64 rows) {
    if constexpr (is_float<real_of<N>>)
        visit_open(start, column, value, x, open, rows, [&](u64 at, real_of<N> product) { add_scaled(sums + at, product); });
}

template <class N> void write_open_number(const ScaledSum* sums, N* out, u64 i) {
    if constexpr (is_float<real_of<N>>) {
        real_of<N> parts[PARTS];
        for (u32 part = 0; part < PARTS; part++) parts[part] = number_of_scaled<real_of<N>>(sums[i * PARTS + part]);
        out[i] = made_of<N>(parts);
    }
}

extern "C" __global__ void __launch_bounds__(256)
open_exponents(const I* start, const I* column, const T* value, const T* x, ScaledSum* sums, const u32* open,
               const Window* window, u64 rows) {
    if (window->is_open) find_open_exponents(start, column, value, x, sums, open, rows);
}

extern "C" __global__ void __launch_bounds__(256)
open_sums(const I* start, const I* column, const T* value, const T* x, ScaledSum* sums, const u32* open,
          const Window* window, u64 rows) {
    if (window->is_open) add_open_products(start, column, value, x, sums, open, rows);
}

extern "C" __global__ void __launch_bounds__(256)
open_numbers(const ScaledSum* sums, const u32* open, const Window* window, T* out, u64 width) {
    if (!window->is_open) return;
    for (u64 i = (u64)blockIdx.x * 256 + threadIdx.x; i < width; i += (u64)gridDim.x * 256)
        if (open[i / 32] >> i % 32 & 1) write_open_number(sums, out, i);
}
