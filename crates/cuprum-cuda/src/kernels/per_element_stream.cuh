// The words that an element has to itself, and the functions of whole numbers that its sampler needs.

// The words of one element: its block of the stream, then the blocks 2^192 counters further on each time.
struct OwnWords {
    u64 key[2];
    Block counter;
    Block words;
    u32 taken;

    OwnWords(const Words& stream, u64 index) {
        key[0] = stream.key[0], key[1] = stream.key[1];
        u64 c[4] = {stream.counter[0] + index, stream.counter[1], stream.counter[2], stream.counter[3]};
        bool carry = c[0] < index;
        for (int i = 1; i < 4; i++) {
            c[i] += carry;
            carry = carry && c[i] == 0;
        }
        counter = Block{c[0], c[1], c[2], c[3]};
        words = enciphered(stream, index);
        taken = 0;
    }

    u64 word() {
        if (taken == 4) {
            counter.d++;
            words = encipher(key[0], key[1], counter);
            taken = 0;
        }
        return word_of_block(words, taken++);
    }

    f64 uniform() { return uniform_of_word(word()); }
    f64 open() { return open_of_word(word()); }
    f64 exponential() { return exponential_of_word(word()); }
    f64 normal() {
        u64 radius = word();
        return normals_of_words(radius, word()).first;
    }
};

// The angle from 0 to pi whose cosine is `x`, by the tangent of its half.
inline f64 random_arccos(f64 cosine) {
    f64 x = sqrt((1.0 - cosine) / (1.0 + cosine)), base = 0.0, t = x;
    if (x > 2.414213562373095) {
        base = RANDOM_FRAC_PI_2, t = -1.0 / x;
    } else if (x > 0.41421356237309503) {
        base = 0.5 * RANDOM_FRAC_PI_2, t = (x - 1.0) / (x + 1.0);
    }
    f64 z = t * t, sum = -0.017879708301412847;
    sum = sum * z + 0.03803791191990939;
    sum = sum * z + -0.05038186785918242;
    sum = sum * z + 0.05847623463551428;
    sum = sum * z + -0.06663064643919558;
    sum = sum * z + 0.07692056445030958;
    sum = sum * z + -0.09090897524810035;
    sum = sum * z + 0.11111110774431232;
    sum = sum * z + -0.14285714279991113;
    sum = sum * z + 0.1999999999995119;
    sum = sum * z + -0.33333333333333187;
    return 2.0 * (base + (t + t * z * sum));
}

constexpr f64 HALF_LOG_TWO_PI = 0.9189385332046728;

// What Stirling's formula for log(k!) leaves out, of a whole number.
inline f64 stirling_rest(f64 k) {
    if (k < 10.0) {
        f64 rest = 0.08106146679532726;
        rest = k >= 1.0 ? 0.0413406959554093 : rest;
        rest = k >= 2.0 ? 0.02767792568499834 : rest;
        rest = k >= 3.0 ? 0.02079067210376509 : rest;
        rest = k >= 4.0 ? 0.01664469118982119 : rest;
        rest = k >= 5.0 ? 0.01387612882307075 : rest;
        rest = k >= 6.0 ? 0.01189670994589177 : rest;
        rest = k >= 7.0 ? 0.01041126526197209 : rest;
        rest = k >= 8.0 ? 0.009255462182712733 : rest;
        return k >= 9.0 ? 0.00833056343336287 : rest;
    }
    f64 x = 1.0 / (k + 1.0), z = x * x;
    return x * (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z / 1188.0))));
}

// log(k!) of a whole number.
inline f64 log_factorial(f64 k) {
    return (k + 0.5) * random_log(k + 1.0) - (k + 1.0) + HALF_LOG_TWO_PI + stirling_rest(k);
}
