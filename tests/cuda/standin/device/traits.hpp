// The few type questions the other parts ask, since <type_traits> is not to be had.
#pragma once

namespace standin {

template <bool, class T = void> struct EnableIf {};
template <class T> struct EnableIf<true, T> { using type = T; };

template <class T> constexpr bool is_integer = false;
template <> inline constexpr bool is_integer<bool> = true;
template <> inline constexpr bool is_integer<char> = true;
template <> inline constexpr bool is_integer<signed char> = true;
template <> inline constexpr bool is_integer<unsigned char> = true;
template <> inline constexpr bool is_integer<short> = true;
template <> inline constexpr bool is_integer<unsigned short> = true;
template <> inline constexpr bool is_integer<int> = true;
template <> inline constexpr bool is_integer<unsigned> = true;
template <> inline constexpr bool is_integer<long> = true;
template <> inline constexpr bool is_integer<unsigned long> = true;
template <> inline constexpr bool is_integer<long long> = true;
template <> inline constexpr bool is_integer<unsigned long long> = true;

template <class T> constexpr bool is_float = false;
template <> inline constexpr bool is_float<float> = true;
template <> inline constexpr bool is_float<double> = true;

template <class T> constexpr bool is_number = is_integer<T> || is_float<T>;

template <class A, class B> constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;

template <class To, class From> inline To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits_as between types of one size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

}  // namespace standin
