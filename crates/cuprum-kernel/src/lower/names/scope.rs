//! What names stand for, and where they are looked for.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Span;
use crate::ast::{self, Identifier, OperatorName, Symbol};
use crate::check::constant::Constant;
use crate::check::types::{BitField, StructId, TypeId};
use crate::ir::{GlobalId, Local, SharedId, SlotId};

use crate::lower::{Fault, InstanceId, Lowering, Result, State, fault};

macro_rules! id {
    ($($name:ident),*) => {$(
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

// Each makes `struct Name(u32)`.
id!(ScopeId, FuncId, TemplateId, VarId, PackId);

/// What a name is looked up by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Name(Symbol),
    Operator(OperatorName),
    Literal(Symbol),
    Conversion,
    Destructor,
    Constructor,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Entity {
    Namespace(ScopeId),
    Type(TypeId),
    /// A template of records, an alias or a variable.
    Template(TemplateId),
    Function(FuncId),
    Variable(VarId),
    Constant(Constant),
    /// A template's argument that is a function.
    Instance(InstanceId),
    Field(Field),
    /// What a lambda has captured, in its closure.
    Capture(Field),
    Pack(PackId),
    /// A declaration that failed: whoever uses it fails without a message.
    Poison,
}

/// A field, seen from the struct it was found in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Field {
    pub owner: StructId,
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitField>,
    pub is_mutable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScopeKind {
    Namespace,
    Record(StructId),
    /// Binds a template's parameters.
    Template,
    Block,
}

/// Names, and the scope around them.
pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    pub name: Option<Symbol>,
    pub names: HashMap<Key, Vec<Entity>>,
    /// `using namespace` and inline namespaces.
    pub using: Vec<ScopeId>,
    /// Functions of the language that a `using` declaration has named here, such as `using ::sqrt;`.
    pub of_language: Vec<Symbol>,
}

/// An argument of a template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TemplateArg {
    Type(TypeId),
    Value(Constant),
    Function(InstanceId),
    /// The address of a global variable.
    Variable(VarId),
    Template(TemplateId),
    Pack(Rc<[TemplateArg]>),
    /// Not found yet: the parameter's default stands for it.
    Missing,
}

/// A template other than of functions.
pub(crate) struct Template {
    pub name: Symbol,
    pub scope: ScopeId,
    pub kind: TemplateKind,
    /// Names of namespaces declared later are not seen by its members.
    pub order: u32,
}

pub(crate) enum TemplateKind {
    Record {
        /// The primary template; only declared where it has no members.
        primary: Rc<ast::Record>,
        /// Partial and full specialisations.
        special: Vec<Rc<ast::Record>>,
        instances: HashMap<Rc<[TemplateArg]>, StructId>,
        /// Members that are defined outside.
        outside: Vec<Rc<ast::Function>>,
        /// Static fields that are defined outside.
        statics: Vec<Rc<ast::Variables>>,
    },
    Alias(Rc<ast::Alias>),
    Variable {
        primary: Rc<ast::Variables>,
        special: Vec<Rc<ast::Variables>>,
        instances: HashMap<Rc<[TemplateArg]>, VarId>,
    },
}

/// A function or a function template, with all its declarations.
pub(crate) struct Function {
    /// The definition, or the first declaration while there is none.
    pub ast: Rc<ast::Function>,
    pub key: Key,
    /// Where its signature and body are looked up.
    pub scope: ScopeId,
    /// The template header that its own parameters come from.
    pub header: Option<Rc<ast::TemplateHeader>>,
    pub member_of: Option<StructId>,
    pub is_static: bool,
    /// The default arguments of all declarations, with their scope.
    pub defaults: Vec<Option<(Rc<ast::Function>, ScopeId)>>,
    /// Explicit specialisations: their arguments, and where they are.
    pub special: Vec<(Rc<[TemplateArg]>, FuncId)>,
    /// Names of namespaces declared later are not seen by the body.
    pub order: u32,
    /// Where it was first declared, for its own visibility.
    pub declared: u32,
    /// A non-template's types, once asked for.
    pub signature: Option<(Rc<[TypeId]>, Option<TypeId>)>,
    /// The field and the pointer to the closure for lambdas.
    pub is_lambda: bool,
    /// Which function is called is the object's business.
    pub is_virtual: bool,
}

/// A struct's members and what is special about it.
pub(crate) struct Record {
    pub ast: Option<Rc<ast::Record>>,
    /// The scope of its members.
    pub scope: ScopeId,
    pub template: Option<(TemplateId, Rc<[TemplateArg]>)>,
    pub state: State,
    pub constructors: Vec<FuncId>,
    pub destructor: Option<FuncId>,
    pub conversions: Vec<FuncId>,
    pub friends: Vec<FuncId>,
    /// Its own virtual functions.
    pub virtuals: Vec<FuncId>,
    /// Initialisers of the fields, by their position.
    pub defaults: Vec<Option<Rc<ast::Variables>>>,
    /// The variable of `defaults` that belongs to the field.
    pub default_at: Vec<usize>,
    pub has_copy: bool,
    pub has_assignment: bool,
    /// Default construction does nothing.
    pub plain_default: bool,
    /// Destruction does nothing.
    pub plain_destructor: bool,
    pub is_aggregate: bool,
    /// How many declarations there were at its end.
    pub order: u32,
    pub span: Span,
}

/// A variable.
pub(crate) struct Variable {
    pub name: String,
    pub ty: TypeId,
    pub place: Place,
    pub order: u32,
    pub span: Span,
}

/// Where a variable is.
#[derive(Clone)]
pub(crate) enum Place {
    /// In a local of a function; by the frame's number and the variable's in it.
    Local {
        frame: u32,
        index: u32,
    },
    /// In a slot.
    Slot {
        frame: u32,
        slot: SlotId,
    },
    /// Behind the address that a local holds: a reference, or memory of another variable.
    Address {
        frame: u32,
        base: Local,
        offset: i64,
    },
    /// A bit-field behind an address: a structured binding's.
    Bits {
        frame: u32,
        base: Local,
        offset: i64,
        bits: BitField,
    },
    Shared(SharedId),
    DynamicShared,
    Global(GlobalId),
    /// A number known at compile time that needs no memory yet.
    Constant(u64),
    /// A function known at compile time.
    Function(InstanceId),
    /// A variable of a namespace or a static one that nobody has asked for yet.
    Pending(Rc<Pending>),
    /// Being computed.
    InProgress,
    Failed,
}

/// A variable that is made when it is asked for.
pub(crate) struct Pending {
    pub specifiers: ast::Specifiers,
    pub variable: ast::Variable,
    pub scope: ScopeId,
    pub order: u32,
}

impl Lowering {
    pub fn add_scope(&mut self, kind: ScopeKind, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope {
            kind,
            parent: Some(parent),
            name: None,
            names: HashMap::new(),
            using: Vec::new(),
            of_language: Vec::new(),
        });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Runs `then` in a new block.
    pub fn in_block<T>(&mut self, then: impl FnOnce(&mut Lowering) -> Result<T>) -> Result<T> {
        let outer = self.scope;
        self.scope = self.add_scope(ScopeKind::Block, outer);
        let result = then(self);
        self.scope = outer;
        result
    }

    /// Runs `then` in a scope.
    pub fn in_scope<T>(&mut self, scope: ScopeId, then: impl FnOnce(&mut Lowering) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let result = then(self);
        self.scope = outer;
        result
    }

    pub fn declare(&mut self, scope: ScopeId, key: Key, entity: Entity) {
        self.scopes[scope.index()].names.entry(key).or_default().push(entity);
    }

    /// Declares a name of its own in the current scope: a variable hides what the scope had.
    pub fn declare_only(&mut self, key: Key, entity: Entity) {
        self.scopes[self.scope.index()].names.insert(key, vec![entity]);
    }

    /// What a name stands for, from a scope outwards. Empty where it is unknown.
    pub fn lookup(&mut self, key: Key, from: ScopeId) -> Result<Vec<Entity>> {
        let mut scope = Some(from);
        while let Some(at) = scope {
            let found = self.lookup_in(key, at)?;
            let found = self.visible_ones(found);
            if !found.is_empty() {
                return Ok(found);
            }
            scope = self.scopes[at.index()].parent;
        }
        Ok(Vec::new())
    }

    /// Without functions and variables of namespaces that are declared later.
    fn visible_ones(&self, mut found: Vec<Entity>) -> Vec<Entity> {
        if self.visible != u32::MAX {
            found.retain(|entity| match *entity {
                Entity::Function(id) => self.functions[id.index()].declared <= self.visible,
                Entity::Variable(id) => self.variables[id.index()].order <= self.visible,
                _ => true,
            });
        }
        found
    }

    /// What a name stands for in one scope, its bases and the namespaces that it uses.
    pub fn lookup_in(&mut self, key: Key, scope: ScopeId) -> Result<Vec<Entity>> {
        if let ScopeKind::Record(id) = self.scopes[scope.index()].kind {
            return self.lookup_member(key, id);
        }
        let mut found = Vec::new();
        let mut seen = vec![scope];
        let mut at = 0;
        while at < seen.len() {
            let scope = &self.scopes[seen[at].index()];
            if let Some(entities) = scope.names.get(&key) {
                for entity in entities {
                    if !found.contains(entity) {
                        found.push(*entity);
                    }
                }
            }
            for &next in &scope.using {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
        }
        Ok(found)
    }

    /// What a name stands for in a struct or, where it has none of it, in its bases.
    pub fn lookup_member(&mut self, key: Key, id: StructId) -> Result<Vec<Entity>> {
        let scope = self.records[id.0 as usize].scope;
        if let Some(entities) = self.scopes[scope.index()].names.get(&key) {
            return Ok(entities.clone());
        }
        let mut found = Vec::new();
        let bases = self.types.get(id).bases.clone();
        for base in bases {
            for entity in self.lookup_member(key, base.ty)? {
                if !found.contains(&entity) {
                    found.push(entity);
                }
            }
        }
        Ok(found)
    }

    pub fn key(&self, id: &Identifier) -> Option<Key> {
        Some(match id {
            Identifier::Name(symbol) => Key::Name(*symbol),
            Identifier::Operator(op) => Key::Operator(*op),
            Identifier::Literal(symbol) => Key::Literal(*symbol),
            Identifier::Conversion(_) => Key::Conversion,
            Identifier::Destructor(_) => Key::Destructor,
            Identifier::Decltype(_) => return None,
        })
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// The names that a struct's name has before it, for messages and kernels.
    pub fn qualified_name(&self, scope: ScopeId, name: &str) -> String {
        let mut parts = vec![name.to_owned()];
        let mut at = Some(scope);
        while let Some(scope) = at {
            let scope = &self.scopes[scope.index()];
            match scope.kind {
                ScopeKind::Namespace => {
                    if let Some(name) = scope.name {
                        parts.push(self.text(name).to_owned());
                    }
                }
                ScopeKind::Record(id) => {
                    parts.push(self.types.get(id).name.clone());
                    break;
                }
                ScopeKind::Template | ScopeKind::Block => {}
            }
            at = scope.parent;
        }
        parts.reverse();
        parts.join("::")
    }

    /// The error for a name that stands for nothing, with the nearest one that does.
    pub fn unknown(&mut self, symbol: Symbol, span: Span, what: &str) -> Fault {
        let name = self.text(symbol).to_owned();
        let later = std::mem::replace(&mut self.visible, u32::MAX);
        let found = self.lookup(Key::Name(symbol), self.scope);
        self.visible = later;
        if later != u32::MAX && found.is_ok_and(|found| !found.is_empty()) {
            return fault(span, format!("`{name}` is declared only below: declare it before it is used"));
        }
        if let Some(instead) = crate::builtins::instead_of(&name) {
            return fault(span, format!("`{name}`: {instead}"));
        }
        let mut best: Option<(usize, String)> = None;
        let mut consider = |candidate: &str| {
            let distance = distance(&name, candidate, 3);
            let limit = 1 + name.chars().count() / 4;
            let found = (distance, candidate.to_owned());
            if distance <= limit.min(3) && best.as_ref().is_none_or(|best| found < *best) {
                best = Some(found);
            }
        };
        let mut scope = Some(self.scope);
        while let Some(at) = scope {
            for key in self.scopes[at.index()].names.keys() {
                if let Key::Name(symbol) = key {
                    consider(self.symbols.text(*symbol));
                }
            }
            scope = self.scopes[at.index()].parent;
        }
        for name in crate::builtins::names() {
            consider(name);
        }
        for name in ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"] {
            consider(name);
        }
        match best {
            Some((_, near)) => fault(span, format!("{what} `{name}`; did you mean `{near}`?")),
            None => fault(span, format!("{what} `{name}`")),
        }
    }
}

/// How many letters must be changed, added or left out to make one name of the other; more than `limit` is `limit + 1`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit || b.starts_with(&['_', '_', 'c', 'u', 'p']) {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()].min(limit + 1)
}
