// <stddef.h> and <cstddef>: what is not known without them.
#ifndef __CUPRUM_STDDEF_H
#define __CUPRUM_STDDEF_H
#ifndef __CUPRUM_CPU__
#ifndef offsetof
#if defined(__has_builtin) && __has_builtin(__builtin_offsetof)
#define offsetof(type, member) __builtin_offsetof(type, member)
#else
// NVRTC up to 13.3 has this under another name.
#define offsetof(type, member) ((size_t)__INTADDR__(&((type*)0)->member))
#endif
#endif
#endif
typedef decltype(nullptr) nullptr_t;
namespace std {
using ::size_t;
using ::ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
enum class byte : unsigned char {};
}
#endif
