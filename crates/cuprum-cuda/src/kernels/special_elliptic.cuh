// Elliptic integrals and functions.
// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: elliptic.rs.

namespace elementary {
namespace special {

namespace tables_of_elliptic {
COEFFICIENTS f64 ELLIPK_FREE[] = {
    1.3862943611198906, 0.096573590282243473, 0.030885147623349364, 0.014938205661141902, 0.0087965427536810211,
    0.0062513268540851194, 0.0070795360339489141, 0.0099625943563846037, 0.0077552193408420216,
    0.0021349987636091068, 0.00012480400572044507
};
COEFFICIENTS f64 ELLIPK_LOG[] = {
    0.5, 0.12499999999974691, 0.070312499517312905, 0.048827999278910604, 0.03737568648333136, 0.030092762264473857,
    0.023748222754572936, 0.015131680797149984, 0.0056592550062416636, 0.00084600335332467923, 2.6440395985929204e-5
};
COEFFICIENTS f64 ELLIPE_FREE[] = {
    1.0, 0.44314718056088275, 0.056805194486717979, 0.021831792516886726, 0.011568702429704026,
    0.0075834783846741607, 0.007775806750471346, 0.010740055525949505, 0.0086859514834896245, 0.0025050931645852736,
    0.00015307149153522333
};
COEFFICIENTS f64 ELLIPE_LOG[] = {
    0.24999999999990129, 0.093749999732803558, 0.058593665176192748, 0.042718144509677646, 0.033483778929706736,
    0.026177082688860898, 0.016882366766341162, 0.0065001673542833546, 0.0010075743064279307, 3.2682013259543213e-5
};
COEFFICIENTS f64 PI = 3.141592653589793;
COEFFICIENTS f64 HALF_PI = 1.5707963267948966;
}

inline Pair both_means(f64 x, f64 y);
inline f64 plain_agm(f64 a, f64 b);
inline bool agm_is_rare(f64 a, f64 b);
inline Pair rc_step(f64 x, f64 y);
inline f64 plain_elliprc(f64 x, f64 y);
inline bool elliprc_is_rare(f64 x, f64 y);
inline Triple landen_down(f64 a, f64 b);
inline Triple landen_up(f64 k, f64 sn, f64 cn, f64 dn);
inline Quadruple ellipj_near(f64 u, f64 m);
inline bool ellipj_is_rare(f64 u, f64 m);
inline f64 plain_ellipj_sn(f64 u, f64 m);
inline f64 plain_ellipj_cn(f64 u, f64 m);
inline f64 plain_ellipj_dn(f64 u, f64 m);
inline f64 plain_ellipj_ph(f64 u, f64 m);
inline bool ellipj_ph_is_rare(f64 u, f64 m);
inline f64 plain_ellipkm1(f64 p);
inline bool ellipkm1_is_rare(f64 p);
inline f64 plain_ellipk(f64 m);
inline bool ellipk_is_rare(f64 m);
inline f64 ellipe_within(f64 p);
inline f64 plain_ellipe(f64 m);
RARE f64 agm_positive(f64 a, f64 b);
RARE f64 agm(f64 a, f64 b);
RARE f64 ellipkm1(f64 p);
inline f64 ellipkm1_far(f64 p);
RARE f64 ellipk(f64 m);
RARE f64 ellipe(f64 m);
RARE f64 carlson_rf(f64 x0, f64 y0, f64 z0);
RARE f64 carlson_rd(f64 x0, f64 y0, f64 z0);
inline bool carlson_refuses(f64 x, f64 y, f64 z);
RARE f64 elliprf(f64 x, f64 y, f64 z);
RARE f64 elliprd(f64 x, f64 y, f64 z);
RARE f64 elliprc(f64 x, f64 y);
RARE f64 elliprg(f64 x, f64 y, f64 z);
inline f64 one_less(f64 m, f64 s, f64 c);
RARE f64 ellipkinc(f64 phi, f64 m);
RARE f64 ellipeinc(f64 phi, f64 m);
RARE Quadruple ellipj(f64 u, f64 m);
inline f64 ellipj_sn(f64 u, f64 m);
inline f64 ellipj_cn(f64 u, f64 m);
inline f64 ellipj_dn(f64 u, f64 m);
inline f64 ellipj_ph(f64 u, f64 m);

// The means of two numbers.
inline Pair both_means(f64 x, f64 y) {
    return {0.5 * (x + y), elementary::root(x * y)};
}

// The mean of arithmetic and geometric mean, of numbers whose ratio is up to 1000.
inline f64 plain_agm(f64 a, f64 b) {
    auto [x1, y1] = both_means(a, b);
    auto [x2, y2] = both_means(x1, y1);
    auto [x3, y3] = both_means(x2, y2);
    auto [x4, y4] = both_means(x3, y3);
    auto [x5, y5] = both_means(x4, y4);
    return 0.5 * (x5 + y5);
}

// Whether agm takes another way.
inline bool agm_is_rare(f64 a, f64 b) {
    return !(a > 1e-100 && b > 1e-100 && a < 1e100 && b < 1e100 && a < 1e3 * b && b < 1e3 * a);
}

// One duplication of Carlson's degenerate integral.
inline Pair rc_step(f64 x, f64 y) {
    auto shift = fused(2.0, elementary::root(x * y), y);
    return {0.25 * (x + shift), 0.25 * (y + shift)};
}

// Carlson's degenerate integral of numbers whose ratio is up to 1000.
inline f64 plain_elliprc(f64 x, f64 y) {
    auto [x1, y1] = rc_step(x, y);
    auto [x2, y2] = rc_step(x1, y1);
    auto [x3, y3] = rc_step(x2, y2);
    auto [x4, y4] = rc_step(x3, y3);
    auto [x5, y5] = rc_step(x4, y4);
    auto [x6, y6] = rc_step(x5, y5);
    auto [x7, y7] = rc_step(x6, y6);
    auto mean = (x7 + 2.0 * y7) / 3.0;
    auto s = (y7 - x7) / (3.0 * mean);
    auto series = s * s * (0.3 + s * (0.14285714285714285 + s * (0.375 + s * (0.4090909090909091 + s * (0.7644230769230769 + 1.125 * s)))));
    return (1.0 + series) / elementary::root(mean);
}

// Whether elliprc takes another way.
inline bool elliprc_is_rare(f64 x, f64 y) {
    return agm_is_rare(x, y);
}

// A step of Landen's transformation: the means, and the next modulus.
inline Triple landen_down(f64 a, f64 b) {
    auto sum = a + b;
    return {0.5 * sum, elementary::root(a * b), plain_quotient(a - b, sum)};
}

// The elliptic functions of a modulus from those of the next one, k.
inline Triple landen_up(f64 k, f64 sn, f64 cn, f64 dn) {
    auto part = k * sn * sn;
    auto inverse = plain_inverse(1.0 + part);
    return {(1.0 + k) * sn * inverse, cn * dn * inverse, (1.0 - part) * inverse};
}

// The elliptic functions sn, cn and dn, and the mean amplitude, of an m up to 0.99 and a u up to 1e4 in size.
inline Quadruple ellipj_near(f64 u, f64 m) {
    auto [a1, b1, k1] = landen_down(1.0, elementary::root(1.0 - m));
    auto [a2, b2, k2] = landen_down(a1, b1);
    auto [a3, b3, k3] = landen_down(a2, b2);
    auto [a4, b4, k4] = landen_down(a3, b3);
    auto [a5, _b5, k5] = landen_down(a4, b4);
    auto angle = a5 * u;
    auto [s5, c5, d5] = landen_up(k5, cu_sin(angle), cu_cos(angle), 1.0);
    auto [s4, c4, d4] = landen_up(k4, s5, c5, d5);
    auto [s3, c3, d3] = landen_up(k3, s4, c4, d4);
    auto [s2, c2, d2] = landen_up(k2, s3, c3, d3);
    auto [s1, c1, d1] = landen_up(k1, s2, c2, d2);
    return {s1, c1, d1, angle};
}

// Whether the elliptic functions take another way.
inline bool ellipj_is_rare(f64 u, f64 m) {
    return !(m >= 0.0 && m < 0.99 && u > -1e4 && u < 1e4);
}

// The elliptic function sn of such numbers.
inline f64 plain_ellipj_sn(f64 u, f64 m) {
    auto [sn, _cn, _dn, _angle] = ellipj_near(u, m);
    return sn;
}

// The elliptic function cn of such numbers.
inline f64 plain_ellipj_cn(f64 u, f64 m) {
    auto [_sn, cn, _dn, _angle] = ellipj_near(u, m);
    return cn;
}

// The elliptic function dn of such numbers.
inline f64 plain_ellipj_dn(f64 u, f64 m) {
    auto [_sn, _cn, dn, _angle] = ellipj_near(u, m);
    return dn;
}

// The amplitude of such numbers, which is within a quarter of a turn of the mean one.
inline f64 plain_ellipj_ph(f64 u, f64 m) {
    auto [sn, cn, _dn, angle] = ellipj_near(u, m);
    auto within = cu_arctan2(sn, cn);
    return fused(6.283185307179586, nearest_even((angle - within) * 0.15915494309189535), within);
}

// Whether the amplitude takes another way.
inline bool ellipj_ph_is_rare(f64 u, f64 m) {
    return ellipj_is_rare(u, m) || elementary::size(u) < 1e-100;
}

// The complete elliptic integral of the first kind of 1 - p, p from 1e-290 to one.
inline f64 plain_ellipkm1(f64 p) {
    return fused(-plain_log(p), horner(p, tables_of_elliptic::ELLIPK_LOG), horner(p, tables_of_elliptic::ELLIPK_FREE));
}

// Whether ellipkm1 takes another way.
inline bool ellipkm1_is_rare(f64 p) {
    return !(p > 1e-290 && p <= 1.0);
}

// The complete elliptic integral of the first kind of an m from zero to one.
inline f64 plain_ellipk(f64 m) {
    return plain_ellipkm1(1.0 - m);
}

// Whether ellipk and ellipe take another way.
inline bool ellipk_is_rare(f64 m) {
    return !(m >= 0.0 && m < 1.0);
}

// The complete elliptic integral of the second kind of 1 - p, p from 1e-290 to one.
inline f64 ellipe_within(f64 p) {
    return fused(-p * plain_log(p), horner(p, tables_of_elliptic::ELLIPE_LOG), horner(p, tables_of_elliptic::ELLIPE_FREE));
}

// The complete elliptic integral of the second kind of an m from zero to one.
inline f64 plain_ellipe(f64 m) {
    return ellipe_within(1.0 - m);
}

// The mean of arithmetic and geometric mean, of numbers above zero.
RARE f64 agm_positive(f64 a, f64 b) {
    auto x = a;
    auto y = b;
    auto i = 0;
    while (i < 60) {
        auto mean = 0.5 * (x + y);
        y = elementary::root(x) * elementary::root(y);
        x = mean;
        if (elementary::size(x - y) <= 1e-15 * x) {
            break;
        }
        i += 1;
    }
    return 0.5 * (x + y);
}

// The mean of arithmetic and geometric mean.
RARE f64 agm(f64 a, f64 b) {
    if (is_nan(a) || is_nan(b) || (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)) {
        return not_a_number<f64>();
    }
    if (a == 0.0 || b == 0.0) {
        return (elementary::size(a) == infinity<f64>() || elementary::size(b) == infinity<f64>() ? not_a_number<f64>() : 0.0);
    }
    if (elementary::size(a) == infinity<f64>() || elementary::size(b) == infinity<f64>()) {
        return (a < 0.0 ? -infinity<f64>() : infinity<f64>());
    }
    if (a == b) {
        return a;
    }
    return (a < 0.0 ? -agm_positive(-a, -b) : agm_positive(a, b));
}

// The complete elliptic integral of the first kind of 1 - p.
RARE f64 ellipkm1(f64 p) {
    if (is_nan(p) || p < 0.0) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == infinity<f64>()) {
        return (p == 0.0 ? infinity<f64>() : 0.0);
    }
    if (p > 1.0) {
        return (p > 1e290 ? ellipkm1_far(p) : plain_ellipkm1(1.0 / p) / elementary::root(p));
    }
    return (p < 1e-290 ? 1.3862943611198906 - 0.5 * called_log(p) : plain_ellipkm1(p));
}

// The same for a p beyond 1e290.
inline f64 ellipkm1_far(f64 p) {
    return (1.3862943611198906 + 0.5 * called_log(p)) / elementary::root(p);
}

// The complete elliptic integral of the first kind.
RARE f64 ellipk(f64 m) {
    if (ellipk_is_rare(m)) {
        return ellipkm1(1.0 - m);
    }
    return plain_ellipk(m);
}

// The complete elliptic integral of the second kind.
RARE f64 ellipe(f64 m) {
    auto p = 1.0 - m;
    if (is_nan(m) || p < 0.0) {
        return not_a_number<f64>();
    }
    if (p == 0.0 || p == infinity<f64>()) {
        return (p == 0.0 ? 1.0 : infinity<f64>());
    }
    if (p > 1.0) {
        return (p > 1e290 ? elementary::root(p) : elementary::root(p) * ellipe_within(1.0 / p));
    }
    return ellipe_within(p);
}

// Carlson's integral of the first kind.
RARE f64 carlson_rf(f64 x0, f64 y0, f64 z0) {
    auto x = x0;
    auto y = y0;
    auto z = z0;
    auto mean = (x + y + z) / 3.0;
    auto dx = 0.0;
    auto dy = 0.0;
    auto i = 0;
    while (i < 100) {
        mean = (x + y + z) / 3.0;
        dx = 1.0 - x / mean;
        dy = 1.0 - y / mean;
        if (elementary::size(dx) < 2e-3 && elementary::size(dy) < 2e-3 && elementary::size(dx + dy) < 2e-3) {
            break;
        }
        auto rx = elementary::root(x);
        auto ry = elementary::root(y);
        auto rz = elementary::root(z);
        auto shift = rx * (ry + rz) + ry * rz;
        x = 0.25 * (x + shift);
        y = 0.25 * (y + shift);
        z = 0.25 * (z + shift);
        i += 1;
    }
    auto dz = -dx - dy;
    auto e2 = dx * dy - dz * dz;
    auto e3 = dx * dy * dz;
    auto series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0 - 5.0 * e2 * e2 * e2 / 208.0 + 3.0 * e3 * e3 / 104.0 + e2 * e2 * e3 / 16.0;
    return series / elementary::root(mean);
}

// Carlson's integral of the second kind.
RARE f64 carlson_rd(f64 x0, f64 y0, f64 z0) {
    auto x = x0;
    auto y = y0;
    auto z = z0;
    auto sum = 0.0;
    auto factor = 1.0;
    auto mean = (x + y + 3.0 * z) / 5.0;
    auto dx = 0.0;
    auto dy = 0.0;
    auto i = 0;
    while (i < 100) {
        mean = (x + y + 3.0 * z) / 5.0;
        dx = 1.0 - x / mean;
        dy = 1.0 - y / mean;
        if (elementary::size(dx) < 1.5e-3 && elementary::size(dy) < 1.5e-3 && elementary::size(dx + dy) < 1.5e-3) {
            break;
        }
        auto rx = elementary::root(x);
        auto ry = elementary::root(y);
        auto rz = elementary::root(z);
        auto shift = rx * (ry + rz) + ry * rz;
        sum += factor / (rz * (z + shift));
        factor *= 0.25;
        x = 0.25 * (x + shift);
        y = 0.25 * (y + shift);
        z = 0.25 * (z + shift);
        i += 1;
    }
    auto dz = -(dx + dy) / 3.0;
    auto xy = dx * dy;
    auto zz = dz * dz;
    auto e2 = xy - 6.0 * zz;
    auto e3 = (3.0 * xy - 8.0 * zz) * dz;
    auto e4 = 3.0 * (xy - zz) * zz;
    auto e5 = xy * zz * dz;
    auto series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0 - e2 * e2 * e2 / 16.0 + 3.0 * e3 * e3 / 40.0 + 3.0 * e2 * e4 / 20.0;
    return fused(factor / (mean * elementary::root(mean)), series, 3.0 * sum);
}

// Whether Carlson's integrals of these have a value.
inline bool carlson_refuses(f64 x, f64 y, f64 z) {
    return is_nan(x) || is_nan(y) || is_nan(z) || x < 0.0 || y < 0.0 || z < 0.0;
}

// Carlson's symmetric integral of the first kind.
RARE f64 elliprf(f64 x, f64 y, f64 z) {
    if (carlson_refuses(x, y, z)) {
        return not_a_number<f64>();
    }
    if ((x == 0.0 && y == 0.0) || (y == 0.0 && z == 0.0) || (x == 0.0 && z == 0.0)) {
        return infinity<f64>();
    }
    return (x == infinity<f64>() || y == infinity<f64>() || z == infinity<f64>() ? 0.0 : carlson_rf(x, y, z));
}

// Carlson's symmetric integral of the second kind.
RARE f64 elliprd(f64 x, f64 y, f64 z) {
    if (carlson_refuses(x, y, z)) {
        return not_a_number<f64>();
    }
    if (z == 0.0 || (x == 0.0 && y == 0.0)) {
        return infinity<f64>();
    }
    return (x == infinity<f64>() || y == infinity<f64>() || z == infinity<f64>() ? 0.0 : carlson_rd(x, y, z));
}

// Carlson's degenerate integral.
RARE f64 elliprc(f64 x, f64 y) {
    if (is_nan(x) || is_nan(y) || x < 0.0) {
        return not_a_number<f64>();
    }
    if (y == 0.0) {
        return not_a_number<f64>();
    }
    if (x == infinity<f64>() || elementary::size(y) == infinity<f64>()) {
        return 0.0;
    }
    if (y < 0.0) {
        return elementary::root(x / (x - y)) * carlson_rf(x - y, -y, -y);
    }
    return carlson_rf(x, y, y);
}

// Carlson's completely symmetric integral of the second kind.
RARE f64 elliprg(f64 x, f64 y, f64 z) {
    if (carlson_refuses(x, y, z)) {
        return not_a_number<f64>();
    }
    if (x == infinity<f64>() || y == infinity<f64>() || z == infinity<f64>()) {
        return infinity<f64>();
    }
    // The middle one goes last: then all terms but one are positive.
    auto first_two = (x < y ? x : y);
    auto other_two = (x < y ? y : x);
    auto low = (first_two < z ? first_two : z);
    auto high = (other_two > z ? other_two : z);
    auto left = (first_two < z ? z : first_two);
    auto middle = (left < other_two ? left : other_two);
    if (middle <= 1e-40 * high) {
        return 0.5 * elementary::root(high);
    }
    // By a power of two and its root, so that no product leaves the range of doubles.
    auto is_large = high > 1e150;
    auto is_small = high < 1e-150;
    auto scale = (is_large ? 7.458340731200207e-155 : (is_small ? 1.3407807929942597e154 : 1.0));
    auto root = (is_large ? 1.157920892373162e77 : (is_small ? 8.636168555094445e-78 : 1.0));
    auto least = scale * low;
    auto most = scale * high;
    auto last = scale * middle;
    auto first = last * carlson_rf(least, most, last);
    auto second = (most - last) * (last - least) * carlson_rd(least, most, last) / 3.0;
    return root * (0.5 * (first + second + elementary::root(least * most / last)));
}

// 1 - m s^2 for the sine and the cosine of an angle, as a sum of positive terms.
inline f64 one_less(f64 m, f64 s, f64 c) {
    return (m < 0.0 ? fused(-m * s, s, 1.0) : fused((1.0 - m) * s, s, c * c));
}

// The incomplete elliptic integral of the first kind.
RARE f64 ellipkinc(f64 phi, f64 m) {
    if (is_nan(phi) || is_nan(m) || m > 1.0) {
        return not_a_number<f64>();
    }
    if (elementary::size(phi) == infinity<f64>() || elementary::size(m) == infinity<f64>()) {
        return (elementary::size(phi) == infinity<f64>() && elementary::size(m) == infinity<f64>() ? not_a_number<f64>() : (elementary::size(m) == infinity<f64>() ? 0.0 : phi));
    }
    if (m == 0.0 || phi == 0.0) {
        return phi;
    }
    auto n = nearest_even(phi / tables_of_elliptic::PI);
    auto rest = fused(-n, 1.2246467991473532e-16, fused(-n, tables_of_elliptic::PI, phi));
    auto whole = 0.0;
    if (n != 0.0) {
        whole = 2.0 * n * ellipk(m);
    }
    if (m == 1.0) {
        if (elementary::size(phi) >= tables_of_elliptic::HALF_PI) {
            return with_sign(infinity<f64>(), phi);
        }
        return called_asinh(called_tan(phi));
    }
    auto s = called_sin(rest);
    auto c = called_cos(rest);
    return fused(s, carlson_rf(c * c, one_less(m, s, c), 1.0), whole);
}

// The incomplete elliptic integral of the second kind.
RARE f64 ellipeinc(f64 phi, f64 m) {
    if (is_nan(phi) || is_nan(m) || m > 1.0) {
        return not_a_number<f64>();
    }
    if (elementary::size(phi) == infinity<f64>()) {
        return phi;
    }
    if (m == -infinity<f64>()) {
        return (phi == 0.0 ? 0.0 : with_sign(infinity<f64>(), phi));
    }
    if (m == 0.0) {
        return phi;
    }
    auto n = nearest_even(phi / tables_of_elliptic::PI);
    auto rest = fused(-n, 1.2246467991473532e-16, fused(-n, tables_of_elliptic::PI, phi));
    auto whole = 0.0;
    if (n != 0.0) {
        whole = 2.0 * n * ellipe(m);
    }
    auto s = called_sin(rest);
    if (m == 1.0) {
        return whole + s;
    }
    auto c = called_cos(rest);
    auto square = c * c;
    auto other = one_less(m, s, c);
    if (m < 0.0) {
        return fused(s, carlson_rf(square, other, 1.0) - m * s * s / 3.0 * carlson_rd(square, other, 1.0), whole);
    }
    // (1 - m) (RF + m s^2/3 RD(c^2, 1, d^2)) + m |c| / d: positive terms alone.
    auto rest_m = 1.0 - m;
    auto value = rest_m * carlson_rf(square, other, 1.0) + m * rest_m * s * s / 3.0 * carlson_rd(square, 1.0, other);
    return fused(s, value + m * elementary::root(square / other), whole);
}

// The elliptic functions sn, cn and dn, and the amplitude.
RARE Quadruple ellipj(f64 u, f64 m) {
    if (is_nan(u) || is_nan(m) || m < 0.0 || m > 1.0) {
        return {not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>(), not_a_number<f64>()};
    }
    if (m < 1e-9) {
        auto s = called_sin(u);
        auto c = called_cos(u);
        auto shift = 0.25 * m * (u - s * c);
        return {s - shift * c, c + shift * s, 1.0 - 0.5 * m * s * s, u - shift};
    }
    if (m >= 0.9999999999) {
        auto shift = 0.25 * (1.0 - m);
        auto c = called_cosh(u);
        auto t = called_tanh(u);
        auto inverse = 1.0 / c;
        auto twin = c * called_sinh(u);
        auto sn = t + shift * (twin - u) / (c * c);
        auto amplitude = 2.0 * called_atan(called_exp(u)) - tables_of_elliptic::HALF_PI + shift * (twin - u) / c;
        auto part = shift * t * inverse;
        return {sn, inverse - part * (twin - u), inverse + part * (twin + u), amplitude};
    }
    f64 means[12] = {};
    f64 halves[12] = {};
    means[0] = 1.0;
    halves[0] = elementary::root(m);
    auto b = elementary::root(1.0 - m);
    auto twos = 1.0;
    auto n = 0;
    while (n < 10 && elementary::size(halves[n]) > 1e-16 * means[n]) {
        auto a = means[n];
        n += 1;
        halves[n] = 0.5 * (a - b);
        means[n] = 0.5 * (a + b);
        b = elementary::root(a * b);
        twos *= 2.0;
    }
    auto phi = twos * means[n] * u;
    while (n > 0) {
        phi = 0.5 * (phi + called_asin(halves[n] * called_sin(phi) / means[n]));
        n -= 1;
    }
    auto sn = called_sin(phi);
    auto cn = called_cos(phi);
    return {sn, cn, elementary::root(fused(cn, cn, (1.0 - m) * sn * sn)), phi};
}

// The elliptic function sn.
inline f64 ellipj_sn(f64 u, f64 m) {
    auto [value, _b, _c, _d] = ellipj(u, m);
    return value;
}

// The elliptic function cn.
inline f64 ellipj_cn(f64 u, f64 m) {
    auto [_a, value, _c, _d] = ellipj(u, m);
    return value;
}

// The elliptic function dn.
inline f64 ellipj_dn(f64 u, f64 m) {
    auto [_a, _b, value, _d] = ellipj(u, m);
    return value;
}

// The amplitude of the elliptic functions.
inline f64 ellipj_ph(f64 u, f64 m) {
    auto [_a, _b, _c, value] = ellipj(u, m);
    return value;
}

}  // namespace special
}  // namespace elementary

template <class T> T cu_agm(T a, T b) {
    return (T)(elementary::special::agm_is_rare((f64)a, (f64)b) ? elementary::special::agm((f64)a, (f64)b) : elementary::special::plain_agm((f64)a, (f64)b));
}
template <class T> T cu_ellipk(T a) {
    return (T)(elementary::special::ellipk_is_rare((f64)a) ? elementary::special::ellipk((f64)a) : elementary::special::plain_ellipk((f64)a));
}
template <class T> T cu_ellipkm1(T a) {
    return (T)(elementary::special::ellipkm1_is_rare((f64)a) ? elementary::special::ellipkm1((f64)a) : elementary::special::plain_ellipkm1((f64)a));
}
template <class T> T cu_ellipe(T a) {
    return (T)(elementary::special::ellipk_is_rare((f64)a) ? elementary::special::ellipe((f64)a) : elementary::special::plain_ellipe((f64)a));
}
template <class T> T cu_ellipkinc(T a, T b) { return (T)elementary::special::ellipkinc((f64)a, (f64)b); }
template <class T> T cu_ellipeinc(T a, T b) { return (T)elementary::special::ellipeinc((f64)a, (f64)b); }
template <class T> T cu_elliprf(T a, T b, T c) { return (T)elementary::special::elliprf((f64)a, (f64)b, (f64)c); }
template <class T> T cu_elliprd(T a, T b, T c) { return (T)elementary::special::elliprd((f64)a, (f64)b, (f64)c); }
template <class T> T cu_elliprc(T a, T b) {
    return (T)(elementary::special::elliprc_is_rare((f64)a, (f64)b) ? elementary::special::elliprc((f64)a, (f64)b) : elementary::special::plain_elliprc((f64)a, (f64)b));
}
template <class T> T cu_elliprg(T a, T b, T c) { return (T)elementary::special::elliprg((f64)a, (f64)b, (f64)c); }
template <class T> T cu_ellipj_sn(T a, T b) {
    return (T)(elementary::special::ellipj_is_rare((f64)a, (f64)b) ? elementary::special::ellipj_sn((f64)a, (f64)b) : elementary::special::plain_ellipj_sn((f64)a, (f64)b));
}
template <class T> T cu_ellipj_cn(T a, T b) {
    return (T)(elementary::special::ellipj_is_rare((f64)a, (f64)b) ? elementary::special::ellipj_cn((f64)a, (f64)b) : elementary::special::plain_ellipj_cn((f64)a, (f64)b));
}
template <class T> T cu_ellipj_dn(T a, T b) {
    return (T)(elementary::special::ellipj_is_rare((f64)a, (f64)b) ? elementary::special::ellipj_dn((f64)a, (f64)b) : elementary::special::plain_ellipj_dn((f64)a, (f64)b));
}
template <class T> T cu_ellipj_ph(T a, T b) {
    return (T)(elementary::special::ellipj_ph_is_rare((f64)a, (f64)b) ? elementary::special::ellipj_ph((f64)a, (f64)b) : elementary::special::plain_ellipj_ph((f64)a, (f64)b));
}
