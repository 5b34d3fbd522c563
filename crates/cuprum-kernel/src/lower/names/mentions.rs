//! Which names a piece of the tree mentions: what a lambda captures, which packs an expansion goes over, whether a type
//! depends on a template's parameters. Names that the piece itself declares are among them.

use crate::ast::*;

/// Calls `seen` with every identifier in a type.
pub(crate) fn in_type(ty: &Type, seen: &mut dyn FnMut(Symbol)) {
    match &ty.kind {
        TypeKind::Builtin(_) | TypeKind::Auto | TypeKind::DecltypeAuto => {}
        TypeKind::Named(name) => in_name(name, seen),
        TypeKind::Decltype(expr) => in_expr(expr, seen),
        TypeKind::Underlying(ty) | TypeKind::RvalueReference(ty) | TypeKind::Pack(ty) => in_type(ty, seen),
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } => in_type(to, seen),
        TypeKind::Array { element, length } => {
            in_type(element, seen);
            if let Some(length) = length {
                in_expr(length, seen);
            }
        }
        TypeKind::Function { result, parameters, .. } => {
            in_type(result, seen);
            parameters.iter().for_each(|parameter| in_type(&parameter.ty, seen));
        }
        TypeKind::MemberPointer { class, to } => {
            in_name(class, seen);
            in_type(to, seen);
        }
    }
}

/// Calls `seen` with every identifier in a name and its template arguments.
pub(crate) fn in_name(name: &Name, seen: &mut dyn FnMut(Symbol)) {
    for part in name.qualifier.iter().chain([&name.last]) {
        match &part.id {
            Identifier::Name(symbol) => seen(*symbol),
            Identifier::Conversion(ty) => in_type(ty, seen),
            Identifier::Decltype(expr) => in_expr(expr, seen),
            Identifier::Operator(_) | Identifier::Literal(_) | Identifier::Destructor(_) => {}
        }
        for argument in part.arguments.iter().flatten() {
            in_argument(argument, seen);
        }
    }
}

/// Calls `seen` with every identifier in a template's argument.
pub(crate) fn in_argument(argument: &TemplateArgument, seen: &mut dyn FnMut(Symbol)) {
    match &argument.kind {
        TemplateArgumentKind::Type(ty) => in_type(ty, seen),
        TemplateArgumentKind::Value(expr) => in_expr(expr, seen),
    }
}

/// Calls `seen` with every identifier in an expression.
pub(crate) fn in_expr(expr: &Expr, seen: &mut dyn FnMut(Symbol)) {
    match &expr.kind {
        ExprKind::Integer { .. }
        | ExprKind::Float { .. }
        | ExprKind::Bool(_)
        | ExprKind::Char { .. }
        | ExprKind::String { .. }
        | ExprKind::Nullptr
        | ExprKind::This
        | ExprKind::Refused { .. } => {}
        ExprKind::Name(name) => in_name(name, seen),
        ExprKind::New { placement, ty, length, init } => {
            in_type(ty, seen);
            placement.iter().chain(length).for_each(|expr| in_expr(expr, seen));
            in_initialiser(init, seen);
        }
        ExprKind::Delete { operand, .. } => in_expr(operand, seen),
        ExprKind::Unary { operand, .. } => in_expr(operand, seen),
        ExprKind::Binary { left, right, .. } => {
            in_expr(left, seen);
            in_expr(right, seen);
        }
        ExprKind::Assign { target, value, .. } => {
            in_expr(target, seen);
            in_expr(value, seen);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            in_expr(condition, seen);
            if let Some(then) = then {
                in_expr(then, seen);
            }
            in_expr(otherwise, seen);
        }
        ExprKind::Cast { ty, operand, .. } => {
            in_type(ty, seen);
            in_expr(operand, seen);
        }
        ExprKind::Construct { ty, arguments, .. } => {
            in_type(ty, seen);
            arguments.iter().for_each(|argument| in_expr(argument, seen));
        }
        ExprKind::Call { function, arguments } | ExprKind::Launch { function, arguments, .. } => {
            in_expr(function, seen);
            arguments.iter().for_each(|argument| in_expr(argument, seen));
        }
        ExprKind::Member { object, member, .. } => {
            in_expr(object, seen);
            for argument in member.last.arguments.iter().flatten() {
                in_argument(argument, seen);
            }
        }
        ExprKind::Index { base, index } => {
            in_expr(base, seen);
            in_expr(index, seen);
        }
        ExprKind::List(items) => {
            for item in items {
                for designator in &item.designators {
                    if let Designator::Index(index) = designator {
                        in_expr(index, seen);
                    }
                }
                in_expr(&item.value, seen);
            }
        }
        ExprKind::SizeofType(ty) | ExprKind::Alignof(ty) | ExprKind::Offsetof { ty, .. } => in_type(ty, seen),
        ExprKind::SizeofExpr(operand) | ExprKind::Noexcept(operand) | ExprKind::Expansion(operand) => {
            in_expr(operand, seen);
        }
        ExprKind::SizeofPack(symbol) => seen(*symbol),
        ExprKind::TypeTrait { arguments, .. } => arguments.iter().for_each(|ty| in_type(ty, seen)),
        ExprKind::Lambda(lambda) => {
            for capture in &lambda.captures {
                if let CaptureKind::Variable { name, value, .. } = &capture.kind {
                    match value {
                        Some(value) => in_expr(value, seen),
                        None => seen(*name),
                    }
                }
            }
            lambda.parameters.iter().for_each(|parameter| in_type(&parameter.ty, seen));
            in_block(&lambda.body, seen);
        }
        ExprKind::Fold { left, right, .. } => {
            for side in [left, right].into_iter().flatten() {
                in_expr(side, seen);
            }
        }
    }
}

/// Whether an expression uses `this`, or may use it by naming a member.
pub(crate) fn in_block(block: &Block, seen: &mut dyn FnMut(Symbol)) {
    block.statements.iter().for_each(|statement| in_statement(statement, seen));
}

fn in_condition(condition: &Condition, seen: &mut dyn FnMut(Symbol)) {
    match condition {
        Condition::Expr(expr) => in_expr(expr, seen),
        Condition::Variable(variables) => in_variables(variables, seen),
    }
}

fn in_variables(variables: &Variables, seen: &mut dyn FnMut(Symbol)) {
    for variable in &variables.variables {
        in_type(&variable.ty, seen);
        in_initialiser(&variable.init, seen);
    }
}

fn in_initialiser(init: &Initialiser, seen: &mut dyn FnMut(Symbol)) {
    match init {
        Initialiser::None => {}
        Initialiser::Copy(expr) | Initialiser::Braces(expr) => in_expr(expr, seen),
        Initialiser::Direct(arguments) => arguments.iter().for_each(|argument| in_expr(argument, seen)),
    }
}

fn in_declaration(declaration: &Declaration, seen: &mut dyn FnMut(Symbol)) {
    match declaration {
        Declaration::Variables(variables) => in_variables(variables, seen),
        Declaration::Binding(binding) => {
            in_type(&binding.ty, seen);
            in_initialiser(&binding.init, seen);
        }
        Declaration::Alias(alias) => in_type(&alias.ty, seen),
        Declaration::StaticAssert { condition, .. } => in_expr(condition, seen),
        _ => {}
    }
}

fn in_statement(statement: &Stmt, seen: &mut dyn FnMut(Symbol)) {
    match &statement.kind {
        StmtKind::Expr(expr) => in_expr(expr, seen),
        StmtKind::Declaration(declarations) => {
            declarations.iter().for_each(|declaration| in_declaration(declaration, seen));
        }
        StmtKind::Block(block) => in_block(block, seen),
        StmtKind::If { init, condition, then, otherwise, .. } => {
            if let Some(init) = init {
                in_statement(init, seen);
            }
            in_condition(condition, seen);
            in_statement(then, seen);
            if let Some(otherwise) = otherwise {
                in_statement(otherwise, seen);
            }
        }
        StmtKind::While { condition, body, .. } => {
            in_condition(condition, seen);
            in_statement(body, seen);
        }
        StmtKind::Do { body, condition, .. } => {
            in_statement(body, seen);
            in_expr(condition, seen);
        }
        StmtKind::For { init, condition, step, body, .. } => {
            in_statement(init, seen);
            if let Some(condition) = condition {
                in_condition(condition, seen);
            }
            if let Some(step) = step {
                in_expr(step, seen);
            }
            in_statement(body, seen);
        }
        StmtKind::RangeFor { init, variable, range, body, .. } => {
            if let Some(init) = init {
                in_statement(init, seen);
            }
            in_declaration(variable, seen);
            in_expr(range, seen);
            in_statement(body, seen);
        }
        StmtKind::Switch { init, value, body } => {
            if let Some(init) = init {
                in_statement(init, seen);
            }
            in_condition(value, seen);
            in_statement(body, seen);
        }
        StmtKind::Case { value, last } => {
            in_expr(value, seen);
            if let Some(last) = last {
                in_expr(last, seen);
            }
        }
        StmtKind::Return(Some(expr)) => in_expr(expr, seen),
        _ => {}
    }
}

/// Whether a type is or contains `auto`.
pub(crate) fn has_auto(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Auto | TypeKind::DecltypeAuto => true,
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } | TypeKind::RvalueReference(to) => {
            has_auto(to)
        }
        TypeKind::Array { element, .. } => has_auto(element),
        TypeKind::Pack(ty) => has_auto(ty),
        _ => false,
    }
}

/// Whether evaluating an expression changes nothing: then a variable before it can be read after it.
pub(crate) fn is_pure(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer { .. }
        | ExprKind::Float { .. }
        | ExprKind::Bool(_)
        | ExprKind::Char { .. }
        | ExprKind::Nullptr
        | ExprKind::This
        | ExprKind::Name(_)
        | ExprKind::SizeofType(_) => true,
        ExprKind::Unary { op, operand } => {
            !matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ) && is_pure(operand)
        }
        ExprKind::Binary { left, right, .. } => is_pure(left) && is_pure(right),
        ExprKind::Member { object, .. } => is_pure(object),
        ExprKind::Index { base, index } => is_pure(base) && is_pure(index),
        ExprKind::Cast { operand, .. } => is_pure(operand),
        ExprKind::Construct { arguments, .. } => arguments.iter().all(is_pure),
        _ => false,
    }
}
