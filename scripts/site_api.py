"""The site's reference: every public name with its signature and docstring, as Markdown that Sphinx reads.

The pages in `docs/reference/` are tables for reading in the repository. On the site a page has the same name,
and the table's rows lead to the names' own entries.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, get_origin

import reference

from cuprum import _core

__all__ = ["markdown", "pages"]

_FIELDS = {
    "Parameters": "Parameters",
    "Other Parameters": "Other parameters",
    "Returns": "Returns",
    "Yields": "Yields",
    "Raises": "Raises",
    "Warns": "Warns",
    "Attributes": "Attributes",
    "Methods": "Methods",
}


def pages() -> dict[str, str]:
    """Return the text of every page by its path below the site's root."""
    made = {"reference/ufuncs.md": _ufuncs(), "reference/ndarray.md": _ndarray()}
    topics = []
    for topic, modules in reference._topics():
        entries = [(name, value) for module in modules for name, value in _functions(module)]
        if entries:
            page = f"topic{topic.__name__.removeprefix('cuprum.')}"
            topics.append((reference._title(topic), page))
            made[f"reference/{page}.md"] = _page(reference._title(topic), "", "cuprum", entries)
    made["reference/functions.md"] = _contents("Functions by topic", topics)
    for name, module in reference.public_submodules().items():
        made[f"reference/{name}.md"] = _submodule(name, module)
    return made


def _contents(title: str, children: list[tuple[str, str]]) -> str:
    listed = "\n".join(f"{name} <{page}>" for name, page in children)
    return f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"


def _functions(module: Any) -> list[tuple[str, Any]]:
    """Return the functions of a module that are Cuprum's own."""
    found = []
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, _core.ufunc) or not callable(value) or inspect.isclass(value):
            continue
        if get_origin(value) is None and (getattr(value, "__module__", None) or "").split(".")[0] != "numpy":
            found.append((name, value))
    return found


def _page(title: str, text: str, prefix: str, entries: list[tuple[str, Any]]) -> str:
    rows = [
        (f"[`{name}`](#{_anchor(prefix, name)})", _inline(reference._summary(value)))
        for name, value in entries
    ]
    parts = [f"# {title}", text]
    if rows:
        parts.append(reference._table(("name", "what it does"), rows))
    parts += [_entry(prefix, name, value) for name, value in entries]
    return "\n\n".join(part for part in parts if part) + "\n"


def _submodule(name: str, module: Any) -> str:
    full = f"cuprum.{name}"
    entries = _functions(module)
    if name == "scipy.special":
        entries += [(key, value) for key, value in sorted(_ufuncs_of(module).items())]
    for key in module.__all__:
        value = getattr(module, key)
        if inspect.isclass(value) and value.__module__.split(".")[0] == "cuprum":
            entries.append((key, value))
    doc = inspect.getdoc(module) or ""
    return _page(full, markdown(doc), full, entries)


def _ufuncs_of(module: Any) -> dict[str, Any]:
    return {key: value for key, value in vars(module).items() if isinstance(value, _core.ufunc)}


def _ufuncs() -> str:
    text = reference._ufuncs().partition("# Ufuncs\n\n")[2].split("\n\n")[0]
    return _page("Ufuncs", text, "cuprum", sorted(_core.ufuncs("ufunc").items()))


def _ndarray() -> str:
    entries = [
        (name, inspect.getattr_static(_core.ndarray, name))
        for name in sorted(dir(_core.ndarray))
        if not name.startswith("_")
    ]
    return _page("Arrays", markdown(inspect.getdoc(_core.ndarray) or ""), "cuprum.ndarray", entries)


def _anchor(prefix: str, name: str) -> str:
    return f"{prefix}.{name}"


def _entry(prefix: str, name: str, value: Any) -> str:
    """Return the entry of one name; a class has its members inside."""
    kind, call = "function", _signature(value)
    if inspect.isclass(value):
        kind = "class"
    elif prefix == "cuprum.ndarray":
        kind = "method" if callable(value) else "attribute"
    body = [markdown(inspect.getdoc(value) or "")]
    if kind == "class":
        members = [member for member in sorted(dir(value)) if not member.startswith("_")]
        members = [member for member in members if not hasattr(BaseException, member)]
        rows = [
            (f"`{member}`", _inline(reference._summary(inspect.getattr_static(value, member))))
            for member in members
        ]
        if rows:
            body.append(reference._table(("attribute or method", "what it is"), rows))
    shown = call if kind != "attribute" else ""
    text = "\n\n".join(part for part in body if part)
    return f"``````{{py:{kind}}} {prefix}.{name}{shown}\n{text}\n``````"


def _signature(value: Any) -> str:
    """Return parameters with their defaults, without annotations."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "()" if callable(value) else ""
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for key, parameter in found.parameters.items()
        if key != "self"
    ]
    text = str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return re.sub(r"<[^<>]*>", "...", text)


def markdown(doc: str) -> str:
    """Return a NumPy-style docstring as Markdown.

    Examples
    --------
    >>> markdown("Add.\\n\\nReturns\\n-------\\nint\\n    The sum.")
    'Add.\\n\\n**Returns**\\n\\n- `int`: The sum.'
    """
    parts: list[str] = []
    for title, lines in _sections(doc):
        if title:
            parts.append(f"**{_FIELDS.get(title, title)}**")
        parts.append(_fields(lines) if title in _FIELDS else _prose(lines))
    return "\n\n".join(part for part in parts if part.strip())


def _sections(doc: str) -> list[tuple[str, list[str]]]:
    lines = doc.splitlines()
    sections: list[tuple[str, list[str]]] = [("", [])]
    at = 0
    while at < len(lines):
        following = lines[at + 1].strip() if at + 1 < len(lines) else ""
        if lines[at].strip() and len(following) > 2 and set(following) == {"-"}:
            sections.append((lines[at].strip(), []))
            at += 2
            continue
        sections[-1][1].append(lines[at])
        at += 1
    return sections


def _fields(lines: list[str]) -> str:
    """Return entries of the form `name : type`, with their indented texts, as a list."""
    items: list[list[str]] = []
    for line in lines:
        if line.strip() and not line.startswith(" "):
            name, _, kind = (part.strip() for part in line.partition(" :"))
            items.append([f"`{name}`" + (f" ({_inline(kind)})" if kind else "")])
        elif line.strip() and items:
            items[-1].append(_inline(line.strip()))
    return "\n".join(f"- {item[0]}" + (": " + "\n  ".join(item[1:]) if item[1:] else "") for item in items)


def _prose(lines: list[str]) -> str:
    """Return paragraphs, with prompts as blocks of code."""
    out: list[str] = []
    code: list[str] = []

    def close() -> None:
        if code:
            out.extend(["", "```pycon", *code, "```", ""])
            code.clear()

    for line in lines:
        if line.lstrip().startswith(">>>") or (code and line.strip()):
            code.append(line)
            continue
        close()
        out.append(_inline(line))
    close()
    return "\n".join(out).strip()


def _inline(text: str) -> str:
    """Escape what Markdown would take for HTML or emphasis, outside of code."""
    pieces = re.split(r"(`+[^`]*`+)", text)
    for at in range(0, len(pieces), 2):
        pieces[at] = re.sub(r"(?<!\\)([<*\[\]])", r"\\\1", pieces[at])
    return "".join(pieces)
