"""Write the special functions in CUDA C: crates/cuprum-cuda/src/kernels/special_*.cuh, one file a family.

    .venv/bin/python scripts/special_texts.py            write them
    .venv/bin/python scripts/special_texts.py --check    say whether they are as this would write them

The families are Rust, in crates/cuprum-lanes/src/math/special/, in the part of the language that C++ has too: `let`, `if`,
`while`, `for i in a..b`, `return`, tuples as results, calls of functions. Statements are taken over one by one, so both
devices do the same operations in the same order.
"""

# ruff: noqa: E501 - a table entry or a template of code is one line

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[1]
SOURCE = ROOT / "crates/cuprum-lanes/src/math/special"
TARGET = ROOT / "crates/cuprum-cuda/src/kernels"
# The files of each text: those of one text call each other.
FAMILIES = {
    "gamma": ["gamma", "beta", "zeta"],
    "erf": ["erf"],
    "exponential": ["exponential"],
    "incomplete": ["incomplete_gamma", "incomplete_beta", "beta_distributions"],
    "bessel": ["bessel", "bessel_jy", "bessel_ik", "bessel_large", "bessel_spherical", "airy"],
    "integrals": ["integrals"],
    "elliptic": ["elliptic"],
    "hypergeometric": ["hypergeometric", "polynomials"],
    "complex_gamma": ["complex_gamma"],
    "complex_erf": ["complex_erf"],
    "complex_integrals": ["complex_integrals"],
    "complex_bessel": ["complex_bessel_ik", "complex_bessel", "complex_airy"],
    "four_arguments": ["four_arguments"],
    "voigt": ["voigt"],
}

# Tables that functions outside of the families read too: they have a text of their own.
SHARED = ("I0_NEAR", "I0_FAR")
SHARED_TEXT = "bessel_tables"

# Functions of elementary.rs by their names in the texts that these stand on.
NAMES = {
    "abs": "elementary::size",
    "sqrt": "elementary::root",
    "floor": "floor_of",
    "trunc": "truncate",
    "rint": "nearest_even",
    "fma": "fused",
    "exp": "cu_exp",
    "expm1": "cu_expm1",
    "exp2": "cu_exp2",
    "log": "cu_log",
    "log1p": "cu_log1p",
    "pow": "cu_power",
    "sin": "cu_sin",
    "cos": "cu_cos",
    "plain_log1p": "cu_log1p",
    "plain_log1p_tail": "log_tail",
    "plain_exp2": "cu_exp2",
    "plain_cos_sin_past_eighth": "cos_sin_past_eighth",
    "plain_sin": "cu_sin",
    "plain_cos": "cu_cos",
    "plain_atan2": "cu_arctan2",
    "tan": "cu_tan",
    "asin": "cu_arcsin",
    "atan": "cu_arctan",
    "atan2": "cu_arctan2",
    "sinh": "cu_sinh",
    "cosh": "cu_cosh",
    "tanh": "cu_tanh",
    "asinh": "cu_arcsinh",
    "cbrt": "cu_cbrt",
    "copysign": "with_sign",
    "log_parts": "log_in_two",
    "poly": "power_series",
    "hypot": "cu_hypot",
    "is_nan": "is_nan",
}
# Families of short functions, which are compiled into their callers; those of the others are called, and so are the
# elementary functions that they use: a compiler that puts all of them into each other does not come to an end.
INLINED = {"erf", "exponential"}
CALLED = {
    "exp", "expm1", "exp2", "log", "log1p", "pow", "sin", "cos", "tan", "asin", "atan", "atan2", "sinh", "cosh", "tanh",
    "asinh", "hypot", "log_parts",
}  # fmt: skip
# Functions of other families that an op is all of: they are compiled into its kernel as well, with the elementary functions
# that they use, of which a sine and a cosine of one angle then share most. Others call them. A GPU takes these with their
# branches, even where a CPU takes a plain form: arguments are often all on one side of them.
WHOLE = {"i0e", "i1", "i1e", "j0", "j1", "y0", "y1", "y0_and_y1"}
CONSTANTS = {"INF": "infinity<f64>()", "NAN": "not_a_number<f64>()"}
TUPLES = {2: "Pair", 3: "Triple", 4: "Quadruple"}


def split_top(text):
    """Split at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def encloses_all(text):
    """Whether the first parenthesis is closed by the last character."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i > 0 and i == len(text) - 1
    return False


def type_of(text):
    text = text.strip()
    if text.startswith("("):
        return TUPLES[len(split_top(text[1:-1]))]
    array = re.fullmatch(r"&\[(\w+); (\w+)\]", text)
    return f"const {array[1]} (&)[{array[2]}]" if array else text


def conditional(text):
    """`if a { b } else { c }` as `(a ? b : c)`, in an expression; chains of `else if` too."""
    match = re.search(r"(?<![\w])if (.*?) \{ (.*?) \} else (\{ .*? \}|if .*)", text)
    if not match:
        return text
    rest = match[3]
    if rest.startswith("{"):
        other, tail = rest[2:-2], text[match.end() :]
    else:
        inner = conditional(rest)
        other, tail = inner, ""
    return conditional(f"{text[: match.start()]}({match[1]} ? {match[2]} : {other}){tail}")


inlined = True


def named(function):
    called = function in CALLED or function in WHOLE
    return f"called_{function}" if called and not inlined else NAMES.get(function, function)


def expression(text):
    text = conditional(text)
    text = re.sub(r"&([A-Z][A-Z0-9_]*)", r"\1", text)
    text = re.sub(r"(\w+|\([^()]*\)) as (f64|i32|i64|usize)", lambda m: f"({m[2]}){m[1]}", text)
    text = re.sub(r"\busize\b", "int", text)
    text = re.sub(r"\b([a-z]\w*)\(", lambda m: named(m[1]) + "(", text)
    for name, value in CONSTANTS.items():
        text = re.sub(rf"\b{name}\b", value, text)
    return text


def value_of(text, declared=False):
    """A tuple becomes an aggregate."""
    parts = split_top(text[1:-1]) if encloses_all(text) else []
    if len(parts) > 1:
        inside = ", ".join(expression(p) for p in parts)
        return f"{TUPLES[len(parts)]}{{{inside}}}" if declared else f"{{{inside}}}"
    return expression(text)


def statement(line):
    indent, text = re.match(r"(\s*)(.*)", line).groups()
    if not text or text.startswith("//"):
        return line.replace("///", "//", 1) if text.startswith("///") else line
    text, comment = re.match(r"(.*?)(\s*//.*)?$", text).groups()
    comment = comment or ""

    def block(text):
        match = re.fullmatch(r"(\} else )?if (.*?) \{( .*\})?", text)
        if match:
            inside = match[3]
            body = " { " + statement(inside.strip().removesuffix("}").strip()) + " }" if inside else " {"
            return f"{match[1] or ''}if ({expression(match[2])}){body}"
        return None

    if made := block(text):
        return indent + made + comment
    if text in ("}", "} else {", "break;", "continue;"):
        return line
    if text == "loop {":
        return indent + "for (;;) {" + comment
    if match := re.fullmatch(r"while (.*) \{", text):
        return f"{indent}while ({expression(match[1])}) {{{comment}"
    if match := re.fullmatch(r"for (\w+) in \((.*)\.\.(.*)\)\.rev\(\) \{", text):
        return f"{indent}for (int {match[1]} = {expression(match[3])} - 1; {match[1]} >= {expression(match[2])}; --{match[1]}) {{"
    if match := re.fullmatch(r"for (\w+) in (.*?)\.\.(.*) \{", text):
        return f"{indent}for (int {match[1]} = {expression(match[2])}; {match[1]} < {expression(match[3])}; ++{match[1]}) {{"
    if match := re.fullmatch(r"let (?:mut )?(\w+) = \[(.*); (\w+)\];", text):
        return f"{indent}f64 {match[1]}[{match[3]}] = {{}};{comment}"
    if match := re.fullmatch(r"let \((.*?)\) = (.*);", text):
        return f"{indent}auto [{match[1].replace('mut ', '')}] = {value_of(match[2], True)};{comment}"
    if match := re.fullmatch(r"let (?:mut )?(\w+)(?:: (\w+))? = (.*);", text):
        kind = {"usize": "int"}.get(match[2], match[2]) or "auto"
        return f"{indent}{kind} {match[1]} = {expression(match[3])};{comment}"
    if match := re.fullmatch(r"return (.*);", text):
        return f"{indent}return {value_of(match[1])};{comment}"
    if match := re.fullmatch(r"([\w\[\]]+) ([-+*/]?=) (.*);", text):
        return f"{indent}{match[1]} {match[2]} {expression(match[3])};{comment}"
    raise SystemExit(f"not in the part of Rust that is taken over: {line}")


def arrays():
    text = (SOURCE / "coefficients.rs").read_text()
    found = {}
    for name, body in re.findall(r"pub const (\w+): \[f64; \d+\] = \[([^\]]*)\];", text):
        found[name] = re.sub(r"\s+", " ", body).strip().rstrip(",")
    return found


def wrapped(values, indent):
    lines, line = [], indent
    for v in values.split(", "):
        if len(line) + len(v) + 2 > 118:
            lines.append(line.rstrip())
            line = indent
        line += v + ", "
    return "\n".join([*lines, line.rstrip().rstrip(",")])


def function(text, tables, space, plain):
    """One function; the tables that it reads are those of a namespace, and a plain one is compiled into its callers."""
    comment, name, args, out, body = re.match(
        r"((?:    ///.*\n)*)(?:    #\[.*\]\n)*    fn (\w+)\((.*?)\) -> (.*?) \{\n(.*)\n    \}$", text, re.S
    ).groups()
    parameters = []
    for arg in split_top(args):
        arg_name, kind = arg.split(": ", 1)
        kind = type_of(kind)
        parameters.append(kind.replace("(&)", f"(&{arg_name})") if "(&)" in kind else f"{kind} {arg_name}")
    global inlined
    family_inlined, inlined = inlined, inlined or plain or name in WHOLE
    lines = [statement(line[4:]) for line in body.split("\n")]
    code = "\n".join(lines)
    # Tables of all texts of a kernel stand side by side.
    spaces = {n: SHARED_TEXT if n in SHARED else space for n in tables}
    code = re.sub(
        r"\b[A-Z][A-Z0-9_]*\b", lambda m: f"{spaces[m[0]]}::{m[0]}" if m[0] in tables else m[0], code
    )
    comment = "".join(re.sub(r"^    ///", "//", c) + "\n" for c in comment.splitlines())
    kind = "inline" if inlined or len(lines) < 4 else "RARE"
    inlined = family_inlined
    head = f"{kind} {type_of(out)} {name}({', '.join(parameters)})"
    text = f"{comment}{head} {{\n{code}\n}}\n"
    if name not in WHOLE:
        return head + ";", text
    given = ", ".join(arg.split(": ")[0] for arg in split_top(args))
    called = head.replace(f"inline {type_of(out)} ", f"RARE {type_of(out)} called_")
    return f"{head};\n{called};", f"{text}{called} {{ return {name}({given}); }}\n"


def namespace(name, tables, used):
    """The tables of a text."""
    inside = "\n".join(
        f"COEFFICIENTS f64 {n}[] = {{\n{wrapped(tables[n], '    ')}\n}};"
        if "," in tables[n]
        else f"COEFFICIENTS f64 {n} = {tables[n]};"
        for n in used
    )
    return f"namespace {name} {{\n{inside}\n}}\n"


def shared_tables():
    return (
        "// Coefficients of the Bessel function I0 near zero, in powers of x^2/4, and beyond 12, in powers of 24/x - 1.\n"
        "// Written by scripts/special_texts.py from cuprum-lanes/src/math/special/coefficients.rs.\n\n"
        f"namespace elementary {{\n\n{namespace(SHARED_TEXT, arrays(), SHARED)}\n}}  // namespace elementary\n"
    )


def family(name):
    global inlined
    inlined = name in INLINED
    texts = [(SOURCE / f"{part}.rs").read_text() for part in FAMILIES[name]]
    titles = [re.match(r"//! (.*?)\n(?!//!)", text, re.S)[1].replace("\n//! ", "\n// ") for text in texts]
    sources = ", ".join(f"{part}.rs" for part in FAMILIES[name])
    made, lanes, coefficients = [], [], []
    for part_name, text in zip(FAMILIES[name], texts, strict=True):
        # Constants first.
        tables = arrays()
        tables |= dict(re.findall(r"^const (\w+): f64 = (.*);", text, re.M))
        for n, body in re.findall(r"^const (\w+): \[f64; \d+\] =\s*\[([^\]]*)\];", text, re.M):
            tables[n] = re.sub(r"\s+", " ", body).strip().rstrip(",")
        made += [
            function(item.strip("\n"), tables, f"tables_of_{part_name}", bool(plain))
            for plain, part in re.findall(r"^(plain_)?functions! \{\n(.*?)^\}$", text, re.S | re.M)
            for item in re.split(r"\n\n(?=    (?:///|#\[|fn ))", part.rstrip("\n"))
        ]
        code = "\n".join(code for _, code in made)
        used = [n for n in tables if f"tables_of_{part_name}::{n}" in re.findall(r"\w+::\w+", code)]
        if used:
            coefficients.append(namespace(f"tables_of_{part_name}", tables, used))
        lanes += re.findall(r"^(\w*lanes)! \{\n(.*?)^\}$", text, re.S | re.M)
    out = ["// " + "\n// ".join(titles)]
    out.append(f"// Written by scripts/special_texts.py from cuprum-lanes/src/math/special: {sources}.\n")
    out.append("namespace elementary {\nnamespace special {\n")
    out += [*coefficients, *(head for head, _ in made), "", *(code for _, code in made)]
    out.append("}  // namespace special\n}  // namespace elementary\n")
    for kind, part in lanes:
        for lane, args, plain, rare in re.findall(
            r"(\w+)\(([^)]*)\)(?: by (\w+) unless (\w+)| by [\w ]+)?;", part
        ):
            names = args.split(", ")
            if plain and plain != lane and lane not in WHOLE:
                given = ", ".join(f"(f64){a}" for a in names)
                shown = ", ".join(f"T {a}" for a in names)
                calls = [f"elementary::special::{function}({given})" for function in (rare, lane, plain)]
                out.append(
                    f"template <class T> T cu_{lane}({shown}) {{\n"
                    f"    return (T)({calls[0]} ? {calls[1]} : {calls[2]});\n}}"
                )
            elif kind == "lanes":
                given = ", ".join(f"(f64){a}" for a in names)
                shown = ", ".join(f"T {a}" for a in names)
                out.append(
                    f"template <class T> T cu_{lane}({shown}) {{ return (T)elementary::special::{lane}({given}); }}"
                )
            else:
                given = ", ".join(f"(f64){a}.re, (f64){a}.im" for a in names)
                shown = ", ".join(f"complex<T> {a}" for a in names)
                base = lane.removeprefix("complex_")
                out.append(
                    f"template <class T> complex<T> cu_{base}({shown}) {{\n"
                    f"    auto [re, im] = elementary::special::{lane}({given});\n"
                    f"    return complex<T>((T)re, (T)im);\n}}"
                )
    return "\n".join(out) + "\n"


def main():
    stale = []
    texts = {f"special_{name}.cuh": family(name) for name in FAMILIES}
    texts[f"{SHARED_TEXT}.cuh"] = shared_tables()
    for name, text in texts.items():
        path = TARGET / name
        if "--check" in sys.argv:
            stale += [path.name] if not path.exists() or path.read_text() != text else []
        else:
            path.write_text(text)
    if stale:
        sys.exit(f"not as scripts/special_texts.py writes them: {', '.join(stale)}")


if __name__ == "__main__":
    main()
