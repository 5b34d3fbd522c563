// The elementary functions of random numbers, operation by operation those of the host: sums, products, quotients and
// square roots, each rounded and none fused, so that the bits are the same.

constexpr f64 RANDOM_LN_2_HI = 0.6931471803691238, RANDOM_LN_2_LO = 1.9082149292705877e-10;
constexpr f64 RANDOM_SHIFT = 4503599627370496.0, RANDOM_FRAC_PI_2 = 1.57079632679489661923132169163975144;
constexpr u64 RANDOM_ONE_BITS = 0x3ff0000000000000ull, RANDOM_SQRT_HALF_BITS = 0x3fe6a09e667f3bcdull;

// The natural logarithm of a positive, normal, finite number.
inline f64 random_log(f64 x) {
    u64 shifted = to_bits(x) + (RANDOM_ONE_BITS - RANDOM_SQRT_HALF_BITS);
    f64 k = from_bits((shifted >> 52) | 0x4330000000000000ull) - (RANDOM_SHIFT + 1023.0);
    f64 f = from_bits((shifted & 0x000fffffffffffffull) + RANDOM_SQRT_HALF_BITS) - 1.0;
    f64 s = f / (2.0 + f);
    f64 z = s * s;
    f64 half_square = 0.5 * f * f;
    f64 sum = 0.14806476550030362;
    sum = sum * z + 0.15313024763447428;
    sum = sum * z + 0.18183603499020431;
    sum = sum * z + 0.22222197833440932;
    sum = sum * z + 0.28571428749528;
    sum = sum * z + 0.3999999999938226;
    sum = sum * z + 0.666666666666674;
    f64 series = z * sum;
    f64 low = s * (half_square + series) + k * RANDOM_LN_2_LO;
    return k * RANDOM_LN_2_HI + (f - (half_square - low));
}

inline f64 random_power_of_two(i64 k) { return from_bits((u64)(k + 1023) << 52); }

// e^x; zero and infinity where the result is out of range, NaN stays.
inline f64 random_exp(f64 x) {
    f64 bounded = x > 710.0 ? 710.0 : x;
    bounded = bounded < -746.0 ? -746.0 : bounded;
    f64 near = bounded * 1.44269504088896340735992468100189214 + 1.5 * RANDOM_SHIFT;
    f64 n = near - 1.5 * RANDOM_SHIFT;
    f64 r = (bounded - n * RANDOM_LN_2_HI) - n * RANDOM_LN_2_LO;
    f64 sum = 2.5113307170417768e-08;
    sum = sum * r + 2.763289753478611e-07;
    sum = sum * r + 2.7557231255241657e-06;
    sum = sum * r + 2.4801485566458998e-05;
    sum = sum * r + 0.00019841269899934915;
    sum = sum * r + 0.0013888888951076091;
    sum = sum * r + 0.008333333333315639;
    sum = sum * r + 0.04166666666650061;
    sum = sum * r + 0.16666666666666685;
    sum = sum * r + 0.5000000000000014;
    f64 value = 1.0 + (r + r * r * sum);
    i64 k = (i64)(to_bits(near) - to_bits(1.5 * RANDOM_SHIFT));
    i64 half = k >> 1;
    return value * random_power_of_two(half) * random_power_of_two((i64)((u64)k - (u64)half));
}

// log(1 + x) for x above -1.
inline f64 random_log1p(f64 x) {
    f64 u = 1.0 + x;
    return random_log(u) + (x - (u - 1.0)) / u;
}

// e^x - 1, accurate near zero by Kahan's quotient.
inline f64 random_expm1(f64 x) {
    f64 u = random_exp(x);
    f64 plain = u - 1.0;
    bool near = fabs(plain) < 0.5;
    f64 safe = near && plain != 0.0 ? u : 2.0;
    f64 corrected = plain * (x / random_log(safe));
    f64 value = near ? corrected : plain;
    return plain == 0.0 ? x : value;
}

inline f64 random_pow(f64 x, f64 y) { return random_exp(y * random_log(x)); }

struct SinCos {
    f64 sin, cos;
};

// Of the angle that a word stands for: two bits of quadrant, then 52 bits of its fraction.
inline SinCos sin_cos_of_word(u64 word) {
    f64 fraction = from_bits(((word << 2) >> 12) | RANDOM_ONE_BITS);
    f64 quarter_turns = (fraction - 1.5) + 0x1p-53;
    f64 x = quarter_turns * RANDOM_FRAC_PI_2;
    f64 z = x * x;
    f64 s = 1.589557030938139e-10;
    s = s * z + -2.5050736875202225e-08;
    s = s * z + 2.7557313554567605e-06;
    s = s * z + -0.0001984126982940168;
    s = s * z + 0.00833333333332188;
    s = s * z + -0.1666666666666663;
    f64 c = -1.1358745330788374e-11;
    c = c * z + 2.087570579559317e-09;
    c = c * z + -2.7557314222805186e-07;
    c = c * z + 2.480158728902731e-05;
    c = c * z + -0.0013888888888873377;
    c = c * z + 0.041666666666666595;
    f64 sin = x + x * z * s, cos = (1.0 - 0.5 * z) + z * z * c;
    bool odd = word & (1ull << 62);
    f64 upright = odd ? cos : sin, level = odd ? sin : cos;
    u64 sign = 1ull << 63;
    return SinCos{from_bits(to_bits(upright) ^ (word & sign)),
                  from_bits(to_bits(level) ^ ((word ^ (word << 1)) & sign))};
}

// The logarithm of a uniform number in (0, 1), negated: the word's place in 2^64, taken from the nearer end.
inline f64 exponential_of_word(u64 word) {
    bool upper = word >> 63;
    u64 near = upper ? ~word : word;
    f64 o = ((f64)near + 0.5) * 0x1p-64;
    f64 u = upper ? 1.0 - o : o;
    f64 lost = upper ? (-o - (u - 1.0)) * (1.0 + o) : 0.0;
    return 0.0 - (random_log(u) + lost);
}

// A uniform number in [0, 1) of 53 bits.
inline f64 uniform_of_word(u64 word) { return (f64)(word >> 11) * 0x1p-53; }

// A uniform number in (0, 1].
inline f64 open_of_word(u64 word) { return ((f64)word + 0.5) * 0x1p-64; }

struct NormalPair {
    f64 first, second;
};

// Two independent normal variates of two words.
inline NormalPair normals_of_words(u64 radius, u64 angle) {
    f64 r = sqrt(2.0 * exponential_of_word(radius));
    SinCos turn = sin_cos_of_word(angle);
    return NormalPair{r * turn.cos, r * turn.sin};
}
