//! Virtual functions. An object of a class that has some begins with a pointer to the table of its class, as in CUDA's ABI;
//! here the pointer is a number, and a call through a base is a function that chooses by it.

use crate::Span;
use crate::ast::{self, FunctionBody};
use crate::check::types::{StructId, TypeId};
use crate::ir::{Binary, Function, FunctionId, Local, Op, StringId, Type};

use crate::lower::expressions::call::Argument;
use crate::lower::expressions::dispatcher::Dispatcher;
use crate::lower::memory::value::{Address, Category, Value};
use crate::lower::names::scope::{FuncId, Key};
use crate::lower::{Indirect, InstanceId, Lowering, Result};

/// Where the numbers of tables begin, behind those of functions.
const FIRST_TABLE_NUMBER: u64 = 0x0f00_0080_0000_0000;

/// A table: the class of the whole object, and where in it the pointer to the table lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    pub class: StructId,
    pub offset: u64,
}

/// What a choice by an object's table leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VirtualTarget {
    /// The table's number.
    number: u64,
    /// What is added to the object's address.
    step: i64,
    /// What is called; nothing where the address itself is asked for.
    function: Option<InstanceId>,
}

/// The number of the table at a place of the list.
fn number_of(at: usize) -> u64 {
    FIRST_TABLE_NUMBER + 16 * at as u64
}

impl Lowering {
    /// Finds out which functions of a struct are virtual, once all are declared; `first` is the first that may be its own.
    pub fn note_virtuals(&mut self, id: StructId, first: usize) -> Result<()> {
        let bases: Vec<StructId> = self.types.get(id).bases.iter().map(|base| base.ty).collect();
        let inherits = bases.iter().any(|&base| self.types.get(base).is_polymorphic);
        let own: Vec<FuncId> = (first..self.functions.len())
            .map(|at| FuncId(at as u32))
            .filter(|at| self.functions[at.index()].member_of == Some(id))
            .collect();
        let declares = own.iter().any(|at| self.functions[at.index()].is_virtual);
        if !inherits && !declares {
            return Ok(());
        }
        let inherited: Vec<FuncId> = bases.iter().flat_map(|&base| self.virtuals_of(base)).collect();
        for &function in &own {
            let info = &self.functions[function.index()];
            if info.is_static || info.header.is_some() || matches!(info.key, Key::Constructor) {
                continue;
            }
            if !info.is_virtual {
                for &other in &inherited {
                    if self.overrides(function, other)? {
                        self.functions[function.index()].is_virtual = true;
                        break;
                    }
                }
            }
            if self.functions[function.index()].is_virtual {
                self.records[id.0 as usize].virtuals.push(function);
            }
        }
        self.add_virtual_destructor(id, &inherited)?;
        self.records[id.0 as usize].is_aggregate = false;
        let info = &mut self.types.structs[id.0 as usize];
        info.is_polymorphic = true;
        info.has_table = !inherits;
        Ok(())
    }

    /// A destructor for a struct that has none, but a base with a virtual one: `delete` calls it.
    fn add_virtual_destructor(&mut self, id: StructId, inherited: &[FuncId]) -> Result<()> {
        let is_destructor = |this: &Lowering, at: FuncId| this.functions[at.index()].key == Key::Destructor;
        if self.records[id.0 as usize].destructor.is_some() {
            return Ok(());
        }
        let Some(&of_base) = inherited.iter().find(|&&at| is_destructor(self, at)) else { return Ok(()) };
        let mut ast = (*self.functions[of_base.index()].ast).clone();
        ast.specifiers.is_virtual = true;
        ast.body = FunctionBody::Block(ast::Block { statements: Vec::new(), span: ast.span, end: ast.span });
        let scope = self.records[id.0 as usize].scope;
        let made = self.add_function(std::rc::Rc::new(ast), scope, scope, Some(id), true)?;
        self.records[id.0 as usize].destructor = Some(made);
        self.records[id.0 as usize].virtuals.push(made);
        Ok(())
    }

    /// The virtual functions of a struct and its bases.
    fn virtuals_of(&self, id: StructId) -> Vec<FuncId> {
        let mut found = self.records[id.0 as usize].virtuals.clone();
        for base in &self.types.get(id).bases {
            found.extend(self.virtuals_of(base.ty));
        }
        found
    }

    /// Whether a member function stands for another one of a base: the same name, parameters and `const`.
    fn overrides(&mut self, function: FuncId, other: FuncId) -> Result<bool> {
        let (a, b) = (&self.functions[function.index()], &self.functions[other.index()]);
        if a.key != b.key || a.ast.constant != b.ast.constant {
            return Ok(false);
        }
        if a.key == Key::Destructor {
            return Ok(true);
        }
        if a.ast.parameters.len() != b.ast.parameters.len() {
            return Ok(false);
        }
        let (a_span, b_span) = (a.ast.span, b.ast.span);
        let a = self.instance(function, &[], a_span)?;
        let b = self.instance(other, &[], b_span)?;
        let bare = |this: &Lowering, id: InstanceId| -> Vec<TypeId> {
            this.instances[id.0 as usize].params.iter().map(|ty| ty.bare()).collect()
        };
        Ok(bare(self, a) == bare(self, b))
    }

    /// The function that a call of `function` runs for an object of class `class`.
    fn overrider(&mut self, class: StructId, function: FuncId) -> Result<FuncId> {
        for own in self.records[class.0 as usize].virtuals.clone() {
            if own == function || self.overrides(own, function)? {
                return Ok(own);
            }
        }
        let bases: Vec<StructId> = self.types.get(class).bases.iter().map(|base| base.ty).collect();
        let mut found = function;
        for base in bases {
            if !self.types.get(base).is_polymorphic {
                continue;
            }
            let candidate = self.overrider(base, function)?;
            if candidate != function {
                found = candidate;
                break;
            }
        }
        Ok(found)
    }

    /// Whether a function has a body to call.
    fn is_defined(&self, function: FuncId) -> bool {
        !matches!(self.functions[function.index()].ast.body, FunctionBody::Pure | FunctionBody::None)
    }

    /// Whether objects of a class cannot be made: a virtual function has no body.
    pub fn is_abstract(&mut self, id: StructId) -> Result<bool> {
        for function in self.virtuals_of(id) {
            let last = self.overrider(id, function)?;
            if matches!(self.functions[last.index()].ast.body, FunctionBody::Pure) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn has_virtual_destructor(&self, id: StructId) -> bool {
        let destructor = self.records[id.0 as usize].destructor;
        destructor.is_some_and(|function| self.functions[function.index()].is_virtual)
    }

    /// Stores the numbers of a class's tables into an object: from here on it is one of that class.
    pub fn set_tables(&mut self, address: Address, id: StructId, span: Span) -> Result<()> {
        if !self.types.get(id).is_polymorphic {
            return Ok(());
        }
        for offset in self.table_offsets(id, 0) {
            let number = self.table_number(Table { class: id, offset }, span)?;
            let src = self.b().constant(Type::POINTER, number);
            let place = address.offset + offset as i64;
            self.b().emit(Op::Store { addr: address.base, offset: place, src, volatile: false });
        }
        Ok(())
    }

    /// Where in an object pointers to tables lie.
    fn table_offsets(&self, id: StructId, at: u64) -> Vec<u64> {
        let info = self.types.get(id);
        let mut found = if info.has_table { vec![at] } else { Vec::new() };
        for base in &info.bases {
            found.extend(self.table_offsets(base.ty, at + base.offset));
        }
        found
    }

    /// The number of a table. All functions that it leads to are lowered.
    fn table_number(&mut self, table: Table, span: Span) -> Result<u64> {
        let at = match self.tables.iter().position(|known| *known == table) {
            Some(at) => at,
            None => {
                if self.unevaluated > 0 {
                    return Ok(FIRST_TABLE_NUMBER);
                }
                self.tables.push(table);
                for function in self.virtuals_of(table.class) {
                    let last = self.overrider(table.class, function)?;
                    if self.is_defined(last) {
                        let instance = self.instance(last, &[], span)?;
                        self.require(instance);
                    }
                }
                self.tables.iter().position(|known| *known == table).unwrap_or(0)
            }
        };
        Ok(number_of(at))
    }

    /// What each table leads to for calls of a virtual function.
    pub fn virtual_targets(&mut self, called: InstanceId) -> Result<Vec<VirtualTarget>> {
        let function = self.instances[called.0 as usize].function;
        let span = self.functions[function.index()].ast.span;
        let Some(owner) = self.functions[function.index()].member_of else { return Ok(Vec::new()) };
        let mut targets = Vec::new();
        for (at, table) in self.tables.clone().into_iter().enumerate() {
            if self.types.base_offset(table.class, owner) != Some(table.offset) {
                continue;
            }
            let last = self.overrider(table.class, function)?;
            if !self.is_defined(last) {
                continue;
            }
            let of = self.functions[last.index()].member_of.unwrap_or(table.class);
            let to = self.types.base_offset(table.class, of).unwrap_or(0) as i64;
            let instance = self.instance(last, &[], span)?;
            let step = to - table.offset as i64;
            targets.push(VirtualTarget { number: number_of(at), step, function: Some(instance) });
        }
        Ok(targets)
    }

    /// How far each table's pointer lies behind the beginning of its object, for objects of a class or derived ones.
    pub fn top_targets(&self, of: StructId) -> Vec<VirtualTarget> {
        let tables = self.tables.iter().enumerate();
        tables
            .filter(|(_, table)| self.types.base_offset(table.class, of) == Some(table.offset))
            .map(|(at, table)| VirtualTarget {
                number: number_of(at),
                step: -(table.offset as i64),
                function: None,
            })
            .collect()
    }

    /// `delete p` where the class has a virtual destructor: destroys the whole object, and gives its address.
    pub fn destroy_virtually(&mut self, address: Local, id: StructId, span: Span) -> Result<Local> {
        let Some(destructor) = self.records[id.0 as usize].destructor else { return Ok(address) };
        let pointer = self.types.pointer(TypeId::VOID);
        let function = self.indirect(Indirect::Top(id));
        let top = self.emit_call(function, vec![address], pointer, None, span)?;
        let top = self.local(&top, span)?;
        let instance = self.instance(destructor, &[], span)?;
        let ty = self.types.struct_type(id);
        let object = Value::memory(ty, Address { base: address, offset: 0 }, Category::Left);
        self.call_instance(instance, Some(object), Vec::<Argument>::new(), None, span)?;
        Ok(top)
    }

    /// `(address of a struct's result, object, arguments...)`: calls the function that the object's table says; without a
    /// function the object's address, moved, is the result.
    pub fn virtual_dispatcher(
        &mut self,
        called: Option<InstanceId>,
        targets: &[VirtualTarget],
        message: StringId,
    ) -> Function {
        let (result, params) = match called {
            Some(id) => {
                let instance = &self.instances[id.0 as usize];
                (instance.result.unwrap_or(TypeId::VOID), instance.params.clone())
            }
            None => (self.types.pointer(TypeId::VOID), Vec::new()),
        };
        let mut made = Dispatcher::new(&self.types, "a virtual function", result, &params);
        let (object, number) = (made.key, made.local(Type::POINTER));
        let load = Op::Load { dst: number, addr: object, offset: 0, volatile: false };
        made.choose(vec![load], number, targets.iter().map(|target| target.number), message);
        let (moved, step) = (made.local(Type::POINTER), made.local(Type::I64));
        for target in targets {
            let mut ops = vec![
                Op::Const { dst: step, bits: target.step as u64 },
                Op::Binary { dst: moved, op: Binary::Add, a: object, b: step },
            ];
            match target.function {
                Some(id) => ops.push(made.call(FunctionId(id.0), Some(moved))),
                None => ops.extend(made.value.map(|dst| Op::Copy { dst, src: moved })),
            }
            made.target(ops);
        }
        made.finish()
    }
}
