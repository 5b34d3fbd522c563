//! Which names are types, templates and namespaces, scope by scope: what C++ has to know to be read.
//!
//! Scopes of namespaces and records stay after they are closed, for `a::b` and for members that are defined outside;
//! those of blocks and template parameters go. A specialisation shares the scope of its primary template.

use crate::ast::Symbol;

/// A scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScopeId(u32);

/// What a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    /// A variable, a function, an enumerator.
    Value,
    /// A type, but for class templates.
    Type,
    /// A class template or an alias template.
    TypeTemplate,
    /// A function template or a variable template.
    ValueTemplate,
    /// A namespace.
    Namespace,
}

/// A name's declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub kind: NameKind,
    /// What stands behind its `::`.
    pub scope: Option<ScopeId>,
}

impl Entry {
    pub fn new(kind: NameKind) -> Entry {
        Entry { kind, scope: None }
    }

    pub fn is_type(&self) -> bool {
        matches!(self.kind, NameKind::Type | NameKind::TypeTemplate)
    }

    pub fn is_template(&self) -> bool {
        matches!(self.kind, NameKind::TypeTemplate | NameKind::ValueTemplate)
    }
}

/// What a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    Namespace,
    Record,
    Block,
    /// A template's parameters: what is declared behind them is declared around them.
    Parameters,
}

struct Scope {
    of: Of,
    /// Its place on the stack of open scopes, from 1; 0: closed.
    rank: u32,
    /// For blocks and parameters: the names to be taken away again.
    declared: Vec<Symbol>,
    /// Scopes whose names are seen in it: bases, `using namespace`, inline namespaces.
    imports: Vec<ScopeId>,
}

/// An open scope, with what has to be put back when it is closed.
struct Open {
    id: ScopeId,
    /// Scopes that got a rank with it, and the rank that they had.
    before: Vec<(ScopeId, u32)>,
}

#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    /// By symbol: the scopes that declare it.
    bindings: Vec<Vec<(ScopeId, Entry)>>,
    open: Vec<Open>,
}

impl Scopes {
    /// Makes a scope and opens it.
    pub fn begin(&mut self, of: Of) -> ScopeId {
        let id = self.make(of);
        self.open(id);
        id
    }

    /// Makes a scope.
    pub fn make(&mut self, of: Of) -> ScopeId {
        self.scopes.push(Scope { of, rank: 0, declared: Vec::new(), imports: Vec::new() });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// Opens a scope.
    pub fn open(&mut self, id: ScopeId) {
        let rank = self.open.len() as u32 + 1;
        let mut before = Vec::new();
        let mut queue = vec![id];
        while let Some(id) = queue.pop() {
            let scope = &mut self.scopes[id.0 as usize];
            if scope.rank == rank {
                continue;
            }
            before.push((id, scope.rank));
            scope.rank = rank;
            queue.extend_from_slice(&scope.imports);
        }
        self.open.push(Open { id, before });
    }

    /// Closes the scope that was opened last.
    pub fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        for (id, rank) in open.before.into_iter().rev() {
            self.scopes[id.0 as usize].rank = rank;
        }
        let scope = &mut self.scopes[open.id.0 as usize];
        if matches!(scope.of, Of::Block | Of::Parameters) {
            for symbol in std::mem::take(&mut scope.declared) {
                if let Some(bindings) = self.bindings.get_mut(symbol.0 as usize) {
                    bindings.retain(|(id, _)| *id != open.id);
                }
            }
        }
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The innermost open scope, template parameters aside.
    pub fn home(&self) -> ScopeId {
        let home = self.open.iter().rev().find(|open| self.scopes[open.id.0 as usize].of != Of::Parameters);
        home.map_or(ScopeId(0), |open| open.id)
    }

    /// The innermost open scope.
    pub fn innermost(&self) -> ScopeId {
        self.open.last().map_or(ScopeId(0), |open| open.id)
    }

    /// The innermost open namespace.
    pub fn namespace(&self) -> ScopeId {
        let found = self.open.iter().rev().find(|open| self.scopes[open.id.0 as usize].of == Of::Namespace);
        found.map_or(ScopeId(0), |open| open.id)
    }

    /// What a scope belongs to.
    pub fn of(&self, id: ScopeId) -> Of {
        self.scopes[id.0 as usize].of
    }

    /// Makes the names of one scope seen in another.
    pub fn import(&mut self, into: ScopeId, from: ScopeId) {
        if into == from || self.scopes[into.0 as usize].imports.contains(&from) {
            return;
        }
        self.scopes[into.0 as usize].imports.push(from);
        // Where it is open, the names are seen from here on.
        let rank = self.scopes[into.0 as usize].rank;
        if rank == 0 {
            return;
        }
        let Some(position) = (rank as usize).checked_sub(1).filter(|&position| position < self.open.len())
        else {
            return;
        };
        let mut queue = vec![from];
        while let Some(id) = queue.pop() {
            let scope = &mut self.scopes[id.0 as usize];
            if scope.rank >= rank {
                continue;
            }
            let old = scope.rank;
            scope.rank = rank;
            queue.extend_from_slice(&scope.imports);
            self.open[position].before.push((id, old));
        }
    }

    /// Declares a name.
    pub fn declare(&mut self, into: ScopeId, symbol: Symbol, entry: Entry) {
        let index = symbol.0 as usize;
        if index >= self.bindings.len() {
            self.bindings.resize_with(index + 1, Vec::new);
        }
        let bindings = &mut self.bindings[index];
        if let Some((_, known)) = bindings.iter_mut().find(|(id, _)| *id == into) {
            // A function beside a template of the same name leaves it a template.
            if known.kind == NameKind::ValueTemplate && entry.kind == NameKind::Value {
                return;
            }
            let scope = entry.scope.or(known.scope.filter(|_| entry.is_type() && known.is_type()));
            *known = Entry { kind: entry.kind, scope };
            return;
        }
        bindings.push((into, entry));
        let scope = &mut self.scopes[into.0 as usize];
        if matches!(scope.of, Of::Block | Of::Parameters) {
            scope.declared.push(symbol);
        }
    }

    /// Finds an unqualified name.
    pub fn find(&self, symbol: Symbol) -> Option<Entry> {
        let bindings = self.bindings.get(symbol.0 as usize)?;
        let found = bindings
            .iter()
            .map(|&(id, entry)| (self.scopes[id.0 as usize].rank, entry))
            .filter(|(rank, _)| *rank > 0)
            .max_by_key(|(rank, _)| *rank);
        found.map(|(_, entry)| entry)
    }

    /// Finds a name behind `::`.
    pub fn find_in(&self, scope: ScopeId, symbol: Symbol) -> Option<Entry> {
        let bindings = self.bindings.get(symbol.0 as usize)?;
        if bindings.is_empty() {
            return None;
        }
        let mut seen = Vec::new();
        let mut queue = vec![scope];
        while let Some(id) = queue.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            if let Some((_, entry)) = bindings.iter().find(|(known, _)| *known == id) {
                return Some(*entry);
            }
            queue.extend_from_slice(&self.scopes[id.0 as usize].imports);
        }
        None
    }

    /// Whether some scope, open or not, has a template of that name.
    pub fn is_template_anywhere(&self, symbol: Symbol) -> bool {
        self.bindings
            .get(symbol.0 as usize)
            .is_some_and(|list| list.iter().any(|(_, entry)| entry.is_template()))
    }

    /// The scope around everything.
    pub fn global(&self) -> ScopeId {
        ScopeId(0)
    }
}
