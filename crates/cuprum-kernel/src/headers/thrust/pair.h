// thrust/pair.h and thrust/tuple.h: those of std, under Thrust's names.
#ifndef __CUPRUM_THRUST_PAIR_H
#define __CUPRUM_THRUST_PAIR_H
#include <tuple>
namespace thrust {
using std::pair; using std::make_pair; using std::tuple; using std::make_tuple; using std::tie; using std::get;
using std::tuple_size; using std::tuple_element;
}
#endif
