//! Calls of builtin functions: the instructions that they become.

use crate::Span;
use crate::builtins::{self, How, Signature, Step, Ty};
use crate::check::convert;
use crate::check::types::TypeId;
use crate::ir::{Barrier, Local, Op};

use crate::lower::expressions::call::Argument;
use crate::lower::memory::value::{Value, ValueKind};
use crate::lower::{Lowering, Result, fault};

impl Lowering {
    pub fn call_builtin(
        &mut self,
        name: &str,
        signature: &'static Signature,
        generic: Option<TypeId>,
        params: &[TypeId],
        arguments: &[Argument],
        span: Span,
    ) -> Result<Value> {
        let mut args = Vec::new();
        for (at, &param) in params.iter().enumerate() {
            let pointer_like = matches!(
                signature.params[at],
                Ty::PointerToT | Ty::PointerToConstT | Ty::AnyPointer | Ty::AnyMutablePointer
            );
            args.push(match arguments.get(at) {
                Some(argument) => self.builtin_argument(argument, param, pointer_like)?,
                None => {
                    let Ty::Default(_, value) = signature.params[at] else {
                        return Err(fault(span, "an argument is missing"));
                    };
                    let ty = self.ir_type(param, span)?;
                    let bits = value as u64 & crate::passes::fold::mask(ty);
                    let local = self.b().constant(ty, bits);
                    builtins::Arg { local, ty: param, constant: Some(bits), text: None }
                }
            });
        }
        for argument in arguments.iter().skip(params.len()) {
            args.push(self.variadic_argument(argument)?);
        }
        let result = self.builtin_type(signature.result, generic);
        self.b().span = span;
        let dst = self.emit_builtin(name, signature, generic, &args, result, span)?;
        Ok(match dst {
            Some(local) if !result.is_void() => Value::local(result, local),
            _ => Value::void(),
        })
    }

    pub fn builtin_argument(
        &mut self,
        argument: &Argument,
        param: TypeId,
        pointer_like: bool,
    ) -> Result<builtins::Arg> {
        let span = argument.span();
        let value = match argument {
            Argument::Value(value, _) => value.clone(),
            Argument::List(items, _) => self.scalar_list(param, items, span)?,
        };
        let text = match value.kind {
            ValueKind::Text(string) => Some(string),
            _ => None,
        };
        let value = if pointer_like && value.ty != TypeId::NULLPTR {
            let value = self.rvalue(value, span)?;
            if self.types.is_pointer(value.ty) { value } else { self.convert(value, param, span)? }
        } else {
            self.convert(value, param, span)?
        };
        let constant = value.as_constant().map(|constant| constant.bits);
        let local = self.local_in_place(&value, span)?;
        Ok(builtins::Arg { local, ty: value.ty, constant, text })
    }

    /// An argument of `printf`: small integers are `int`, floats are `double`.
    pub fn variadic_argument(&mut self, argument: &Argument) -> Result<builtins::Arg> {
        let span = argument.span();
        let Argument::Value(value, _) = argument else {
            return Err(fault(span, "a list in braces cannot be an argument here"));
        };
        let text = match value.kind {
            ValueKind::Text(string) => Some(string),
            _ => None,
        };
        let value = self.rvalue(value.clone(), span)?;
        let value = if value.ty.is_float() {
            self.convert_number(value, TypeId::DOUBLE, span)?
        } else if value.ty.is_integer() || self.types.as_enum(value.ty).is_some() {
            let to = convert::promoted(&self.types, value.ty);
            self.convert_number(value, to, span)?
        } else {
            value
        };
        let constant = value.as_constant().map(|constant| constant.bits);
        let local = self.local(&value, span)?;
        Ok(builtins::Arg { local, ty: value.ty, constant, text })
    }

    pub fn emit_builtin(
        &mut self,
        name: &str,
        signature: &Signature,
        generic: Option<TypeId>,
        args: &[builtins::Arg],
        result: TypeId,
        span: Span,
    ) -> Result<Option<Local>> {
        let step = match signature.how {
            How::Step(step) => step,
            How::BySign { signed, unsigned, float } => {
                let ty = generic.or(args.first().map(|arg| arg.ty)).unwrap_or(TypeId::INT);
                let ty = self.types.underlying(ty);
                if ty.is_float() {
                    float
                } else if ty.is_signed() {
                    signed
                } else {
                    unsigned
                }
            }
            How::Math(function) => {
                let ty = self.ir_type(result, span)?;
                let dst = self.b().local(ty);
                let args = args.iter().map(|arg| arg.local).collect();
                self.b().emit(Op::Math { dst, function, args });
                return Ok(Some(dst));
            }
            How::Warp(op) => {
                let ty = self.ir_type(result, span)?;
                let dst = self.b().local(ty);
                let (mask, value) = (args[0].local, args.get(1).map_or(args[0].local, |arg| arg.local));
                let lane = match args.get(2) {
                    Some(arg) => arg.local,
                    None => self.b().int(0),
                };
                let width = match args.get(3) {
                    Some(arg) => arg.local,
                    None => self.b().int(32),
                };
                self.b().emit(Op::Warp { dst, op, mask, value, lane, width });
                return Ok(Some(dst));
            }
            How::Custom(lower) => {
                let mut call = builtins::Call {
                    builder: &mut self.frame.b,
                    types: &self.types,
                    strings: &mut self.module.strings,
                    args,
                    result,
                    generic,
                    name,
                    span,
                };
                return Ok(lower(&mut call)?);
            }
        };
        self.emit_step(step, args, result, span)
    }

    pub fn emit_step(
        &mut self,
        step: Step,
        args: &[builtins::Arg],
        result: TypeId,
        span: Span,
    ) -> Result<Option<Local>> {
        let at = |index: usize| args[index].local;
        if step == Step::Nothing {
            return Ok(None);
        }
        if step == Step::Same {
            return Ok(Some(at(0)));
        }
        let dst = self.types.ir(result).map(|ty| self.b().local(ty));
        let needed = || dst.ok_or_else(|| fault(span, "this builtin has no result"));
        let op = match step {
            Step::Unary(op) => Op::Unary { dst: needed()?, op, src: at(0) },
            Step::Binary(op) => Op::Binary { dst: needed()?, op, a: at(0), b: at(1) },
            Step::Compare(op) => {
                let compared = self.b().compare(op, at(0), at(1));
                let ty = self.ir_type(result, span)?;
                return Ok(Some(self.resize(compared, ty, false)));
            }
            Step::Convert(kind) => Op::Convert { dst: needed()?, kind, src: at(0) },
            Step::Fma => Op::Fma { dst: needed()?, a: at(0), b: at(1), c: at(2) },
            Step::Atomic(op) => {
                let ty = self.frame.b.type_of(at(1));
                let dst = dst.unwrap_or_else(|| self.frame.b.local(ty));
                self.b().emit(Op::Atomic { dst, op, addr: at(0), value: at(1) });
                return Ok(Some(dst));
            }
            Step::CompareAndSwap => {
                Op::CompareAndSwap { dst: needed()?, addr: at(0), expected: at(1), value: at(2) }
            }
            Step::Special(register) => Op::Special { dst: needed()?, register },
            Step::Fence => Op::Fence,
            Step::Barrier => Op::Barrier(Barrier::Plain),
            Step::GridSync => Op::GridSync,
            Step::ClusterSync => Op::ClusterSync,
            Step::SyncWarp => Op::SyncWarp { mask: at(0) },
            Step::ActiveMask => Op::ActiveMask { dst: needed()? },
            Step::Yield => Op::Yield,
            Step::Same | Step::Nothing => return Ok(None),
        };
        self.b().emit(op);
        Ok(dst)
    }
}
