// Reducers: how elements are taken into a state, how states join, and what result a state stands for. A neutral
// state changes no other. A thread's state is settled once it has all its elements; only settled states join, unless
// the reducer SPREADS: then a thread keeps a state for each element of a pack, since short sums round less and wait
// less for each other.
template <class S> S read_word(const S* from);
struct SettledByDefault {
    template <class S> static S settled(S state) { return state; }
    // A state that another block has left in memory. Bytes between the parts of a state are never written.
    template <class S> static S read(const S* from) { return read_word(from); }
};

// The type in which elements are added up, and that in which they are multiplied.
template <class T> struct Wide {
    typedef wide_word<T> sum;
    typedef wide_word<T> product;
};
template <> struct Wide<f16> { typedef f32 sum, product; };
template <> struct Wide<bf16> { typedef f32 sum, product; };
template <> struct Wide<f32> { typedef f64 sum; typedef f32 product; };
template <> struct Wide<f64> { typedef f64 sum, product; };
template <> struct Wide<complex<f32>> { typedef complex<f64> sum; typedef complex<f32> product; };
template <> struct Wide<complex<f64>> { typedef complex<f64> sum, product; };

template <class T> struct Sum : SettledByDefault {
    typedef typename Wide<T>::sum State;
    static constexpr bool SPREADS = true;
    static State neutral() { return State(0); }
    static void take(State& s, T x, Index) { s = s + cast<State>(x); }
    static State join(State a, State b) { return a + b; }
    static T lower(State s) { return cast<T>(s); }
};

template <class T> struct Prod : SettledByDefault {
    typedef typename Wide<T>::product State;
    static constexpr bool SPREADS = true;
    static State neutral() { return State(1); }
    static void take(State& s, T x, Index) { s = s * cast<State>(x); }
    static State join(State a, State b) { return a * b; }
    static T lower(State s) { return cast<T>(s); }
};

// Any (0), all (1) or an odd number (2) of elements are true; NaN is.
template <class T, int HOW> struct Truth : SettledByDefault {
    typedef u32 State;
    static constexpr bool SPREADS = true;
    static State neutral() { return HOW == 1; }
    static State join(State a, State b) { return HOW == 0 ? a | b : HOW == 1 ? a & b : a ^ b; }
    static void take(State& s, T x, Index) { s = join(s, (State)cast<bool>(x)); }
    static bool lower(State s) { return s != 0; }
};

template <class T> struct Count : SettledByDefault {
    typedef Index State;
    static constexpr bool SPREADS = true;
    static State neutral() { return 0; }
    static State join(State a, State b) { return a + b; }
    static void take(State& s, T x, Index) { s += cast<bool>(x); }
    static i64 lower(State s) { return (i64)s; }
};

// Bitwise and (0), or (1), xor (2) of integers.
template <class T, int HOW> struct Bits : SettledByDefault {
    typedef wide_word<T> State;
    static constexpr bool SPREADS = true;
    static State neutral() { return HOW == 0 ? ~State(0) : State(0); }
    static State join(State a, State b) { return HOW == 0 ? a & b : HOW == 1 ? a | b : a ^ b; }
    static void take(State& s, T x, Index) { s = join(s, (State)x); }
    static T lower(State s) { return (T)s; }
};

// NumPy's order: complex numbers by real part, then by imaginary part.
template <class T> bool is_below(T a, T b) {
    if constexpr (is_complex<T>) return a.re < b.re || (a.re == b.re && a.im < b.im);
    else return a < b;
}

// What loses against every element: of a NaN-skipping extremum NaN, where there is one.
template <class T, bool MAX, bool SKIP> T worst() {
    if constexpr (is_complex<T>) {
        const real_of<T> part = worst<real_of<T>, MAX, SKIP>();
        return T(part, part);
    } else if constexpr (is_float<T> || is_half<T>) {
        return SKIP ? not_a_number<T>() : MAX ? -infinity<T>() : infinity<T>();
    } else {
        return MAX ? lowest<T>() : highest<T>();
    }
}

// Whether `b` is taken instead of `a`: NaN wins, or loses if SKIP; of equals the first stays.
template <class T, bool MAX, bool SKIP> bool is_better(T a, T b) {
    const bool beyond = MAX ? is_below(a, b) : is_below(b, a);
    // A complex number may be below another one though one of its parts is NaN.
    if (SKIP) return (is_nan(a) || beyond) && !(is_complex<T> && is_nan(b));
    return !is_nan(a) && (beyond || is_nan(b));
}

template <class T> bool has_sign_bit(T x) {
    if constexpr (is_half<T>) return x.bits >> 15 != 0;
    else return to_bits(x) >> (sizeof(T) * 8 - 1) != 0;
}

// Of two zeros -0 is the smaller one: which of them comes first depends on how threads share the elements.
template <class T, bool MAX, bool SKIP> struct Extremum : SettledByDefault {
    typedef T State;
    static constexpr bool SPREADS = true;
    static State neutral() { return worst<T, MAX, SKIP>(); }
    static State join(State a, State b) {
        bool takes_b = is_better<T, MAX, SKIP>(a, b);
        if constexpr (is_float<T> || is_half<T>) takes_b = takes_b || (a == b && has_sign_bit(a) == MAX);
        return takes_b ? b : a;
    }
    static void take(State& s, T x, Index) { s = join(s, x); }
    static T lower(State s) { return s; }
};

// The best element and its position: in whatever order elements come, of equals or NaNs the first is found.
template <class T, bool MAX, bool SKIP> struct Found : SettledByDefault {
    struct State {
        T value;
        Index at;
    };
    static constexpr bool SPREADS = false;
    static State neutral() { return {worst<T, MAX, SKIP>(), (Index)-1}; }
    static State join(State a, State b) {
        const bool both_nan = is_nan(a.value) && is_nan(b.value);
        const bool takes_b = both_nan ? b.at < a.at
            : is_better<T, MAX, SKIP>(a.value, b.value)
                || (b.at < a.at && !is_better<T, MAX, SKIP>(b.value, a.value));
        return takes_b ? b : a;
    }
    static void take(State& s, T x, Index at) { s = join(s, State{x, at}); }
    static State read(const State* from) { return {read_word(&from->value), read_word(&from->at)}; }
};
template <class T, bool MAX> struct Position : Found<T, MAX, false> {
    static i64 lower(typename Found<T, MAX, false>::State s) { return (i64)s.at; }
};
// Complex extrema: NaNs can be told apart by their other part.
template <class T, bool MAX, bool SKIP> struct FirstExtremum : Found<T, MAX, SKIP> {
    static T lower(typename Found<T, MAX, SKIP>::State s) { return s.value; }
};

// The sum of squared deviations from the mean. A thread adds up its elements shifted by the first of them, so that
// what cancels stays bounded; settled states have the mean as their shift.
template <class T> struct Moments {
    static constexpr int PARTS = is_complex<T> ? 2 : 1;
    struct State {
        f64 shift[PARTS], sum[PARTS], squares;
        Index count;
    };
    static constexpr bool SPREADS = false;
    static void split(T x, f64 (&parts)[PARTS]) {
        if constexpr (is_complex<T>) {
            parts[0] = x.re;
            parts[1] = x.im;
        } else {
            parts[0] = x;
        }
    }
    static State neutral() {
        State s;
        for (int i = 0; i < PARTS; ++i) s.shift[i] = s.sum[i] = 0;
        s.squares = 0;
        s.count = 0;
        return s;
    }
    static void take(State& s, T x, Index) {
        f64 parts[PARTS];
        split(x, parts);
        for (int i = 0; i < PARTS; ++i) {
            if (s.count == 0) s.shift[i] = parts[i];
            const f64 d = parts[i] - s.shift[i];
            s.sum[i] += d;
            s.squares += d * d;
        }
        ++s.count;
    }
    static State settled(State s) {
        if (s.count == 0) return s;
        f64 off = 0;
        for (int i = 0; i < PARTS; ++i) {
            const f64 mean = s.sum[i] / (f64)s.count;
            off += s.sum[i] * mean;
            s.shift[i] += mean;
        }
        s.squares -= off;
        // Rounding must not make a sum of squares negative; NaN stays.
        if (s.squares < 0) s.squares = 0;
        return s;
    }
    static State join(State a, State b) {
        if (b.count == 0) return a;
        if (a.count == 0) return b;
        const f64 count = (f64)a.count, part = (f64)b.count / (f64)(a.count + b.count);
        f64 distance = 0;
        for (int i = 0; i < PARTS; ++i) {
            const f64 shift = b.shift[i] - a.shift[i];
            distance += shift * shift;
            a.shift[i] += shift * part;
        }
        a.squares += b.squares + distance * count * part;
        a.count += b.count;
        return a;
    }
    static State read(const State* from) {
        State s;
        for (int i = 0; i < PARTS; ++i) {
            s.shift[i] = read_word(from->shift + i);
            s.sum[i] = read_word(from->sum + i);
        }
        s.squares = read_word(&from->squares);
        s.count = read_word(&from->count);
        return s;
    }
    static real_of<T> lower(State s) { return (real_of<T>)s.squares; }
};

// What a thread has of one reduction: COUNT states, over which the elements of a pack go around. Elements are taken in
// runs: where the reducer SPREADS a run has states of its own, which join the total when it closes.
template <class R, int COUNT> struct ThreadStates {
    typename R::State at[COUNT];
    void clear() {
        #pragma unroll
        for (int i = 0; i < COUNT; ++i) at[i] = R::neutral();
    }
    void start(const ThreadStates& total) {
        #pragma unroll
        for (int i = 0; i < COUNT; ++i) at[i] = R::SPREADS ? R::neutral() : total.at[i];
    }
    template <class T> void take(T x, Index position, int j) { R::take(at[j % COUNT], x, position); }
    void close(const ThreadStates& run) {
        #pragma unroll
        for (int i = 0; i < COUNT; ++i) at[i] = R::SPREADS ? R::join(at[i], run.at[i]) : run.at[i];
    }
    typename R::State joined() const {
        typename R::State total = at[0];
        #pragma unroll
        for (int i = 1; i < COUNT; ++i) total = R::join(total, at[i]);
        return R::settled(total);
    }
};

// A state from another thread of the same group of `width` neighbours, words at a time.
template <class S> S shuffled_word(S state, int offset, int width) {
    union Words {
        S state;
        u32 at[(sizeof(S) + 3) / 4];
        Words() {}
    } words;
    words.at[(sizeof(S) + 3) / 4 - 1] = 0;
    words.state = state;
    for (int i = 0; i < (int)((sizeof(S) + 3) / 4); ++i)
        words.at[i] = __shfl_down_sync(0xffffffffu, words.at[i], offset, width);
    return words.state;
}

// A state that another block wrote in this launch.
template <class S> S read_word(const S* from) {
    constexpr int WORD = sizeof(S) % 4 == 0 ? 4 : sizeof(S) % 2 == 0 ? 2 : 1;
    typedef typename WordOf<WORD>::type Word;
    union Words {
        S state;
        Word at[sizeof(S) / WORD];
        Words() {}
    } words;
    for (int i = 0; i < (int)sizeof(S) / WORD; ++i) words.at[i] = ((const volatile Word*)from)[i];
    return words.state;
}
