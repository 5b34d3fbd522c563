//! Promotions, the usual arithmetic conversions, and how two arithmetic types stand to each other.

use super::types::{TypeId, Types};

/// How good a standard conversion is; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    Exact,
    Promotion,
    Conversion,
}

/// The type that a small integer, an enumeration or `bool` is computed in.
pub fn promoted(types: &Types, ty: TypeId) -> TypeId {
    match types.underlying(ty) {
        TypeId::BOOL | TypeId::CHAR | TypeId::SCHAR | TypeId::UCHAR | TypeId::SHORT | TypeId::USHORT => {
            TypeId::INT
        }
        other => other,
    }
}

/// The type that two numbers are computed in.
pub fn common(types: &Types, a: TypeId, b: TypeId) -> TypeId {
    let (a, b) = (promoted(types, a), promoted(types, b));
    if a == TypeId::DOUBLE || b == TypeId::DOUBLE {
        return TypeId::DOUBLE;
    }
    if a == TypeId::FLOAT || b == TypeId::FLOAT {
        return TypeId::FLOAT;
    }
    if a == b {
        return a;
    }
    if a.is_signed() == b.is_signed() {
        // The ids stand in the order of the ranks.
        return a.max(b);
    }
    let (s, u) = if a.is_signed() { (a, b) } else { (b, a) };
    if u > s.unsigned() || u == s.unsigned() {
        return u;
    }
    let (wide, narrow) = (types.size(s).unwrap_or(0), types.size(u).unwrap_or(0));
    if wide > narrow { s } else { s.unsigned() }
}

/// How an arithmetic or unscoped enumeration type converts to an arithmetic one.
pub fn arithmetic_rank(types: &Types, from: TypeId, to: TypeId) -> Rank {
    let (from, to) = (from.bare(), to.bare());
    if from == to {
        Rank::Exact
    } else if (from != TypeId::FLOAT && to == promoted(types, from) && !from.is_float())
        || (from == TypeId::FLOAT && to == TypeId::DOUBLE)
    {
        Rank::Promotion
    } else {
        Rank::Conversion
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_in_the_common_type() {
        let types = Types::new();
        let of = |a, b| common(&types, a, b);
        assert_eq!(of(TypeId::CHAR, TypeId::UCHAR), TypeId::INT);
        assert_eq!(of(TypeId::INT, TypeId::UINT), TypeId::UINT);
        assert_eq!(of(TypeId::LONG, TypeId::UINT), TypeId::LONG);
        assert_eq!(of(TypeId::LONG, TypeId::LLONG), TypeId::LLONG);
        assert_eq!(of(TypeId::ULONG, TypeId::LLONG), TypeId::ULLONG);
        assert_eq!(of(TypeId::ULLONG, TypeId::INT), TypeId::ULLONG);
        assert_eq!(of(TypeId::ULLONG, TypeId::FLOAT), TypeId::FLOAT);
    }

    #[test]
    fn promotions_are_better_than_conversions() {
        let types = Types::new();
        assert_eq!(arithmetic_rank(&types, TypeId::SHORT, TypeId::INT), Rank::Promotion);
        assert_eq!(arithmetic_rank(&types, TypeId::FLOAT, TypeId::DOUBLE), Rank::Promotion);
        assert_eq!(arithmetic_rank(&types, TypeId::INT, TypeId::FLOAT), Rank::Conversion);
        assert_eq!(arithmetic_rank(&types, TypeId::INT, TypeId::LONG), Rank::Conversion);
    }
}
