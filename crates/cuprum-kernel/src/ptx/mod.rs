//! Inline PTX as C: the instructions that kernels use most, each as the statement that does the same.
//!
//! A piece of assembler text becomes the text of a block over variables `__ptx_0`, `__ptx_1`, ...: its operands. What has no
//! such form here (branches, textures, named barriers) is refused by its name.

mod instructions;
mod tensor;

use std::collections::HashMap;
use std::fmt::Write as _;

use instructions::expression;

/// A variable of the block and its type.
type Variable = (String, &'static str);

/// The C block of a text whose operands have these constraints (`r`, `l`, `f`, `d`, `h`, `n`).
///
/// # Errors
/// The instruction that is not known.
///
/// ```
/// use cuprum_kernel::ptx::translate;
/// assert_eq!(translate("add.s32 %0, %1, 7;", &['r', 'r']).unwrap(), "{ __ptx_0 = (int)(((int)(__ptx_1)) + ((int)(7))); }");
/// assert_eq!(translate("wmma.mma %0;", &['r']).unwrap_err(), "wmma.mma");
/// ```
pub fn translate(text: &str, operands: &[char]) -> Result<String, String> {
    let mut block = Block { variables: HashMap::new(), operands, out: "{ ".to_owned(), carry: false };
    for statement in statements(text) {
        block.statement(&statement).map_err(|Unknown| {
            let mut words = statement.split_whitespace();
            let first = words.next().unwrap_or_default();
            let name = if first.starts_with('@') { words.next().unwrap_or(first) } else { first };
            name.to_owned()
        })?;
    }
    block.out.push('}');
    Ok(block.out)
}

/// The type of an operand by its constraint.
pub(crate) fn operand_type(constraint: char) -> Option<&'static str> {
    Some(match constraint {
        'r' => "unsigned int",
        'l' => "unsigned long long",
        'f' => "float",
        'd' => "double",
        'h' => "unsigned short",
        'n' => "int",
        _ => return None,
    })
}

/// Statements without comments and the braces around them.
fn statements(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    let joined: String = lines.collect::<Vec<_>>().join(" ");
    let all =
        joined.split(';').map(|s| s.trim_start_matches(|c: char| "{} \t".contains(c)).trim().to_owned());
    all.filter(|statement| !statement.is_empty()).collect()
}

/// What is not known.
struct Unknown;

type Translated<T> = Result<T, Unknown>;

struct Block<'a> {
    /// Registers that the text declares.
    variables: HashMap<String, Variable>,
    operands: &'a [char],
    out: String,
    /// Whether an instruction before this one has left a carry.
    carry: bool,
}

/// The C type of a PTX type.
fn c_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "u8" | "b8" => "unsigned char",
        "s8" => "signed char",
        "u16" | "b16" => "unsigned short",
        "s16" => "short",
        "u32" | "b32" => "unsigned int",
        "s32" => "int",
        "u64" | "b64" => "unsigned long long",
        "s64" => "long long",
        "f32" => "float",
        "f64" => "double",
        "pred" => "bool",
        _ => return None,
    })
}

fn is_float(ty: &str) -> bool {
    matches!(ty, "float" | "double")
}

fn is_wide(ty: &str) -> bool {
    matches!(ty, "long long" | "unsigned long long" | "double")
}

const RANK: &str = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))";

/// A register that the machine has, as C.
fn special(name: &str) -> Option<String> {
    let axes = [("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim")];
    if let Some((register, axis)) = name.split_once('.') {
        let (_, index) = axes.iter().find(|(known, _)| *known == register)?;
        return matches!(axis, "x" | "y" | "z").then(|| format!("{index}.{axis}"));
    }
    let lane = format!("({RANK} % 32u)");
    Some(match name {
        "laneid" => lane,
        "warpid" => format!("({RANK} / 32u)"),
        "nwarpid" => "((blockDim.x * blockDim.y * blockDim.z + 31u) / 32u)".to_owned(),
        "WARP_SZ" => "32u".to_owned(),
        // One multiprocessor, as far as a kernel can see.
        "smid" => "0u".to_owned(),
        "nsmid" => "1u".to_owned(),
        "lanemask_eq" => format!("(1u << {lane})"),
        "lanemask_lt" => format!("((1u << {lane}) - 1u)"),
        "lanemask_le" => format!("((2u << {lane}) - 1u)"),
        "lanemask_gt" => format!("~((2u << {lane}) - 1u)"),
        "lanemask_ge" => format!("~((1u << {lane}) - 1u)"),
        "clock" => "((unsigned int)clock64())".to_owned(),
        "clock64" | "globaltimer" => "((unsigned long long)clock64())".to_owned(),
        _ => return None,
    })
}

/// Whether an instruction's addresses are those of shared memory.
fn is_shared(parts: &[&str]) -> bool {
    parts.iter().any(|part| matches!(*part, "shared" | "shared::cta"))
}

/// What stands between commas, but for those in braces and brackets.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        all.push(last);
    }
    all
}

/// What a load or a store moves: one operand, or those of a vector.
fn elements(operand: &str, two: bool, four: bool) -> Translated<Vec<&str>> {
    let Some(inside) = operand.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return if two || four { Err(Unknown) } else { Ok(vec![operand]) };
    };
    let all = arguments(inside);
    let fits = if four { all.len() == 4 } else { two && all.len() == 2 };
    if fits { Ok(all) } else { Err(Unknown) }
}

impl Block<'_> {
    fn statement(&mut self, text: &str) -> Translated<()> {
        if let Some(rest) = text.strip_prefix(".reg") {
            return self.declare(rest.trim());
        }
        if let Some(rest) = text.strip_prefix('@') {
            let (guard, rest) = rest.split_once(char::is_whitespace).ok_or(Unknown)?;
            let (sign, name) = guard.strip_prefix('!').map_or(("", guard), |name| ("!", name));
            let guard = self.read(name, "bool")?;
            let _ = write!(self.out, "if ({sign}{guard}) {{ ");
            self.instruction(rest.trim())?;
            self.out.push_str("} ");
            return Ok(());
        }
        self.instruction(text)
    }

    /// `.u32 a, b`: registers of the block.
    fn declare(&mut self, text: &str) -> Translated<()> {
        let (ty, names) = text.split_once(char::is_whitespace).ok_or(Unknown)?;
        let ty = match ty.trim_start_matches('.') {
            // Their bits; only conversions and moves know them.
            "f16" | "bf16" => "unsigned short",
            "f16x2" | "bf16x2" => "unsigned int",
            ty => c_type(ty).ok_or(Unknown)?,
        };
        for name in arguments(names) {
            if name.contains('<') {
                return Err(Unknown);
            }
            let own = format!("__ptx_r{}", self.variables.len());
            let _ = write!(self.out, "{ty} {own}; ");
            self.variables.insert(name.to_owned(), (own, ty));
        }
        Ok(())
    }

    /// The variable that an operand names.
    fn variable(&self, operand: &str) -> Option<Variable> {
        if let Some(number) = operand.strip_prefix('%').and_then(|digits| digits.parse::<usize>().ok()) {
            let ty = operand_type(*self.operands.get(number)?)?;
            return Some((format!("__ptx_{number}"), ty));
        }
        self.variables.get(operand).cloned()
    }

    /// An operand as a C value of a type.
    fn read(&self, operand: &str, ty: &'static str) -> Translated<String> {
        let operand = operand.trim();
        let (text, own) = match self.variable(operand) {
            Some((name, own)) => (name, own),
            None => match operand.strip_prefix("%%").or_else(|| operand.strip_prefix('%')) {
                Some(register) => (special(register).ok_or(Unknown)?, "unsigned int"),
                None => return literal(operand, ty),
            },
        };
        Ok(match (own, is_float(own), is_float(ty)) {
            ("float", true, false) => format!("(({ty})__float_as_uint({text}))"),
            (_, true, false) => format!("(({ty})__double_as_longlong({text}))"),
            (_, false, true) if ty == "float" => format!("__uint_as_float({text})"),
            (_, false, true) => format!("__longlong_as_double({text})"),
            _ => format!("(({ty})({text}))"),
        })
    }

    /// Gives an operand a value of a type.
    fn write(&mut self, operand: &str, ty: &'static str, value: &str) -> Translated<()> {
        let (name, own) = self.variable(operand.trim()).ok_or(Unknown)?;
        let value = match (is_float(own), is_float(ty)) {
            (true, false) if own == "float" => format!("__uint_as_float({value})"),
            (true, false) => format!("__longlong_as_double({value})"),
            (false, true) if ty == "float" => format!("__float_as_uint({value})"),
            (false, true) => format!("__double_as_longlong({value})"),
            _ => format!("({ty})({value})"),
        };
        let _ = write!(self.out, "{name} = {value}; ");
        Ok(())
    }

    fn instruction(&mut self, text: &str) -> Translated<()> {
        let (opcode, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let parts: Vec<&str> = opcode.split('.').collect();
        let args = arguments(rest);
        let has = |name: &str| parts[1..].contains(&name);
        let ty = parts.iter().rev().find_map(|part| c_type(part));
        match (parts[0], &args[..]) {
            ("membar" | "fence", []) => {
                let scope = if has("cta") {
                    "_block"
                } else if has("sys") {
                    "_system"
                } else {
                    ""
                };
                let _ = write!(self.out, "__threadfence{scope}(); ");
                Ok(())
            }
            ("bar" | "barrier", [mask]) if has("warp") => {
                let mask = self.read(mask, "unsigned int")?;
                let _ = write!(self.out, "__syncwarp({mask}); ");
                Ok(())
            }
            ("bar" | "barrier", ["0"]) if has("sync") => self.plain("__syncthreads(); "),
            ("trap", []) => self.plain("__trap(); "),
            ("prefetch" | "prefetchu" | "griddepcontrol" | "setmaxnreg", _) => Ok(()),
            ("cp", args) if has("async") => self.async_copy(&parts, args),
            // A hint for caches: any number will do.
            ("createpolicy", [to, ..]) => self.write(to, "unsigned long long", "0ull"),
            ("ldmatrix", [to, from]) if has("b16") && is_shared(&parts) => self.matrices(&parts, to, from),
            ("mma", [to, a, b, c]) if has("sync") => self.product(&parts, to, a, b, c),
            ("cvta", [to, from]) if is_shared(&parts) => {
                let sign = if has("to") { "-" } else { "+" };
                let from = self.read(from, "unsigned long long")?;
                self.write(to, "unsigned long long", &format!("{from} {sign} __cuprum_shared_base()"))
            }
            ("dp4a", [to, a, b, c]) => {
                let ty = ty.ok_or(Unknown)?;
                if parts[1..] != ["u32", "u32"] && parts[1..] != ["s32", "s32"] {
                    return Err(Unknown);
                }
                let (a, b, c) = (self.read(a, ty)?, self.read(b, ty)?, self.read(c, ty)?);
                self.write(to, ty, &format!("__dp4a({a}, {b}, {c})"))
            }
            ("nanosleep", [time]) => {
                let time = self.read(time, "unsigned int")?;
                let _ = write!(self.out, "__nanosleep({time}); ");
                Ok(())
            }
            ("activemask", [to]) => self.write(to, "unsigned int", "__activemask()"),
            ("mov", [to, from]) if to.starts_with('{') || from.starts_with('{') => self.pack(to, from, ty),
            ("ld" | "ldu", [to, from]) if !has("param") => {
                let ty = ty.ok_or(Unknown)?;
                let volatile = has("volatile") || has("relaxed") || has("acquire");
                let targets = elements(to, has("v2"), has("v4"))?;
                // All is read before anything is written.
                self.out.push_str("{ ");
                for (at, _) in targets.iter().enumerate() {
                    let place = self.place(&parts, from, ty, at, volatile)?;
                    let _ = write!(self.out, "{ty} __ptx_e{at} = {place}; ");
                }
                for (at, part) in targets.iter().enumerate() {
                    self.write(part, ty, &format!("__ptx_e{at}"))?;
                }
                self.plain("} ")
            }
            ("st", [to, from]) if !has("param") => {
                let ty = ty.ok_or(Unknown)?;
                let volatile = has("volatile") || has("relaxed") || has("release");
                for (at, part) in elements(from, has("v2"), has("v4"))?.iter().enumerate() {
                    let place = self.place(&parts, to, ty, at, volatile)?;
                    let value = self.read(part, ty)?;
                    let _ = write!(self.out, "{place} = {value}; ");
                }
                Ok(())
            }
            ("atom", [to, at, values @ ..]) => {
                let (ty, call) = self.atomic(&parts, ty.ok_or(Unknown)?, at, values)?;
                self.write(to, ty, &call)
            }
            ("red", [at, values @ ..]) => {
                let (_, call) = self.atomic(&parts, ty.ok_or(Unknown)?, at, values)?;
                let _ = write!(self.out, "{call}; ");
                Ok(())
            }
            // The width and what lies outside it are those that CUDA C's functions have by default.
            ("shfl", [to, value, lane, "0x1f" | "31" | "0x0" | "0", mask]) if has("sync") && ty.is_some() => {
                let way = match (parts.get(2).copied(), args[3]) {
                    (Some("up"), "0" | "0x0") => "_up",
                    (Some("down"), "0x1f" | "31") => "_down",
                    (Some("bfly"), "0x1f" | "31") => "_xor",
                    (Some("idx"), "0x1f" | "31") => "",
                    _ => return Err(Unknown),
                };
                let value = self.read(value, "unsigned int")?;
                let (lane, mask) = (self.read(lane, "unsigned int")?, self.read(mask, "unsigned int")?);
                self.write(to, "unsigned int", &format!("__shfl{way}_sync({mask}, {value}, {lane})"))
            }
            ("setp", [to, a, b]) => {
                let ty = ty.ok_or(Unknown)?;
                let sign = match *parts.get(1).ok_or(Unknown)? {
                    "eq" => "==",
                    "ne" => "!=",
                    "lt" | "lo" => "<",
                    "le" | "ls" => "<=",
                    "gt" | "hi" => ">",
                    "ge" | "hs" => ">=",
                    _ => return Err(Unknown),
                };
                let (a, b) = (self.read(a, ty)?, self.read(b, ty)?);
                self.write(to, "bool", &format!("{a} {sign} {b}"))
            }
            ("cvt", [to, high, low]) if has("f16x2") || has("bf16x2") => self.pair(&parts, to, high, low),
            ("cvt", [to, from]) if has("f16") => self.half(&parts, to, from),
            ("cvt", [to, from]) => self.convert(&parts, to, from),
            ("selp", [to, a, b, chosen]) => {
                let ty = ty.ok_or(Unknown)?;
                let (a, b, chosen) = (self.read(a, ty)?, self.read(b, ty)?, self.read(chosen, "bool")?);
                self.write(to, ty, &format!("{chosen} ? {a} : {b}"))
            }
            ("vote", [to, vote, mask]) if has("sync") && (has("any") || has("all")) => {
                let (vote, mask) = (self.read(vote, "bool")?, self.read(mask, "unsigned int")?);
                let which = if has("any") { "any" } else { "all" };
                self.write(to, "bool", &format!("__{which}_sync({mask}, {vote})"))
            }
            ("vote", [to, vote, mask]) if has("ballot") && has("sync") => {
                let (vote, mask) = (self.read(vote, "bool")?, self.read(mask, "unsigned int")?);
                self.write(to, "unsigned int", &format!("__ballot_sync({mask}, {vote})"))
            }
            ("add" | "addc" | "sub" | "subc", [to, a, b]) if has("cc") || parts[0].ends_with('c') => {
                self.with_carry(&parts, ty.ok_or(Unknown)?, to, a, b)
            }
            (base, [to, rest @ ..]) if !has("cc") && !has("sat") => self.compute(base, &parts, ty, to, rest),
            _ => Err(Unknown),
        }
    }

    fn plain(&mut self, text: &str) -> Translated<()> {
        self.out.push_str(text);
        Ok(())
    }

    /// An atomic function's call and the type of what it returns.
    fn atomic(
        &self,
        parts: &[&str],
        ty: &'static str,
        at: &str,
        values: &[&str],
    ) -> Translated<(&'static str, String)> {
        let names = [
            ("add", "Add"),
            ("exch", "Exch"),
            ("cas", "CAS"),
            ("min", "Min"),
            ("max", "Max"),
            ("and", "And"),
            ("or", "Or"),
            ("xor", "Xor"),
            ("inc", "Inc"),
            ("dec", "Dec"),
        ];
        let (op, name) = names.iter().find(|(op, _)| parts.contains(op)).ok_or(Unknown)?;
        let count = if *op == "cas" { 2 } else { 1 };
        if values.len() != count
            || !matches!(ty, "int" | "unsigned int" | "unsigned long long" | "long long" | "float" | "double")
        {
            return Err(Unknown);
        }
        let place = self.place(parts, at, ty, 0, false)?;
        let mut call = format!("atomic{name}(&{place}");
        for value in values {
            let _ = write!(call, ", {}", self.read(value, ty)?);
        }
        call.push(')');
        Ok((ty, call))
    }

    /// `[%1 + 8]` as a place of a type, or the place this many elements behind it.
    fn place(
        &self,
        parts: &[&str],
        operand: &str,
        ty: &str,
        behind: usize,
        volatile: bool,
    ) -> Translated<String> {
        let address = self.address(operand, is_shared(parts))?;
        let volatile = if volatile { "volatile " } else { "" };
        let place = format!("({volatile}{ty}*)({address})");
        Ok(if behind == 0 { format!("*{place}") } else { format!("({place})[{behind}]") })
    }

    /// `[%1 + 8]` as an address; one of shared memory counts from where the block's begins.
    fn address(&self, operand: &str, shared: bool) -> Translated<String> {
        let inside = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or(Unknown)?;
        let (base, offset) = inside.split_once('+').unwrap_or((inside, "0"));
        let offset: i64 = offset.trim().parse().map_err(|_| Unknown)?;
        let base = self.read(base, "unsigned long long")?;
        let window = if shared { "__cuprum_shared_base() + " } else { "" };
        Ok(format!("{window}{base} + {offset}"))
    }

    /// `mov.b64 {%0, %1}, %2` and the other way round.
    fn pack(&mut self, to: &str, from: &str, ty: Option<&str>) -> Translated<()> {
        let (whole, half, bits) = match ty {
            Some("unsigned long long") => ("unsigned long long", "unsigned int", 32),
            Some("unsigned int") => ("unsigned int", "unsigned short", 16),
            _ => return Err(Unknown),
        };
        let inside = |text: &str| text.trim_matches(|c| "{} ".contains(c)).to_owned();
        if to.starts_with('{') {
            let value = self.read(from, whole)?;
            let halves = inside(to);
            let [low, high] = arguments(&halves)[..] else { return Err(Unknown) };
            self.out.push_str("{ ");
            let _ = write!(self.out, "{whole} __ptx_whole = {value}; ");
            self.write(low, half, "__ptx_whole")?;
            self.write(high, half, &format!("__ptx_whole >> {bits}"))?;
            return self.plain("} ");
        }
        let halves = inside(from);
        let [low, high] = arguments(&halves)[..] else { return Err(Unknown) };
        let (low, high) = (self.read(low, half)?, self.read(high, half)?);
        self.write(to, whole, &format!("({whole}){low} | ({whole}){high} << {bits}"))
    }

    fn convert(&mut self, parts: &[&str], to: &str, from: &str) -> Translated<()> {
        let types: Vec<&'static str> = parts.iter().filter_map(|part| c_type(part)).collect();
        let [target, source] = types[..] else { return Err(Unknown) };
        let value = self.read(from, source)?;
        let rounding = parts[1..].iter().find(|part| part.starts_with('r'));
        let suffix = if source == "float" { "f" } else { "" };
        let value = match rounding.copied() {
            Some("sat") => return Err(Unknown),
            Some("rni") => format!("rint{suffix}({value})"),
            Some("rmi") => format!("floor{suffix}({value})"),
            Some("rpi") => format!("ceil{suffix}({value})"),
            Some("rzi") if is_float(target) => format!("trunc{suffix}({value})"),
            None | Some("rn" | "rzi") => value,
            Some(_) => return Err(Unknown),
        };
        if parts.contains(&"sat") {
            return Err(Unknown);
        }
        self.write(to, target, &format!("({target})({value})"))
    }

    /// Sums and differences that leave a carry, or take it.
    fn with_carry(&mut self, parts: &[&str], ty: &'static str, to: &str, a: &str, b: &str) -> Translated<()> {
        let takes = parts[0].ends_with('c');
        if takes && !self.carry || !matches!(ty, "unsigned int" | "unsigned long long" | "int" | "long long")
        {
            // It would be that of another piece of assembler.
            return Err(Unknown);
        }
        let ty = if is_wide(ty) { "unsigned long long" } else { "unsigned int" };
        let (a, b) = (self.read(a, ty)?, self.read(b, ty)?);
        if !self.carry {
            let mut out = std::mem::take(&mut self.out);
            out.insert_str(2, "unsigned int __ptx_carry = 0; ");
            self.out = out;
            self.carry = true;
        }
        let given = if takes { "__ptx_carry" } else { "0u" };
        let _ = write!(self.out, "{{ {ty} __ptx_a = {a}, __ptx_b = {b}, __ptx_c = {given}; ");
        let (result, carry) = if parts[0].starts_with("add") {
            ("__ptx_a + __ptx_b + __ptx_c", "__ptx_s < __ptx_a || __ptx_c && __ptx_s == __ptx_a")
        } else {
            ("__ptx_a - __ptx_b - __ptx_c", "__ptx_a < __ptx_b || __ptx_c && __ptx_a == __ptx_b")
        };
        let _ = write!(self.out, "{ty} __ptx_s = {result}; ");
        if parts.contains(&"cc") {
            let _ = write!(self.out, "__ptx_carry = {carry}; ");
        }
        self.write(to, ty, "__ptx_s")?;
        self.plain("} ")
    }

    /// Instructions whose result is one expression of their operands.
    fn compute(
        &mut self,
        base: &str,
        parts: &[&str],
        ty: Option<&'static str>,
        to: &str,
        args: &[&str],
    ) -> Translated<()> {
        let ty = ty.ok_or(Unknown)?;
        // Counts of shifts and the like are 32 bits whatever the type is.
        let counts = match base {
            "shl" | "shr" => 1,
            "bfe" => 1,
            "bfi" => 2,
            _ => usize::MAX,
        };
        let mut values = Vec::new();
        for (at, operand) in args.iter().enumerate() {
            let wide = parts.contains(&"wide") && at == 2;
            let own = if at >= counts {
                "unsigned int"
            } else if wide {
                if ty == "int" { "long long" } else { "unsigned long long" }
            } else {
                ty
            };
            values.push(self.read(operand, own)?);
        }
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let (result, value) = expression(base, parts, ty, &values, args).ok_or(Unknown)?;
        self.write(to, result, &value)
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim().trim_end_matches('U');
    let (sign, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if sign { value.wrapping_neg() } else { value })
}

/// A number of the text as C.
fn literal(text: &str, ty: &'static str) -> Translated<String> {
    let hex = |digits: &str, count: usize| {
        digits.len() == count && digits.chars().all(|digit| digit.is_ascii_hexdigit())
    };
    match text.get(..2) {
        Some("0f" | "0F") if ty == "float" && hex(&text[2..], 8) => {
            return Ok(format!("__uint_as_float(0x{}u)", &text[2..]));
        }
        Some("0d" | "0D") if ty == "double" && hex(&text[2..], 16) => {
            return Ok(format!("__longlong_as_double(0x{}ull)", &text[2..]));
        }
        _ => {}
    }
    if is_float(ty) {
        let value: f64 = text.parse().map_err(|_| Unknown)?;
        return if value.is_finite() { Ok(format!("(({ty}){value:?})")) } else { Err(Unknown) };
    }
    let value = number(text).ok_or(Unknown)?;
    let suffix = if value > u64::from(u32::MAX) { "ull" } else { "" };
    Ok(if text.starts_with('-') {
        format!("(({ty})({}))", value as i64)
    } else {
        format!("(({ty})({value}{suffix}))")
    })
}
