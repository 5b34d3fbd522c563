// <cmath>: math.h, and its functions in the namespace std, where they are the global ones.
#ifndef __CUPRUM_CMATH_H
#define __CUPRUM_CMATH_H
#include <cuprum/constants.h>
#ifndef __CUPRUM_CPU__
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1;
using ::log; using ::log2; using ::log10; using ::log1p; using ::pow; using ::sin; using ::cos;
using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh;
using ::tanh; using ::asinh; using ::acosh; using ::atanh; using ::erf; using ::erfc; using ::tgamma;
using ::lgamma; using ::ceil; using ::floor; using ::trunc; using ::round; using ::rint; using ::nearbyint;
using ::lround; using ::llround; using ::lrint; using ::llrint; using ::fmod; using ::remainder; using ::fmin;
using ::fmax; using ::fdim; using ::fma; using ::hypot; using ::copysign; using ::nextafter; using ::ldexp;
using ::frexp; using ::modf; using ::scalbn; using ::ilogb; using ::logb; using ::isnan; using ::isinf;
using ::isfinite; using ::signbit;
}
#endif
#endif
