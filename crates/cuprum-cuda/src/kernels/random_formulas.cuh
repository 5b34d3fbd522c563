// What a chunk of draws becomes. A maker turns the draws of 32 bits of a block of `Source`, two for a word, into `count` elements.

constexpr int DRAWS = Source::draws, WORDS = DRAWS / 2;

struct Parameters {
    f64 same[3];         // One number for all elements,
    const f64* each[3];  // or, where this is not null, one for each.
    u64 length;          // Of tables.
};

inline f64 parameter_at(const Parameters& parameters, int which, u64 i) {
#if EACH
    if (parameters.each[which]) return parameters.each[which][i];
#endif
    return parameters.same[which];
}

// A draw as an element: doubles are rounded to singles, and cut to integers that stay in range.
template <class T> T element_of(f64 x) {
    if constexpr (same<T, i64>) {
        if (x != x) return 0;
        if (x >= 9223372036854775808.0) return (i64)0x7fffffffffffffffull;
        return x <= -9223372036854775808.0 ? (i64)0x8000000000000000ull : (i64)x;
    } else {
        return (T)x;
    }
}

struct RawWords {
    static constexpr int count = WORDS;
    static void make(const u32* draws, u64, u64, const Parameters&, T* elements) {
        for (int i = 0; i < WORDS; i++) elements[i] = (T)word_of_draws(draws, i);
    }
};

struct DoubleUniforms {
    static constexpr int count = WORDS;
    static void make(const u32* draws, u64, u64, const Parameters&, T* elements) {
        for (int i = 0; i < WORDS; i++) elements[i] = (T)uniform_of_word(word_of_draws(draws, i));
    }
};

struct SingleUniforms {
    static constexpr int count = DRAWS;
    static void make(const u32* draws, u64, u64, const Parameters&, T* elements) {
        for (int i = 0; i < DRAWS; i++) elements[i] = (T)((f32)(i32)(draws[i] >> 8) * 0x1p-24f);
    }
};

// Uniform numbers of a range, one of each draw, as doubles that are rounded once.
struct SingleRanges {
    static constexpr int count = DRAWS;
    static void make(const u32* draws, u64 first, u64 n, const Parameters& parameters, T* elements) {
        for (int i = 0; i < DRAWS; i++) {
            u64 at = first + i < n ? first + i : n - 1;
            f64 low = parameter_at(parameters, 0, at), high = parameter_at(parameters, 1, at);
            elements[i] = (T)(low + (high - low) * ((f64)(i32)(draws[i] >> 8) * 0x1p-24));
        }
    }
};

// One formula of one word.
template <class Formula> struct One {
    static constexpr int count = WORDS;
    static void make(const u32* draws, u64 first, u64 n, const Parameters& parameters, T* elements) {
        for (int i = 0; i < WORDS; i++) {
            u64 at = first + i < n ? first + i : n - 1;
            f64 a = parameter_at(parameters, 0, at), b = parameter_at(parameters, 1, at);
            f64 c = parameter_at(parameters, 2, at);
            elements[i] = element_of<T>(Formula::of(word_of_draws(draws, i), a, b, c));
        }
    }
};

inline f64 placed(const Parameters& parameters, u64 at, f64 z, bool exponential) {
    f64 moved = parameter_at(parameters, 0, at) + parameter_at(parameters, 1, at) * z;
    return exponential ? random_exp(moved) : moved;
}

// Normal variates; STANDARD ones are neither moved nor stretched, nor made exponents.
template <bool exponential> struct Normals {
    static constexpr int count = same<T, f32> ? DRAWS : WORDS;
    static void make(const u32* draws, u64 first, u64 n, const Parameters& parameters, T* elements) {
        for (int i = 0; i < count; i += 2) {
            if constexpr (same<T, f32>) {
                SinglePair pair = single_normals_of_word(draws[i], draws[i + 1]);
                elements[i] = pair.first, elements[i + 1] = pair.second;
            } else {
                NormalPair pair = normals_of_words(word_of_draws(draws, i), word_of_draws(draws, i + 1));
                f64 z[2] = {pair.first, pair.second};
                for (int j = 0; j < 2; j++) {
                    u64 at = first + i + j < n ? first + i + j : n - 1;
                    elements[i + j] = element_of<T>(STANDARD ? z[j] : placed(parameters, at, z[j], exponential));
                }
            }
        }
        if constexpr (same<T, f32> && !STANDARD) {
            for (int i = 0; i < count; i++) {
                u64 at = first + i < n ? first + i : n - 1;
                elements[i] = (T)placed(parameters, at, (f64)elements[i], exponential);
            }
        }
    }
};

// The first place of a cumulative distribution that is above a uniform number.
struct Choices {
    static constexpr int count = WORDS;
    static void make(const u32* draws, u64, u64, const Parameters& parameters, T* elements) {
        const f64* cumulative = parameters.each[0];
        for (int i = 0; i < WORDS; i++) {
            f64 d = uniform_of_word(word_of_draws(draws, i));
            u64 low = 0, size = parameters.length;
            while (size > 0) {
                u64 half = size / 2;
                bool below = cumulative[low + half] <= d;
                low = below ? low + half + 1 : low;
                size = below ? size - half - 1 : half;
            }
            elements[i] = (T)(low < parameters.length ? low : parameters.length - 1);
        }
    }
};

// What orders without replacement sort by: an exponential variate over the place's weight. Positive doubles are ordered
// as their bits are.
struct WeightedKeys {
    static constexpr int count = WORDS;
    static void make(const u32* draws, u64 first, u64, const Parameters& parameters, T* elements) {
        for (int i = 0; i < WORDS; i++) {
            f64 weight = parameters.each[0][(first + i) % parameters.length];
            elements[i] = (T)to_bits(exponential_of_word(word_of_draws(draws, i)) / weight);
        }
    }
};

// The size with the sign that a word's first bit says.
inline f64 signed_by(u64 word, f64 size) { return from_bits(to_bits(size) ^ (word & (1ull << 63))); }

#define FORMULA(name, body)                                          \
    struct name {                                                    \
        static f64 of(u64 word, f64 a, f64 b, f64 c) { body }        \
    };
FORMULA(Uniform, return a + (b - a) * uniform_of_word(word);)
FORMULA(Exponential, return a * exponential_of_word(word);)
FORMULA(Laplace, return a + signed_by(word, b * exponential_of_word(word << 1));)
FORMULA(Gumbel, return a - b * random_log(exponential_of_word(word));)
FORMULA(Logistic, f64 r = open_of_word(word << 1); return a + signed_by(word, b * random_log((2.0 - r) / r));)
FORMULA(Rayleigh, return a * sqrt(2.0 * exponential_of_word(word));)
FORMULA(Weibull, return a == 0.0 ? 0.0 : random_pow(exponential_of_word(word), 1.0 / a);)
FORMULA(Pareto, return random_expm1(exponential_of_word(word) / a);)
FORMULA(Power, return random_exp(0.0 - exponential_of_word(word) / a);)
FORMULA(StandardCauchy, SinCos turn = sin_cos_of_word(word); return turn.sin / turn.cos;)
FORMULA(Triangular, f64 base = c - a; f64 u = uniform_of_word(word); bool rising = u <= (b - a) / base;
        f64 up = a + sqrt(u * (base * (b - a))); f64 down = c - sqrt((1.0 - u) * (base * (c - b)));
        return rising ? up : down;)
FORMULA(Geometric, f64 rate = 0.0 - random_log1p(a == 1.0 ? -0.5 : -a);
        f64 trials = ceil(exponential_of_word(word) / rate); trials = trials < 1.0 ? 1.0 : trials;
        return a == 1.0 ? 1.0 : trials;)
#undef FORMULA
