// Pairs and tuples, included inside a namespace: std and thrust have them each.
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() = default;
    __host__ __device__ constexpr pair(const A& a, const B& b) : first(a), second(b) {}
    template <class C, class D>
    __host__ __device__ constexpr pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
};
template <class A, class B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
template <class A, class B>
__host__ __device__ constexpr bool operator==(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first == b.first && a.second == b.second;
}
template <class A, class B>
__host__ __device__ constexpr bool operator!=(const pair<A, B>& a, const pair<A, B>& b) {
    return !(a == b);
}
template <class A, class B>
__host__ __device__ constexpr bool operator<(const pair<A, B>& a, const pair<A, B>& b) {
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
template <class A, class B>
__host__ __device__ constexpr bool operator>(const pair<A, B>& a, const pair<A, B>& b) {
    return b < a;
}

// The first value, and a tuple of the others. Values may be references.
template <class... Types> struct tuple;
template <> struct tuple<> {};
template <class First> struct tuple<First> {
    First __first;
    tuple() = default;
    __host__ __device__ constexpr tuple(const First& first) : __first(first) {}
    template <class U> __host__ __device__ constexpr tuple(const tuple<U>& other) : __first(other.__first) {}
    __host__ __device__ tuple& operator=(const tuple& other) {
        __first = other.__first;
        return *this;
    }
    template <class U> __host__ __device__ tuple& operator=(const tuple<U>& other) {
        __first = other.__first;
        return *this;
    }
};
template <class First, class Second, class... Rest> struct tuple<First, Second, Rest...> {
    First __first;
    tuple<Second, Rest...> __rest;
    tuple() = default;
    __host__ __device__ constexpr tuple(const First& first, const Second& second, const Rest&... rest)
        : __first(first), __rest(second, rest...) {}
    template <class U, class V, class... Others>
    __host__ __device__ constexpr tuple(const tuple<U, V, Others...>& other)
        : __first(other.__first), __rest(other.__rest) {}
    __host__ __device__ tuple& operator=(const tuple& other) {
        __first = other.__first;
        __rest = other.__rest;
        return *this;
    }
    template <class U, class V, class... Others>
    __host__ __device__ tuple& operator=(const tuple<U, V, Others...>& other) {
        __first = other.__first;
        __rest = other.__rest;
        return *this;
    }
    template <class U, class V> __host__ __device__ tuple& operator=(const pair<U, V>& other) {
        __first = other.first;
        __rest.__first = other.second;
        return *this;
    }
};

template <size_t at, class T> struct tuple_element;
template <class First, class... Rest> struct tuple_element<0, tuple<First, Rest...>> {
    typedef First type;
    __host__ __device__ static constexpr First& get(tuple<First, Rest...>& t) { return t.__first; }
    __host__ __device__ static constexpr const First& get(const tuple<First, Rest...>& t) { return t.__first; }
};
template <size_t at, class First, class... Rest> struct tuple_element<at, tuple<First, Rest...>> {
    typedef tuple_element<at - 1, tuple<Rest...>> next;
    typedef typename next::type type;
    __host__ __device__ static constexpr type& get(tuple<First, Rest...>& t) { return next::get(t.__rest); }
    __host__ __device__ static constexpr const type& get(const tuple<First, Rest...>& t) {
        return next::get(t.__rest);
    }
};
template <class A, class B> struct tuple_element<0, pair<A, B>> {
    typedef A type;
    __host__ __device__ static constexpr A& get(pair<A, B>& p) { return p.first; }
    __host__ __device__ static constexpr const A& get(const pair<A, B>& p) { return p.first; }
};
template <class A, class B> struct tuple_element<1, pair<A, B>> {
    typedef B type;
    __host__ __device__ static constexpr B& get(pair<A, B>& p) { return p.second; }
    __host__ __device__ static constexpr const B& get(const pair<A, B>& p) { return p.second; }
};
template <size_t at, class T> using tuple_element_t = typename tuple_element<at, T>::type;
template <class T> struct tuple_size;
template <class... Types> struct tuple_size<tuple<Types...>> { static constexpr size_t value = sizeof...(Types); };
template <class A, class B> struct tuple_size<pair<A, B>> { static constexpr size_t value = 2; };

template <size_t at, class... Types>
__host__ __device__ constexpr typename tuple_element<at, tuple<Types...>>::type& get(tuple<Types...>& t) {
    return tuple_element<at, tuple<Types...>>::get(t);
}
template <size_t at, class... Types>
__host__ __device__ constexpr const typename tuple_element<at, tuple<Types...>>::type& get(const tuple<Types...>& t) {
    return tuple_element<at, tuple<Types...>>::get(t);
}
template <size_t at, class... Types>
__host__ __device__ constexpr typename tuple_element<at, tuple<Types...>>::type&& get(tuple<Types...>&& t) {
    typedef typename tuple_element<at, tuple<Types...>>::type Value;
    return static_cast<Value&&>(tuple_element<at, tuple<Types...>>::get(t));
}
template <size_t at, class A, class B>
__host__ __device__ constexpr typename tuple_element<at, pair<A, B>>::type& get(pair<A, B>& p) {
    return tuple_element<at, pair<A, B>>::get(p);
}
template <size_t at, class A, class B>
__host__ __device__ constexpr const typename tuple_element<at, pair<A, B>>::type& get(const pair<A, B>& p) {
    return tuple_element<at, pair<A, B>>::get(p);
}
template <size_t at, class A, class B>
__host__ __device__ constexpr typename tuple_element<at, pair<A, B>>::type&& get(pair<A, B>&& p) {
    typedef typename tuple_element<at, pair<A, B>>::type Value;
    return static_cast<Value&&>(tuple_element<at, pair<A, B>>::get(p));
}
template <class... Types> __host__ __device__ constexpr tuple<Types...> make_tuple(Types... values) {
    return tuple<Types...>(values...);
}
template <class... Types> __host__ __device__ constexpr tuple<Types&...> tie(Types&... values) {
    return tuple<Types&...>(values...);
}

// Tuples of the same types in order: by the first values that differ.
template <class T> __host__ __device__ constexpr bool operator==(const tuple<T>& a, const tuple<T>& b) {
    return a.__first == b.__first;
}
template <class T, class U, class... Rest>
__host__ __device__ constexpr bool operator==(const tuple<T, U, Rest...>& a, const tuple<T, U, Rest...>& b) {
    return a.__first == b.__first && a.__rest == b.__rest;
}
template <class... Types>
__host__ __device__ constexpr bool operator!=(const tuple<Types...>& a, const tuple<Types...>& b) {
    return !(a == b);
}
template <class T> __host__ __device__ constexpr bool operator<(const tuple<T>& a, const tuple<T>& b) {
    return a.__first < b.__first;
}
template <class T, class U, class... Rest>
__host__ __device__ constexpr bool operator<(const tuple<T, U, Rest...>& a, const tuple<T, U, Rest...>& b) {
    return a.__first < b.__first || (!(b.__first < a.__first) && a.__rest < b.__rest);
}
template <class... Types>
__host__ __device__ constexpr bool operator>(const tuple<Types...>& a, const tuple<Types...>& b) {
    return b < a;
}
