// <stddef.h> and <cstddef>: what is not known without them.
#ifndef __CUPRUM_STDDEF_H
#define __CUPRUM_STDDEF_H
#ifndef __CUPRUM_CPU__
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
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
