//! Builtin functions as candidates of a call.

use crate::builtins::{Set, Signature, Ty};
use crate::check::convert::{self, Rank};
use crate::check::types::TypeId;

use crate::lower::expressions::call::Argument;
use crate::lower::names::scope::TemplateArg;
use crate::lower::overloads::candidates::{Candidate, Choice, is_float};
use crate::lower::overloads::conversion::{Class, Sequence};
use crate::lower::{Lowering, Result};

impl Lowering {
    pub fn builtin_candidate(
        &mut self,
        signature: &'static Signature,
        arguments: &[Argument],
        explicit: Option<&[TemplateArg]>,
    ) -> Result<Option<Candidate>> {
        let needed = signature.params.iter().filter(|param| !matches!(param, Ty::Default(..))).count();
        if arguments.len() < needed || (arguments.len() > signature.params.len() && !signature.variadic) {
            return Ok(None);
        }
        let generic = match signature.set {
            Set::None => None,
            // `max<int>(a, b)`
            _ if matches!(explicit, Some([TemplateArg::Type(_)])) => match explicit {
                Some([TemplateArg::Type(ty)]) => Some(ty.bare()),
                _ => None,
            },
            set => match self.generic_type(signature, set, arguments)? {
                Some(ty) => Some(ty),
                None => return Ok(None),
            },
        };
        let mut params = Vec::new();
        let mut sequences = Vec::new();
        // Integers alone count as double; beside a float they are converted to it.
        let for_integers = signature.for_integers
            && !arguments.iter().any(|argument| is_float(argument, &[TypeId::FLOAT, TypeId::DOUBLE]));
        for (at, param) in signature.params.iter().enumerate() {
            let ty = self.builtin_type(*param, generic);
            params.push(ty);
            let Some(argument) = arguments.get(at) else { continue };
            let Some(mut sequence) = self.builtin_sequence(*param, ty, argument)? else { return Ok(None) };
            if for_integers
                && sequence.class == Class::Standard
                && sequence.rank == Rank::Conversion
                && let Argument::Value(value, _) = argument
                && self.types.underlying(value.ty).is_integer()
            {
                sequence.rank = Rank::Promotion;
            }
            sequences.push(sequence);
        }
        for argument in &arguments[signature.params.len().min(arguments.len())..] {
            let Argument::Value(value, _) = argument else { return Ok(None) };
            if self.types.as_struct(value.ty).is_some() {
                return Ok(None);
            }
            sequences.push(Sequence { class: Class::Ellipsis, rank: Rank::Exact, tie: 0, is_bound: false });
        }
        Ok(Some(Candidate {
            choice: Choice::Builtin { signature, generic, params },
            function: None,
            sequences,
            is_template: signature.set != Set::None,
        }))
    }

    pub fn builtin_sequence(
        &mut self,
        param: Ty,
        ty: TypeId,
        argument: &Argument,
    ) -> Result<Option<Sequence>> {
        let exact = Sequence { class: Class::Standard, rank: Rank::Exact, tie: 0, is_bound: false };
        if let (
            Argument::Value(value, _),
            Ty::PointerToT | Ty::PointerToConstT | Ty::AnyPointer | Ty::AnyMutablePointer,
        ) = (argument, param)
        {
            // Qualifiers of the memory do not matter, but const memory is not written.
            let pointer =
                self.types.as_array(value.ty).map(|(of, _)| of).or_else(|| self.types.pointee(value.ty));
            if let Some(to) = pointer {
                let writes = matches!(param, Ty::PointerToT | Ty::AnyMutablePointer);
                return Ok((!writes || !to.is_const()).then_some(exact));
            }
        }
        self.sequence(argument, ty, true)
    }

    /// What `T` is for a call.
    pub fn generic_type(
        &mut self,
        signature: &Signature,
        set: Set,
        arguments: &[Argument],
    ) -> Result<Option<TypeId>> {
        let mut from_pointer = None;
        let mut common: Option<TypeId> = None;
        for (param, argument) in signature.params.iter().zip(arguments) {
            let Argument::Value(value, _) = argument else { continue };
            match param {
                Ty::PointerToT | Ty::PointerToConstT => {
                    let to = match self.types.as_array(value.ty) {
                        Some((of, _)) => of,
                        None => match self.types.pointee(value.ty) {
                            Some(to) => to,
                            None => return Ok(None),
                        },
                    };
                    from_pointer = Some(to.bare());
                    break;
                }
                Ty::T => {
                    let mut ty = value.ty.bare();
                    if let Some((of, _)) = self.types.as_array(ty) {
                        ty = self.types.pointer(of);
                    }
                    if self.types.as_enum(ty).is_some() {
                        ty = self.types.underlying(ty);
                    }
                    common = Some(match common {
                        None => ty,
                        Some(known) if known == ty => ty,
                        Some(known) if known.is_arithmetic() && ty.is_arithmetic() => {
                            convert::common(&self.types, known, ty)
                        }
                        Some(_) => return Ok(None),
                    });
                }
                _ => {}
            }
        }
        let Some(mut ty) = from_pointer.or(common) else { return Ok(None) };
        let in_set = |this: &Lowering, ty: TypeId| {
            let bytes = this.types.size(ty).unwrap_or(0);
            match set {
                Set::None => false,
                Set::Float => ty.is_float(),
                Set::Integer | Set::AtomicInteger => ty.is_integer() && bytes >= 4,
                Set::Number => ty.is_float() || ty.is_integer() && bytes >= 4,
                Set::Any => ty.is_arithmetic(),
                Set::Scalar => ty.is_arithmetic() || this.types.is_pointer(ty),
                Set::Atomic => ty.is_float() || ty.is_integer() && bytes >= 4 || ty == TypeId::USHORT,
            }
        };
        if !in_set(self, ty) {
            if from_pointer.is_some() || !ty.is_arithmetic() {
                return Ok(None);
            }
            ty = convert::promoted(&self.types, ty);
            if !in_set(self, ty) {
                return Ok(None);
            }
        }
        Ok(Some(ty))
    }

    /// A signature's type.
    pub fn builtin_type(&mut self, ty: Ty, generic: Option<TypeId>) -> TypeId {
        let own = generic.unwrap_or(TypeId::INT);
        match ty {
            Ty::Void => TypeId::VOID,
            Ty::Bool => TypeId::BOOL,
            Ty::Char => TypeId::CHAR,
            Ty::Schar => TypeId::SCHAR,
            Ty::Uchar => TypeId::UCHAR,
            Ty::Short => TypeId::SHORT,
            Ty::Ushort => TypeId::USHORT,
            Ty::Int => TypeId::INT,
            Ty::Uint => TypeId::UINT,
            Ty::Long => TypeId::LONG,
            Ty::Ulong => TypeId::ULONG,
            Ty::Llong => TypeId::LLONG,
            Ty::Ullong => TypeId::ULLONG,
            Ty::Float => TypeId::FLOAT,
            Ty::Double => TypeId::DOUBLE,
            Ty::T => own,
            Ty::PointerToT => self.types.pointer(own),
            Ty::PointerToConstT => {
                let to = self.types.qualified(own, true, false);
                self.types.pointer(to)
            }
            Ty::Pointer(to) => {
                let to = self.builtin_type(*to, generic);
                self.types.pointer(to)
            }
            Ty::AnyPointer => {
                let to = self.types.qualified(TypeId::VOID, true, false);
                self.types.pointer(to)
            }
            Ty::AnyMutablePointer => self.types.pointer(TypeId::VOID),
            Ty::Text => {
                let to = self.types.qualified(TypeId::CHAR, true, false);
                self.types.pointer(to)
            }
            Ty::UnsignedOfT => own.unsigned(),
            Ty::Default(ty, _) => self.builtin_type(*ty, generic),
        }
    }
}
