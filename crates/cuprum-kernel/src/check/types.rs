//! The types of the language, interned: equal types have equal ids. Their layout is in `layout`.

use std::collections::HashMap;

use crate::ir;

/// A type with its `const` and `volatile`: the two low bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

/// A struct, class, union or closure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StructId(pub u32);

/// An enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub u32);

const CONST: u32 = 1;
const VOLATILE: u32 = 2;

// The builtin types stand first in the table, in this order.
impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const BOOL: TypeId = TypeId(1 << 2);
    pub const CHAR: TypeId = TypeId(2 << 2);
    pub const SCHAR: TypeId = TypeId(3 << 2);
    pub const UCHAR: TypeId = TypeId(4 << 2);
    pub const SHORT: TypeId = TypeId(5 << 2);
    pub const USHORT: TypeId = TypeId(6 << 2);
    pub const INT: TypeId = TypeId(7 << 2);
    pub const UINT: TypeId = TypeId(8 << 2);
    pub const LONG: TypeId = TypeId(9 << 2);
    pub const ULONG: TypeId = TypeId(10 << 2);
    pub const LLONG: TypeId = TypeId(11 << 2);
    pub const ULLONG: TypeId = TypeId(12 << 2);
    pub const FLOAT: TypeId = TypeId(13 << 2);
    pub const DOUBLE: TypeId = TypeId(14 << 2);
    pub const NULLPTR: TypeId = TypeId(15 << 2);

    pub fn is_const(self) -> bool {
        self.0 & CONST != 0
    }

    pub fn is_volatile(self) -> bool {
        self.0 & VOLATILE != 0
    }

    /// The type without `const` and `volatile`.
    pub fn bare(self) -> TypeId {
        TypeId(self.0 & !3)
    }

    fn index(self) -> usize {
        (self.0 >> 2) as usize
    }

    fn qualifiers(self) -> u32 {
        self.0 & 3
    }

    /// Whether it has every qualifier of `other`.
    pub fn at_least_as_qualified(self, other: TypeId) -> bool {
        other.qualifiers() & !self.qualifiers() == 0
    }

    pub fn is_void(self) -> bool {
        self.bare() == TypeId::VOID
    }

    pub fn is_bool(self) -> bool {
        self.bare() == TypeId::BOOL
    }

    /// `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self.bare(), TypeId::FLOAT | TypeId::DOUBLE)
    }

    /// `bool`, the character types and the integers; not enumerations.
    pub fn is_integer(self) -> bool {
        (TypeId::BOOL..=TypeId::ULLONG).contains(&self.bare())
    }

    pub fn is_arithmetic(self) -> bool {
        self.is_integer() || self.is_float()
    }

    /// Whether an integer is signed (`char` is).
    pub fn is_signed(self) -> bool {
        matches!(
            self.bare(),
            TypeId::CHAR | TypeId::SCHAR | TypeId::SHORT | TypeId::INT | TypeId::LONG | TypeId::LLONG
        )
    }

    /// The unsigned integer of the same rank.
    pub fn unsigned(self) -> TypeId {
        match self.bare() {
            TypeId::CHAR | TypeId::SCHAR => TypeId::UCHAR,
            TypeId::SHORT => TypeId::USHORT,
            TypeId::INT => TypeId::UINT,
            TypeId::LONG => TypeId::ULONG,
            TypeId::LLONG => TypeId::ULLONG,
            other => other,
        }
    }
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeClass {
    /// One of the types that [`TypeId`] names.
    Builtin,
    Pointer(TypeId),
    Reference {
        to: TypeId,
        /// `T&&`.
        rvalue: bool,
    },
    Array {
        of: TypeId,
        /// `None` where it is not written: `extern __shared__ T a[]`.
        length: Option<u64>,
    },
    Struct(StructId),
    Enum(EnumId),
    Function {
        result: TypeId,
        params: Vec<TypeId>,
    },
    /// A pointer to a member of a struct; only named, never computed with.
    MemberPointer {
        of: StructId,
        to: TypeId,
    },
}

/// A struct, class, union or closure. The members that are functions are kept elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Struct {
    /// With its template arguments, for messages.
    pub name: String,
    pub is_union: bool,
    /// Whether its fields are known.
    pub is_complete: bool,
    pub bases: Vec<Base>,
    pub fields: Vec<Field>,
    pub bytes: u64,
    pub align: u64,
    /// Bytes without the padding at the end, where a derived struct may begin its own fields.
    pub data_bytes: u64,
    /// Whether copying it is copying its bytes: no copy constructor, assignment or destructor of its own.
    pub is_trivial: bool,
    /// No fields and no bases but empty ones.
    pub is_empty: bool,
    /// It has virtual functions.
    pub is_polymorphic: bool,
    /// It begins with a pointer to its table: it is polymorphic, and none of its bases is.
    pub has_table: bool,
}

/// A base of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    pub ty: StructId,
    pub offset: u64,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for an anonymous struct or union.
    pub name: String,
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitField>,
    pub is_mutable: bool,
    /// `alignas` on the field itself; 1 where there is none.
    pub align: u64,
}

/// Where a bit-field stands in the integer of its own type at the field's offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    pub shift: u32,
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub underlying: TypeId,
    /// `enum class`.
    pub is_scoped: bool,
    /// `enum E : T`: its type does not depend on its values.
    pub is_fixed: bool,
}

/// All types of a module.
pub struct Types {
    kinds: Vec<TypeClass>,
    index: HashMap<TypeClass, u32>,
    pub structs: Vec<Struct>,
    pub enums: Vec<Enum>,
}

const BUILTIN_NAMES: [&str; 16] = [
    "void",
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "decltype(nullptr)",
];

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    pub fn new() -> Types {
        let kinds = vec![TypeClass::Builtin; BUILTIN_NAMES.len()];
        Types { kinds, index: HashMap::new(), structs: Vec::new(), enums: Vec::new() }
    }

    pub fn kind(&self, ty: TypeId) -> &TypeClass {
        &self.kinds[ty.index()]
    }

    /// How many types there are, for limits.
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    fn intern(&mut self, kind: TypeClass) -> TypeId {
        if let Some(&at) = self.index.get(&kind) {
            return TypeId(at << 2);
        }
        let at = self.kinds.len() as u32;
        self.kinds.push(kind.clone());
        self.index.insert(kind, at);
        TypeId(at << 2)
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(TypeClass::Pointer(to))
    }

    /// A reference; references to references collapse.
    pub fn reference(&mut self, to: TypeId, rvalue: bool) -> TypeId {
        if let TypeClass::Reference { to, rvalue: inner } = *self.kind(to) {
            return self.intern(TypeClass::Reference { to, rvalue: rvalue && inner });
        }
        self.intern(TypeClass::Reference { to, rvalue })
    }

    pub fn array(&mut self, of: TypeId, length: Option<u64>) -> TypeId {
        self.intern(TypeClass::Array { of, length })
    }

    pub fn function(&mut self, result: TypeId, params: Vec<TypeId>) -> TypeId {
        self.intern(TypeClass::Function { result, params })
    }

    pub fn member_pointer(&mut self, of: StructId, to: TypeId) -> TypeId {
        self.intern(TypeClass::MemberPointer { of, to })
    }

    pub fn add_struct(&mut self, name: String, is_union: bool) -> StructId {
        self.structs.push(Struct { name, is_union, align: 1, ..Struct::default() });
        StructId(self.structs.len() as u32 - 1)
    }

    pub fn struct_type(&mut self, id: StructId) -> TypeId {
        self.intern(TypeClass::Struct(id))
    }

    pub fn add_enum(&mut self, info: Enum) -> TypeId {
        self.enums.push(info);
        self.intern(TypeClass::Enum(EnumId(self.enums.len() as u32 - 1)))
    }

    pub fn get(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// Adds qualifiers; an array's go to its elements, and references have none.
    pub fn qualified(&mut self, ty: TypeId, is_const: bool, is_volatile: bool) -> TypeId {
        let bits = (u32::from(is_const) * CONST) | (u32::from(is_volatile) * VOLATILE);
        if bits == 0 {
            return ty;
        }
        match *self.kind(ty) {
            TypeClass::Array { of, length } => {
                let of = self.qualified(of, is_const, is_volatile);
                self.array(of, length)
            }
            TypeClass::Reference { .. } | TypeClass::Function { .. } => ty,
            _ => TypeId(ty.0 | bits),
        }
    }

    /// `to` with the qualifiers of `from` added.
    pub fn qualified_as(&mut self, to: TypeId, from: TypeId) -> TypeId {
        self.qualified(to, from.is_const(), from.is_volatile())
    }

    /// Without qualifiers, those of an array's elements too.
    pub fn unqualified(&mut self, ty: TypeId) -> TypeId {
        match *self.kind(ty) {
            TypeClass::Array { of, length } => {
                let of = self.unqualified(of);
                self.array(of, length)
            }
            _ => ty.bare(),
        }
    }

    /// What a reference refers to; any other type itself.
    pub fn referred(&self, ty: TypeId) -> TypeId {
        match *self.kind(ty) {
            TypeClass::Reference { to, .. } => to,
            _ => ty,
        }
    }

    pub fn is_reference(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeClass::Reference { .. })
    }

    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match *self.kind(ty) {
            TypeClass::Pointer(to) => Some(to),
            _ => None,
        }
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeClass::Pointer(_))
    }

    pub fn as_struct(&self, ty: TypeId) -> Option<StructId> {
        match *self.kind(ty) {
            TypeClass::Struct(id) => Some(id),
            _ => None,
        }
    }

    pub fn as_enum(&self, ty: TypeId) -> Option<&Enum> {
        match *self.kind(ty) {
            TypeClass::Enum(id) => Some(&self.enums[id.0 as usize]),
            _ => None,
        }
    }

    pub fn as_array(&self, ty: TypeId) -> Option<(TypeId, Option<u64>)> {
        match *self.kind(ty) {
            TypeClass::Array { of, length } => Some((of, length)),
            _ => None,
        }
    }

    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeClass::Function { .. })
    }

    /// Whether a value of it is one number: not a struct, an array, a function or `void`.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.ir(ty).is_some()
    }

    /// An enumeration's integer; any other type itself.
    pub fn underlying(&self, ty: TypeId) -> TypeId {
        self.as_enum(ty).map_or(ty.bare(), |info| info.underlying)
    }

    /// The type of locals that hold a value of it; references and pointers are addresses.
    pub fn ir(&self, ty: TypeId) -> Option<ir::Type> {
        Some(match ty.bare() {
            TypeId::VOID => return None,
            TypeId::BOOL | TypeId::CHAR | TypeId::SCHAR | TypeId::UCHAR => ir::Type::I8,
            TypeId::SHORT | TypeId::USHORT => ir::Type::I16,
            TypeId::INT | TypeId::UINT => ir::Type::I32,
            TypeId::LONG | TypeId::ULONG | TypeId::LLONG | TypeId::ULLONG | TypeId::NULLPTR => ir::Type::I64,
            TypeId::FLOAT => ir::Type::F32,
            TypeId::DOUBLE => ir::Type::F64,
            _ => match self.kind(ty) {
                TypeClass::Pointer(_) | TypeClass::Reference { .. } => ir::Type::I64,
                TypeClass::Enum(id) => return self.ir(self.enums[id.0 as usize].underlying),
                _ => return None,
            },
        })
    }

    /// The type as it is written.
    pub fn name(&self, ty: TypeId) -> String {
        self.declared(ty, String::new())
    }

    fn declared(&self, ty: TypeId, inner: String) -> String {
        let mut qualifiers = String::new();
        if ty.is_const() {
            qualifiers.push_str("const ");
        }
        if ty.is_volatile() {
            qualifiers.push_str("volatile ");
        }
        let spaced = |name: &str| match inner.as_bytes().first() {
            None => format!("{qualifiers}{name}"),
            Some(b'*' | b'&') => format!("{qualifiers}{name}{inner}"),
            Some(_) => format!("{qualifiers}{name} {inner}"),
        };
        match self.kind(ty) {
            TypeClass::Builtin => spaced(BUILTIN_NAMES[ty.index()]),
            TypeClass::Struct(id) => spaced(&self.get(*id).name),
            TypeClass::Enum(id) => spaced(&self.enums[id.0 as usize].name),
            TypeClass::Pointer(to) => {
                self.declared(*to, self.behind(*to, format!("*{}{inner}", qualifiers.trim_end())))
            }
            TypeClass::Reference { to, rvalue } => {
                let mark = if *rvalue { "&&" } else { "&" };
                self.declared(*to, self.behind(*to, format!("{mark}{inner}")))
            }
            TypeClass::Array { of, length } => {
                let length = length.map(|n| n.to_string()).unwrap_or_default();
                self.declared(*of, format!("{inner}[{length}]"))
            }
            TypeClass::Function { result, params } => {
                let params: Vec<String> = params.iter().map(|&param| self.name(param)).collect();
                self.declared(*result, format!("{inner}({})", params.join(", ")))
            }
            TypeClass::MemberPointer { of, to } => {
                self.declared(*to, self.behind(*to, format!("{}::*{inner}", self.get(*of).name)))
            }
        }
    }

    /// A declarator in parentheses where an array's or function's suffix would bind tighter.
    fn behind(&self, to: TypeId, inner: String) -> String {
        match self.kind(to) {
            TypeClass::Array { .. } | TypeClass::Function { .. } => format!("({inner})"),
            _ => inner,
        }
    }
}
