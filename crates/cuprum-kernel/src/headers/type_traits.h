// <type_traits>: the questions that kernels ask of types.
#ifndef __CUPRUM_TYPE_TRAITS_H
#define __CUPRUM_TYPE_TRAITS_H
namespace std {
template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    typedef integral_constant type;
};
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <bool v> using bool_constant = integral_constant<bool, v>;

template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> constexpr bool is_same_v = is_same<A, B>::value;

template <bool condition, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool condition, class A, class B> using conditional_t = typename conditional<condition, A, B>::type;
template <bool condition, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool condition, class T = void> using enable_if_t = typename enable_if<condition, T>::type;

template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_volatile { typedef T type; };
template <class T> struct remove_volatile<volatile T> { typedef T type; };
template <class T> struct remove_cv { typedef typename remove_volatile<typename remove_const<T>::type>::type type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T*> { typedef T type; };
template <class T> struct add_const { typedef const T type; };
template <class T> struct add_pointer { typedef typename remove_reference<T>::type* type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> struct remove_cvref { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> struct decay { typedef remove_cv_t<remove_reference_t<T>> type; };
template <class T> using decay_t = typename decay<T>::type;

template <class T> struct __cuprum_is_integral : false_type {};
template <class T> struct __cuprum_is_float : false_type {};
template <class T> struct make_unsigned {};
template <class T> struct make_signed {};
template <> struct __cuprum_is_integral<bool> : true_type {};
#define __CUPRUM_INTEGER(integer, as_signed, as_unsigned)                     \
    template <> struct __cuprum_is_integral<integer> : true_type {};          \
    template <> struct make_signed<integer> { typedef as_signed type; };      \
    template <> struct make_unsigned<integer> { typedef as_unsigned type; };
__CUPRUM_INTEGER(char, signed char, unsigned char)
__CUPRUM_INTEGER(signed char, signed char, unsigned char)
__CUPRUM_INTEGER(unsigned char, signed char, unsigned char)
__CUPRUM_INTEGER(short, short, unsigned short)
__CUPRUM_INTEGER(unsigned short, short, unsigned short)
__CUPRUM_INTEGER(int, int, unsigned int)
__CUPRUM_INTEGER(unsigned int, int, unsigned int)
__CUPRUM_INTEGER(long, long, unsigned long)
__CUPRUM_INTEGER(unsigned long, long, unsigned long)
__CUPRUM_INTEGER(long long, long long, unsigned long long)
__CUPRUM_INTEGER(unsigned long long, long long, unsigned long long)
#undef __CUPRUM_INTEGER
template <> struct __cuprum_is_float<float> : true_type {};
template <> struct __cuprum_is_float<double> : true_type {};
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;

template <class T> struct is_integral : __cuprum_is_integral<remove_cv_t<T>> {};
template <class T> struct is_floating_point : __cuprum_is_float<remove_cv_t<T>> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T, bool arithmetic = is_arithmetic<T>::value> struct is_signed : false_type {};
template <class T> struct is_signed<T, true> : bool_constant<(T(-1) < T(0))> {};
template <class T, bool arithmetic = is_arithmetic<T>::value> struct is_unsigned : false_type {};
template <class T> struct is_unsigned<T, true> : bool_constant<!(T(-1) < T(0))> {};
template <class T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T*> : true_type {};
template <class T> struct is_pointer<T* const> : true_type {};
template <class T> struct is_reference : false_type {};
template <class T> struct is_reference<T&> : true_type {};
template <class T> struct is_reference<T&&> : true_type {};
template <class T> constexpr bool is_integral_v = is_integral<T>::value;
template <class T> constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> constexpr bool is_signed_v = is_signed<T>::value;
template <class T> constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> constexpr bool is_void_v = is_void<T>::value;
template <class T> constexpr bool is_const_v = is_const<T>::value;
template <class T> constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> constexpr bool is_reference_v = is_reference<T>::value;
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
