// Types, limits and conversions: what every kernel text stands on. half.cuh and complex.cuh complete the types
// that are only declared here. Parsed with every kernel, so it holds nothing that few of them need.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// A bool in memory: every byte but zero is true. Read as a bool of the language, such a byte may be anything.
struct bool8 {
    u8 byte;
    bool8() = default;
    bool8(bool x) : byte(x) {}
    operator bool() const { return byte != 0; }
};

struct f16;
struct bf16;
template <class T> struct complex;

template <class A, class B> constexpr bool same = false;
template <class T> constexpr bool same<T, T> = true;

// What a type is: bool is none of these, f16 and bf16 are half only.
template <class T> constexpr bool is_signed = same<T, i8> || same<T, i16> || same<T, i32> || same<T, i64>;
template <class T> constexpr bool is_unsigned = same<T, u8> || same<T, u16> || same<T, u32> || same<T, u64>;
template <class T> constexpr bool is_integer = is_signed<T> || is_unsigned<T>;
template <class T> constexpr bool is_float = same<T, f32> || same<T, f64>;
template <class T> constexpr bool is_half = same<T, f16> || same<T, bf16>;
template <class T> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<complex<T>> = true;

// The type of a complex number's parts; a real type is its own.
template <class T> struct RealOf { typedef T type; };
template <class T> struct RealOf<complex<T>> { typedef T type; };
template <class T> using real_of = typename RealOf<T>::type;

// The unsigned integer of a size in bytes, and that of a type's own size.
template <int size> struct WordOf;
template <> struct WordOf<1> { typedef u8 type; };
template <> struct WordOf<2> { typedef u16 type; };
template <> struct WordOf<4> { typedef u32 type; };
template <> struct WordOf<8> { typedef u64 type; };
template <class T> using word_of = typename WordOf<sizeof(T)>::type;

// The type to compute a number's arithmetic in without overflow being undefined, and without the promotion of
// small types to int letting a product of two u16 overflow it.
template <class T> struct WideWord { typedef u32 type; };
template <> struct WideWord<i64> { typedef u64 type; };
template <> struct WideWord<u64> { typedef u64 type; };
template <class T> using wide_word = typename WideWord<T>::type;

// The bits of a float, and the float of bits.
#ifdef __CUDACC__
inline u32 to_bits(f32 x) { return __float_as_uint(x); }
inline u64 to_bits(f64 x) { return (u64)__double_as_longlong(x); }
inline f32 from_bits(u32 bits) { return __uint_as_float(bits); }
inline f64 from_bits(u64 bits) { return __longlong_as_double((i64)bits); }
#else
inline u32 to_bits(f32 x) { return __builtin_bit_cast(u32, x); }
inline u64 to_bits(f64 x) { return __builtin_bit_cast(u64, x); }
inline f32 from_bits(u32 bits) { return __builtin_bit_cast(f32, bits); }
inline f64 from_bits(u64 bits) { return __builtin_bit_cast(f64, bits); }
#endif

// The positive infinity of a real floating type.
template <class T> T infinity() {
    if constexpr (same<T, f32>) return from_bits(0x7f800000u);
    else if constexpr (same<T, f64>) return from_bits(0x7ff0000000000000ull);
    else if constexpr (same<T, f16>) return T::of_bits(0x7c00);
    else return T::of_bits(0x7f80);
}

// A quiet NaN of a real floating type.
template <class T> T not_a_number() {
    if constexpr (same<T, f32>) return from_bits(0x7fc00000u);
    else if constexpr (same<T, f64>) return from_bits(0x7ff8000000000000ull);
    else if constexpr (same<T, f16>) return T::of_bits(0x7e00);
    else return T::of_bits(0x7fc0);
}

// The largest finite value of a real type.
template <class T> T highest() {
    if constexpr (same<T, bool>) return true;
    else if constexpr (same<T, f32>) return from_bits(0x7f7fffffu);
    else if constexpr (same<T, f64>) return from_bits(0x7fefffffffffffffull);
    else if constexpr (same<T, f16>) return T::of_bits(0x7bff);
    else if constexpr (same<T, bf16>) return T::of_bits(0x7f7f);
    else if constexpr (is_signed<T>) return (T)(((word_of<T>)-1) >> 1);
    else return (T)-1;
}

// The smallest finite value of a real type.
template <class T> T lowest() {
    if constexpr (same<T, bool>) return false;
    else if constexpr (is_integer<T>) return (T)(highest<T>() + (word_of<T>)1);
    else return -highest<T>();
}

template <class T> bool is_nan(T x) {
    if constexpr (is_float<T>) return x != x;
    else if constexpr (same<T, f16>) return (x.bits & 0x7fff) > 0x7c00;
    else if constexpr (same<T, bf16>) return (x.bits & 0x7fff) > 0x7f80;
    else if constexpr (is_complex<T>) return x.re != x.re || x.im != x.im;
    else return false;
}

// Truncation with the results of x86 for what C leaves undefined: out of range, the smallest i32 or i64, of which
// the small types keep the low bits; u64 converts the upper half of its range by an offset.
template <class To, class From> To truncated(From x) {
    constexpr From two_31 = 2147483648.0, two_63 = 9223372036854775808.0;
    if constexpr (same<To, i64>) {
        return x >= -two_63 && x < two_63 ? (i64)x : (i64)0x8000000000000000ull;
    } else if constexpr (same<To, u64>) {
        return x >= two_63 ? (u64)truncated<i64>(x - two_63) ^ 0x8000000000000000ull : (u64)truncated<i64>(x);
    } else if constexpr (same<To, u32>) {
        return (u32)truncated<i64>(x);
    } else {
        return (To)(x >= -two_31 && x < two_31 ? (i32)x : (i32)0x80000000u);
    }
}

template <class To, class From> To narrowed(From x);

// The value of a number in another type: NumPy's astype.
template <class To, class From> To cast(From x) {
    if constexpr (same<To, From>) return x;
    else if constexpr (is_complex<From>) {
        if constexpr (is_complex<To>) return To(cast<real_of<To>>(x.re), cast<real_of<To>>(x.im));
        else if constexpr (same<To, bool>) return x.re != 0 || x.im != 0;
        else return cast<To>(x.re);
    }
    else if constexpr (is_complex<To>) return To(cast<real_of<To>>(x), 0);
    else if constexpr (is_half<From>) return cast<To>((f32)x);
    else if constexpr (is_half<To>) return narrowed<To>(x);
    else if constexpr (same<To, bool>) return x != 0;
    else if constexpr (is_float<From> && is_integer<To>) return truncated<To>(x);
    else return (To)x;
}
