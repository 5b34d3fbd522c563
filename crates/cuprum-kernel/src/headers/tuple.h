// <tuple>, and std::pair.
#ifndef __CUPRUM_TUPLE_H
#define __CUPRUM_TUPLE_H
namespace std {
#include <cuprum/tuple_body.h>
}
namespace cuda { namespace std { using namespace ::std; } }
#endif
