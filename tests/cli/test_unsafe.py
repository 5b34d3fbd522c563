"""No safe function of the Rust sources trusts an address, a pointer or a handle of CUDA's."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# They ask the caches for lines, or the driver what it knows of a number: any address will do.
ASKING = {
    "fetch_ahead",
    "fetch_lines",
    "fetch_rows",
    "fetch_tile",
    "for_each",
    "is_pinned",
    "owner_of",
    "pointer_facts",
    "prefetch",
}
# They write the address into code, which is run by `unsafe` functions alone.
EMITTING = {"call_runtime", "thunk"}
FUNCTION = re.compile(
    r"^(?P<indent> *)(?:pub(?:\([^)]*\))? )?(?:const )?fn (?P<name>\w+)(?:<[^(]*>)?"
    r"\((?P<takes>[^{;]*)\)(?:\s*->[^{;]*)?\s*(?:where[^{;]*)?\{",
    re.MULTILINE,
)
HANDLE = re.compile(r"\b(\w*(?:address|pointer|handle|stream|event))s?: (?:&\[|\[|Option<)?(?:usize|u64)\b")


def safe_functions():
    """The functions that are not unsafe: file, name, attributes, parameters and body."""
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        text = re.split(r"#\[cfg\(test\)\]\n(?:#\[.*\]\n)?mod tests \{", path.read_text(encoding="utf-8"))[0]
        for found in FUNCTION.finditer(text):
            end = text.find(f"\n{found['indent']}}}", found.end())
            above = text[text.rfind("\n\n", 0, found.start()) : found.start()]
            # Closures and C functions among the parameters are given pointers: that is theirs to judge.
            takes = re.sub(r"(?:fn|Fn|FnMut|FnOnce)\([^)]*\)(?: -> [^,)]*)?", "", found["takes"]).split(
                ") ->"
            )[0]
            yield path.relative_to(ROOT), found["name"], above, takes, text[found.end() : end]


def test_safe_functions_take_no_addresses():
    count, trusting = 0, []
    for path, name, above, takes, body in safe_functions():
        count += 1
        if path.name.endswith("tests.rs") or "tests" in path.parts or name in ASKING | EMITTING:
            continue
        # What Python calls takes the program's word for its addresses, as CUDA does.
        by_python = "#[pyfunction" in above or re.search(r"Python<|Bound<", takes)
        words = [] if by_python else HANDLE.findall(takes)
        used = any(re.search(rf"unsafe \{{[^}}]*\b{word}\b", body) for word in words)
        if used or re.search(r"\*(?:const|mut) ", takes):
            trusting.append(f"{path}: {name}({' '.join(takes.split())})")
    assert count > 5000, count
    assert trusting == []


# The beginning of a call of a function of CUDA's, by its field in a table of functions.
OF_CUDA = re.compile(r"\(\s*[\w.?()\[\]]+\.\w+(?:\[\w+\])?\s*\)\s*\(")
# Numbers that are no addresses: how many bytes, and the value of a limit.
SIZES = {"bytes", "value"}


def enclosed(text, start, brackets):
    """The text from `start` on, behind an opening bracket, up to the one that closes it."""
    depth = 1
    for at in range(start, len(text)):
        depth += {brackets[0]: 1, brackets[1]: -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return text[start:]


def test_safe_functions_give_cuda_no_numbers_that_they_were_given():
    """Whatever a number is called: a safe function that hands it to CUDA trusts it."""
    calls, trusting = 0, []
    for path, name, _, takes, body in safe_functions():
        if "cuprum-cuda" not in path.parts or "tests" in path.stem or name in ASKING:
            continue
        numbers = set(re.findall(r"(\w+): usize", takes)) - SIZES
        for found in re.finditer(r"unsafe \{", body):
            block = enclosed(body, found.end(), "{}")
            for call in OF_CUDA.finditer(block):
                calls += 1
                arguments = enclosed(block, call.end(), "()").split(",")
                given = numbers & {argument.strip() for argument in arguments}
                trusting += [f"{path}: {name} gives CUDA {number}" for number in sorted(given)]
    assert calls > 100, calls
    assert trusting == []


def test_the_map_of_the_code_names_the_files_with_unsafe():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    start = page.index("`unsafe` is denied in core")
    named = re.findall(r"`([\w./-]+(?:\.rs|/))`", page[start : page.index("What they rely on", start)])
    denied, allowing = [], []
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        text = path.read_text(encoding="utf-8")
        denied += [path.parent.parent.name] if "#![deny(unsafe_code)]" in text else []
        if re.search(r"#!?\[allow\(\s*unsafe_code", text):
            allowing.append(str(path.relative_to(ROOT / "crates")))
    assert denied == ["cuprum", "cuprum-core", "cuprum-graph", "cuprum-kernel"]
    assert len(allowing) > 5
    for path in allowing:
        assert any(path.endswith(name) or f"/{name}" in path for name in named), path
