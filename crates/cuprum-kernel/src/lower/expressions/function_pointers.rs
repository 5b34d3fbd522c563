//! Pointers to functions that are known at run time only. Such a pointer is a number; for each function type that is called
//! through one, a generated function dispatches by it.

use crate::Span;
use crate::check::types::{TypeClass, TypeId};
use crate::ir::{Function, FunctionId, Local, Op, StringId, Type};

use crate::lower::expressions::call::Argument;
use crate::lower::expressions::dispatcher::Dispatcher;
use crate::lower::memory::value::{Address, Value, ValueKind};
use crate::lower::objects::virtuals::VirtualTarget;
use crate::lower::templates::instance::empty_function;
use crate::lower::{Indirect, InstanceId, Lowering, Result, fault};

/// The numbers of functions that are made when all others are, until then.
const PENDING_ID: u32 = 1 << 31;

/// Whether a function is one that is made last.
pub(crate) fn is_pending_id(function: FunctionId) -> bool {
    function.0 >= PENDING_ID
}

/// Where the numbers of functions begin: no memory has such addresses.
const FIRST_FUNCTION_NUMBER: u64 = 0x0f00_0000_0000_0000;

/// The number that a pointer to a function is.
fn number(id: InstanceId) -> u64 {
    FIRST_FUNCTION_NUMBER + 16 * u64::from(id.0)
}

/// Whether a number stands for a function.
pub(crate) fn is_function_number(number: u64) -> bool {
    (FIRST_FUNCTION_NUMBER..FIRST_FUNCTION_NUMBER + (1 << 40)).contains(&number)
}

impl Lowering {
    /// A function as the number that its pointer is.
    pub fn function_number(&mut self, id: InstanceId) -> Local {
        if self.unevaluated == 0 && !self.pointed_to.contains(&id) {
            self.pointed_to.push(id);
        }
        self.require(id);
        self.b().constant(Type::POINTER, number(id))
    }

    /// The type of a pointer to what is a function.
    pub fn function_pointer(&mut self, value: &Value, span: Span) -> Result<Option<TypeId>> {
        let id = match &value.kind {
            ValueKind::Functions(set) => {
                let set = set.clone();
                self.single_function(&set, None, span)?
            }
            ValueKind::Instance(id) => *id,
            _ => return Ok(None),
        };
        Ok(self.function_type(id).map(|of| self.types.pointer(of)))
    }

    /// A function as a pointer to it; all other values as they are.
    pub fn decayed_function(&mut self, value: Value, span: Span) -> Result<Value> {
        match self.function_pointer(&value, span)? {
            Some(pointer) => self.convert(value, pointer, span),
            None => Ok(value),
        }
    }

    /// A call through a pointer to a function of type `of`.
    pub fn call_pointer(
        &mut self,
        pointer: &Value,
        of: TypeId,
        arguments: Vec<Argument>,
        into: Option<Address>,
        span: Span,
    ) -> Result<Value> {
        let TypeClass::Function { result, params } = self.types.kind(of).clone() else {
            return Err(fault(span, "this cannot be called"));
        };
        if arguments.len() != params.len() {
            let message = format!(
                "a `{}` takes {} arguments, not {}",
                self.types.name(of),
                params.len(),
                arguments.len()
            );
            return Err(fault(span, message));
        }
        let mut locals = vec![self.local(pointer, span)?];
        for (argument, param) in arguments.into_iter().zip(params) {
            locals.push(self.argument_local(argument, param)?);
        }
        let function = self.indirect(Indirect::Pointer(of));
        self.b().span = span;
        self.emit_call(function, locals, result, into, span)
    }

    /// The function that makes an indirect call, which is written when all functions are known.
    pub fn indirect(&mut self, call: Indirect) -> FunctionId {
        let at = match self.called_through.iter().position(|known| *known == call) {
            Some(at) => at,
            None => {
                self.called_through.push(call);
                self.called_through.len() - 1
            }
        };
        FunctionId(PENDING_ID + at as u32)
    }

    /// Makes the functions that dispatch by number, once all functions whose address is taken are known.
    pub fn make_dispatchers(&mut self) {
        if self.called_through.is_empty() {
            return;
        }
        // Looking for functions may add to the module: it comes before their numbers.
        let mut targets: Vec<Vec<VirtualTarget>> = Vec::new();
        for call in self.called_through.clone() {
            targets.push(match call {
                Indirect::Pointer(_) => Vec::new(),
                Indirect::Virtual(id) => match self.virtual_targets(id) {
                    Ok(targets) => targets,
                    Err(cause) => {
                        self.report(cause);
                        Vec::new()
                    }
                },
                Indirect::Top(id) => self.top_targets(id),
            });
        }
        let first = self.module.functions.len() as u32;
        let calls = self.module.functions.iter_mut().flat_map(|f| &mut f.blocks).flat_map(|b| &mut b.insts);
        for inst in calls {
            if let Op::Call { function, .. } = &mut inst.op
                && is_pending_id(*function)
            {
                *function = FunctionId(function.0 - PENDING_ID + first);
            }
        }
        self.module.strings.push("a pointer to a function that is none".to_owned());
        self.module
            .strings
            .push("the object of a virtual function is one that a constructor has made".to_owned());
        let no_object = StringId(self.module.strings.len() as u32 - 1);
        let no_function = StringId(no_object.0 - 1);
        for (call, targets) in self.called_through.clone().into_iter().zip(targets) {
            let made = match call {
                Indirect::Pointer(of) => self.pointer_dispatcher(of, no_function),
                Indirect::Virtual(id) => self.virtual_dispatcher(Some(id), &targets, no_object),
                Indirect::Top(_) => self.virtual_dispatcher(None, &targets, no_object),
            };
            self.module.functions.push(made);
        }
    }

    fn pointer_dispatcher(&mut self, of: TypeId, message: StringId) -> Function {
        let mut targets = Vec::new();
        for id in self.pointed_to.clone() {
            if self.function_type(id) == Some(of) {
                targets.push(id);
            }
        }
        self.dispatcher(of, &targets, message)
    }

    /// `(address of a struct's result, number, arguments...)`.
    fn dispatcher(&mut self, of: TypeId, targets: &[InstanceId], message: StringId) -> Function {
        let TypeClass::Function { result, params } = self.types.kind(of).clone() else {
            return empty_function();
        };
        let mut made = Dispatcher::new(&self.types, "a function by its pointer", result, &params);
        made.choose(Vec::new(), made.key, targets.iter().map(|id| number(*id)), message);
        for id in targets {
            let call = made.call(id.function(), None);
            made.target(vec![call]);
        }
        made.finish()
    }
}
