//! A tree as text, fully parenthesised, for tests to compare.

use crate::ast::*;

pub struct Show<'a>(pub &'a Symbols);

impl Show<'_> {
    pub fn unit(&self, declarations: &[Declaration]) -> String {
        declarations.iter().map(|declaration| self.declaration(declaration)).collect::<Vec<_>>().join("\n")
    }

    fn list<T>(&self, items: &[T], show: impl Fn(&T) -> String) -> String {
        items.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    fn symbol(&self, symbol: Symbol) -> String {
        self.0.text(symbol).to_string()
    }

    fn templates(&self, templates: &[TemplateHeader]) -> String {
        templates
            .iter()
            .map(|header| format!("template<{}> ", self.list(&header.parameters, |p| self.parameter_of(p))))
            .collect()
    }

    fn parameter_of(&self, parameter: &TemplateParameter) -> String {
        let name = parameter.name.map_or(String::new(), |name| self.symbol(name));
        let pack = if parameter.pack { "..." } else { "" };
        match &parameter.kind {
            TemplateParameterKind::Type { default } => {
                format!(
                    "type{pack} {name}{}",
                    default.as_ref().map_or(String::new(), |d| format!(" = {}", self.ty(d)))
                )
            }
            TemplateParameterKind::Value { ty, default } => format!(
                "{}{pack} {name}{}",
                self.ty(ty),
                default.as_ref().map_or(String::new(), |d| format!(" = {}", self.expr(d)))
            ),
            TemplateParameterKind::Template { header, .. } => {
                format!("template<{}>{pack} {name}", self.list(&header.parameters, |p| self.parameter_of(p)))
            }
        }
    }

    pub fn declaration(&self, declaration: &Declaration) -> String {
        match declaration {
            Declaration::Function(f) => self.function(f),
            Declaration::Variables(v) => format!(
                "{}{}var {}",
                self.templates(&v.templates),
                specifiers(&v.specifiers),
                self.list(&v.variables, |variable| self.variable(variable))
            ),
            Declaration::Binding(b) => format!(
                "bind [{}] : {}{}",
                self.list(&b.names, |(name, _)| self.symbol(*name)),
                self.ty(&b.ty),
                self.init(&b.init)
            ),
            Declaration::Record(r) => self.record(r),
            Declaration::Enum(e) => format!(
                "enum{} {}{} {{{}}}",
                if e.scoped { " class" } else { "" },
                self.name(&e.name),
                e.underlying.as_ref().map_or(String::new(), |t| format!(" : {}", self.ty(t))),
                e.enumerators.as_ref().map_or(String::new(), |list| self.list(list, |e| {
                    self.symbol(e.name)
                        + &e.value.as_ref().map_or(String::new(), |v| format!(" = {}", self.expr(v)))
                }))
            ),
            Declaration::Alias(a) => {
                format!("{}alias {} = {}", self.templates(&a.templates), self.symbol(a.name), self.ty(&a.ty))
            }
            Declaration::Namespace(n) => format!(
                "namespace {} {{ {} }}",
                n.name.map_or(String::new(), |name| self.symbol(name)),
                n.declarations.iter().map(|d| self.declaration(d)).collect::<Vec<_>>().join("; ")
            ),
            Declaration::NamespaceAlias { name, target, .. } => {
                format!("namespace {} = {}", self.symbol(*name), self.name(target))
            }
            Declaration::UsingDirective { name, .. } => format!("using namespace {}", self.name(name)),
            Declaration::UsingDeclaration { name, .. } => format!("using {}", self.name(name)),
            Declaration::StaticAssert { condition, message, .. } => {
                format!("static_assert {} {:?}", self.expr(condition), message.as_deref().unwrap_or(""))
            }
            Declaration::Instantiation { declaration, .. } => {
                format!("instantiate {}", self.declaration(declaration))
            }
        }
    }

    fn record(&self, r: &Record) -> String {
        let kind = match r.kind {
            RecordKind::Struct => "struct",
            RecordKind::Class => "class",
            RecordKind::Union => "union",
        };
        let align = self.list(&r.alignment, |a| match a {
            Alignment::Value(v) => format!("align({}) ", self.expr(v)),
            Alignment::Type(t) => format!("align({}) ", self.ty(t)),
        });
        let bases = match r.bases.is_empty() {
            true => String::new(),
            false => format!(
                " : {}",
                self.list(&r.bases, |b| format!("{:?} {}", b.access, self.ty(&b.ty)).to_lowercase())
            ),
        };
        let members = match &r.members {
            None => ";".to_string(),
            Some(members) => format!(
                " {{ {} }}",
                members
                    .iter()
                    .map(|m| {
                        let access = if m.access == Access::Public { "" } else { "hidden " };
                        format!("{access}{}", self.declaration(&m.declaration))
                    })
                    .collect::<Vec<_>>()
                    .join("; ")
            ),
        };
        format!("{}{align}{kind} {}{bases}{members}", self.templates(&r.templates), self.name(&r.name))
    }

    fn variable(&self, v: &Variable) -> String {
        format!(
            "{}: {}{}{}",
            v.name.as_ref().map_or("_".to_string(), |name| self.name(name)),
            self.ty(&v.ty),
            v.bits.as_ref().map_or(String::new(), |bits| format!(" bits {}", self.expr(bits))),
            self.init(&v.init)
        )
    }

    fn init(&self, init: &Initialiser) -> String {
        match init {
            Initialiser::None => String::new(),
            Initialiser::Copy(e) => format!(" = {}", self.expr(e)),
            Initialiser::Direct(list) => format!(" ({})", self.list(list, |e| self.expr(e))),
            Initialiser::Braces(e) => format!(" {}", self.expr(e)),
        }
    }

    fn function(&self, f: &Function) -> String {
        let initialisers = self.list(&f.initialisers, |i| {
            format!("{}({})", self.name(&i.name), self.list(&i.arguments, |e| self.expr(e)))
        });
        format!(
            "{}{}{} {}({}{}){}{}{} {}",
            self.templates(&f.templates),
            specifiers(&f.specifiers),
            if f.constructor { "ctor" } else { "fn" },
            self.name(&f.name),
            self.list(&f.parameters, |p| self.parameter(p)),
            if f.variadic { ", ..." } else { "" },
            if f.constant { " const" } else { "" },
            f.result.as_ref().map_or(String::new(), |t| format!(" -> {}", self.ty(t))),
            if initialisers.is_empty() { String::new() } else { format!(" : {initialisers}") },
            match &f.body {
                FunctionBody::None => ";".to_string(),
                FunctionBody::Block(block) => self.block(block),
                FunctionBody::Default => "= default".to_string(),
                FunctionBody::Delete => "= delete".to_string(),
                FunctionBody::Pure => "= 0".to_string(),
            }
        )
    }

    fn parameter(&self, p: &Parameter) -> String {
        format!(
            "{}{}: {}{}",
            if p.pack { "..." } else { "" },
            p.name.map_or("_".to_string(), |name| self.symbol(name)),
            self.ty(&p.ty),
            p.default.as_ref().map_or(String::new(), |d| format!(" = {}", self.expr(d)))
        )
    }

    pub fn ty(&self, ty: &Type) -> String {
        let cv = match (ty.constant, ty.volatile) {
            (true, true) => "const volatile ",
            (true, false) => "const ",
            (false, true) => "volatile ",
            _ => "",
        };
        let text = match &ty.kind {
            TypeKind::Builtin(b) => format!("{b:?}").to_lowercase(),
            TypeKind::Named(name) => self.name(name),
            TypeKind::Auto => "auto".to_string(),
            TypeKind::DecltypeAuto => "decltype(auto)".to_string(),
            TypeKind::Decltype(e) => format!("decltype({})", self.expr(e)),
            TypeKind::Underlying(t) => format!("underlying({})", self.ty(t)),
            TypeKind::Pointer { to, restrict } => {
                format!("{}ptr({})", if *restrict { "restrict " } else { "" }, self.ty(to))
            }
            TypeKind::Reference { to, .. } => format!("ref({})", self.ty(to)),
            TypeKind::RvalueReference(to) => format!("rref({})", self.ty(to)),
            TypeKind::Array { element, length } => {
                format!(
                    "array({}; {})",
                    self.ty(element),
                    length.as_ref().map_or(String::new(), |e| self.expr(e))
                )
            }
            TypeKind::Function { result, parameters, .. } => {
                format!("fn({}) -> {}", self.list(parameters, |p| self.ty(&p.ty)), self.ty(result))
            }
            TypeKind::MemberPointer { class, to } => format!("member({}; {})", self.name(class), self.ty(to)),
            TypeKind::Pack(t) => format!("{}...", self.ty(t)),
        };
        format!("{cv}{text}")
    }

    pub fn name(&self, name: &Name) -> String {
        let mut text = String::new();
        if name.global {
            text.push_str("::");
        }
        for part in &name.qualifier {
            text += &self.part(part);
            text.push_str("::");
        }
        text + &self.part(&name.last)
    }

    fn part(&self, part: &NamePart) -> String {
        let id = match &part.id {
            Identifier::Name(s) => self.symbol(*s),
            Identifier::Operator(op) => format!("operator[{op:?}]"),
            Identifier::Conversion(ty) => format!("operator {}", self.ty(ty)),
            Identifier::Literal(s) => format!("operator\"\"{}", self.symbol(*s)),
            Identifier::Destructor(s) => format!("~{}", self.symbol(*s)),
            Identifier::Decltype(e) => format!("decltype({})", self.expr(e)),
        };
        match &part.arguments {
            None => id,
            Some(list) => format!(
                "{id}<{}>",
                self.list(list, |a| {
                    let text = match &a.kind {
                        TemplateArgumentKind::Type(t) => self.ty(t),
                        TemplateArgumentKind::Value(e) => format!("={}", self.expr(e)),
                    };
                    text + if a.pack { "..." } else { "" }
                })
            ),
        }
    }

    pub fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Integer { value, unsigned, longs, .. } => {
                format!("{value}{}{}", if *unsigned { "u" } else { "" }, "l".repeat(usize::from(*longs)))
            }
            ExprKind::Float { value, single } => format!("{value:?}{}", if *single { "f" } else { "" }),
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Char { value, .. } => format!("'{value}'"),
            ExprKind::String { bytes, .. } => format!("{:?}", String::from_utf8_lossy(bytes)),
            ExprKind::Nullptr => "nullptr".to_string(),
            ExprKind::This => "this".to_string(),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Unary { op, operand } => format!("({op:?} {})", self.expr(operand)),
            ExprKind::Binary { op, left, right } => {
                format!("({op:?} {} {})", self.expr(left), self.expr(right))
            }
            ExprKind::Assign { op, target, value } => {
                let op = op.map_or("Set".to_string(), |op| format!("{op:?}="));
                format!("({op} {} {})", self.expr(target), self.expr(value))
            }
            ExprKind::Conditional { condition, then, otherwise } => format!(
                "(? {} {} {})",
                self.expr(condition),
                then.as_ref().map_or("_".to_string(), |e| self.expr(e)),
                self.expr(otherwise)
            ),
            ExprKind::Cast { style, ty, operand } => {
                format!("({style:?}Cast {} {})", self.ty(ty), self.expr(operand))
            }
            ExprKind::Construct { ty, arguments, .. } => {
                format!("(Make {} {})", self.ty(ty), self.list(arguments, |e| self.expr(e)))
            }
            ExprKind::Call { function, arguments } => {
                format!("{}({})", self.expr(function), self.list(arguments, |e| self.expr(e)))
            }
            ExprKind::Launch { function, configuration, arguments } => format!(
                "(Launch {} <{}> ({}))",
                self.expr(function),
                self.list(configuration, |e| self.expr(e)),
                self.list(arguments, |e| self.expr(e))
            ),
            ExprKind::Member { object, arrow, member } => {
                format!("{}{}{}", self.expr(object), if *arrow { "->" } else { "." }, self.name(member))
            }
            ExprKind::Index { base, index } => format!("{}[{}]", self.expr(base), self.expr(index)),
            ExprKind::List(items) => format!(
                "{{{}}}",
                self.list(items, |item| {
                    let designators: String = item
                        .designators
                        .iter()
                        .map(|d| match d {
                            Designator::Field(s, _) => format!(".{}", self.symbol(*s)),
                            Designator::Index(e) => format!("[{}]", self.expr(e)),
                        })
                        .collect();
                    let equals = if designators.is_empty() { "" } else { " = " };
                    format!("{designators}{equals}{}", self.expr(&item.value))
                })
            ),
            ExprKind::SizeofType(t) => format!("sizeof({})", self.ty(t)),
            ExprKind::SizeofExpr(e) => format!("sizeof {}", self.expr(e)),
            ExprKind::SizeofPack(s) => format!("sizeof...({})", self.symbol(*s)),
            ExprKind::Alignof(t) => format!("alignof({})", self.ty(t)),
            ExprKind::Offsetof { ty, path } => {
                format!("offsetof({}, {})", self.ty(ty), self.list(path, |s| self.symbol(*s)))
            }
            ExprKind::Noexcept(e) => format!("noexcept({})", self.expr(e)),
            ExprKind::TypeTrait { name, arguments } => {
                format!("{}({})", self.symbol(*name), self.list(arguments, |t| self.ty(t)))
            }
            ExprKind::Lambda(l) => {
                let captures = self.list(&l.captures, |c| match &c.kind {
                    CaptureKind::This => "this".to_string(),
                    CaptureKind::ThisCopy => "*this".to_string(),
                    CaptureKind::Variable { name, reference, value, .. } => format!(
                        "{}{}{}",
                        if *reference { "&" } else { "" },
                        self.symbol(*name),
                        value.as_ref().map_or(String::new(), |v| format!(" = {}", self.expr(v)))
                    ),
                });
                format!(
                    "[{:?} {captures}]({}){} {}",
                    l.default,
                    self.list(&l.parameters, |p| self.parameter(p)),
                    l.result.as_ref().map_or(String::new(), |t| format!(" -> {}", self.ty(t))),
                    self.block(&l.body)
                )
            }
            ExprKind::Expansion(e) => format!("{}...", self.expr(e)),
            ExprKind::Fold { op, left, right, .. } => format!(
                "(Fold {op:?} {} {})",
                left.as_ref().map_or("_".to_string(), |e| self.expr(e)),
                right.as_ref().map_or("_".to_string(), |e| self.expr(e))
            ),
            ExprKind::New { placement, ty, length, .. } => format!(
                "(new {}{}{})",
                placement.as_ref().map_or(String::new(), |at| format!("({}) ", self.expr(at))),
                self.ty(ty),
                length.as_ref().map_or(String::new(), |length| format!("[{}]", self.expr(length)))
            ),
            ExprKind::Delete { array, operand } => {
                format!("(delete{} {})", if *array { "[]" } else { "" }, self.expr(operand))
            }
            ExprKind::Refused { what } => format!("(refused {what})"),
        }
    }

    pub fn block(&self, block: &Block) -> String {
        format!("{{ {} }}", block.statements.iter().map(|s| self.stmt(s)).collect::<Vec<_>>().join(" "))
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Expr(e) => self.expr(e),
            Condition::Variable(v) => self.declaration(&Declaration::Variables((**v).clone())),
        }
    }

    fn unroll(&self, unroll: &Option<Unroll>) -> String {
        match unroll {
            None => String::new(),
            Some(Unroll { count: None, .. }) => "unroll ".to_string(),
            Some(Unroll { count: Some(e), .. }) => format!("unroll({}) ", self.expr(e)),
        }
    }

    pub fn stmt(&self, s: &Stmt) -> String {
        match &s.kind {
            StmtKind::Empty => ";".to_string(),
            StmtKind::Expr(e) => format!("{};", self.expr(e)),
            StmtKind::Declaration(list) => {
                list.iter().map(|d| format!("{};", self.declaration(d))).collect::<Vec<_>>().join(" ")
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { constant, init, condition, then, otherwise } => format!(
                "if{}({}{}) {}{}",
                if *constant { " constexpr" } else { "" },
                init.as_ref().map_or(String::new(), |s| format!("{} ", self.stmt(s))),
                self.condition(condition),
                self.stmt(then),
                otherwise.as_ref().map_or(String::new(), |s| format!(" else {}", self.stmt(s)))
            ),
            StmtKind::While { condition, body, unroll } => {
                format!("{}while({}) {}", self.unroll(unroll), self.condition(condition), self.stmt(body))
            }
            StmtKind::Do { body, condition, unroll } => {
                format!("{}do {} while({})", self.unroll(unroll), self.stmt(body), self.expr(condition))
            }
            StmtKind::For { init, condition, step, body, unroll } => format!(
                "{}for({} {}; {}) {}",
                self.unroll(unroll),
                self.stmt(init),
                condition.as_ref().map_or(String::new(), |c| self.condition(c)),
                step.as_ref().map_or(String::new(), |e| self.expr(e)),
                self.stmt(body)
            ),
            StmtKind::RangeFor { variable, range, body, .. } => {
                format!("for({} : {}) {}", self.declaration(variable), self.expr(range), self.stmt(body))
            }
            StmtKind::Switch { value, body, .. } => {
                format!("switch({}) {}", self.condition(value), self.stmt(body))
            }
            StmtKind::Case { value, last } => format!(
                "case {}{}:",
                self.expr(value),
                last.as_ref().map_or(String::new(), |e| format!(" ... {}", self.expr(e)))
            ),
            StmtKind::Default => "default:".to_string(),
            StmtKind::Break => "break;".to_string(),
            StmtKind::Continue => "continue;".to_string(),
            StmtKind::Return(value) => {
                format!("return{};", value.as_ref().map_or(String::new(), |e| format!(" {}", self.expr(e))))
            }
            StmtKind::Goto(label) => format!("goto {};", self.symbol(*label)),
            StmtKind::Label(label) => format!("{}:", self.symbol(*label)),
            StmtKind::Asm { text, .. } => format!("asm {text:?};"),
            StmtKind::Try => "try;".to_string(),
        }
    }
}

fn specifiers(s: &Specifiers) -> String {
    let words = [
        (s.global, "global"),
        (s.device, "device"),
        (s.host, "host"),
        (s.shared, "shared"),
        (s.constant, "constant"),
        (s.is_static, "static"),
        (s.inline || s.force_inline, "inline"),
        (s.constexpr, "constexpr"),
        (s.is_extern, "extern"),
        (s.extern_c, "C"),
        (s.is_virtual, "virtual"),
        (s.explicit, "explicit"),
        (s.friend, "friend"),
        (!s.launch_bounds.is_empty(), "bounded"),
        (!s.alignment.is_empty(), "aligned"),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| format!("{word} ")).collect()
}
