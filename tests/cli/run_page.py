"""Run the Python blocks of one page of the documentation, in order, in one namespace: run_page.py PAGE

Comments in the page, which readers do not see, say what a block needs and gives:

    <!-- setup            Python that runs here
    ... -->
    <!-- needs: gpu -->   the next block runs where there is a GPU; `gpus`: two; `ranks`: never, it is a part
                          of a program that is started several times; a module's name: where it is installed
    <!-- printed -->      the next block is what the last one prints

A block that does not run is compiled, and what it names of Cuprum's must be there.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib.util
import io
import json
import linecache
import pathlib
import re
import sys

import cuprum as cp

PARTS = re.compile(
    r"^<!-- setup\n(?P<setup>.*?)-->$"
    r"|^<!-- needs: (?P<needs>[\w., ]+) -->$"
    r"|^<!-- (?P<printed>printed) -->$"
    r"|^```(?P<language>\w*)\n(?P<block>.*?)^```$",
    flags=re.DOTALL | re.MULTILINE,
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def is_there(need: str) -> bool:
    if need in ("gpu", "gpus"):
        return cp.cuda.is_available() and cp.cuda.runtime.getDeviceCount() >= (2 if need == "gpus" else 1)
    return need != "ranks" and importlib.util.find_spec(need) is not None


def check_names(tree: ast.AST) -> None:
    """Look up what a block names of the package: `cp.cuda.Device`, say."""
    for node in ast.walk(tree):
        chain: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            chain.insert(0, inner.attr)
            inner = inner.value
        if chain and isinstance(inner, ast.Name) and inner.id == "cp":
            value: object = cp
            for name in chain:
                value = getattr(value, name)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cuprum":
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                getattr(module, alias.name)


def parts(text: str):
    """Yield the kind and the text of each comment and block that matters here."""
    for match in PARTS.finditer(text):
        if match["language"] is not None:
            yield match["language"] or "plain", match["block"]
        else:
            kind = match.lastgroup or ""
            yield kind, match[kind]


def run(text: str, name: str) -> dict[str, int]:
    counts = {"run": 0, "checked": 0, "compared": 0}
    space: dict[str, object] = {"__name__": "__main__"}
    needs: list[str] = []
    printed, compare, ran = "", False, False
    for number, (kind, block) in enumerate(parts(text)):
        if kind == "needs":
            needs = [need.strip() for need in block.split(",")]
        elif kind == "printed":
            compare = True
        elif kind == "setup":
            exec(compile(block, f"<{name}, setup>", "exec"), space)
        elif kind == "python":
            title = f"<{name}, part {number}>"
            # Kernels in Python ask for their own lines.
            linecache.cache[title] = (len(block), None, block.splitlines(keepends=True), title)
            tree = ast.parse(block, title)
            ran = all(is_there(need) for need in needs)
            needs = []
            if not ran:
                check_names(tree)
                counts["checked"] += 1
                continue
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(tree, title, "exec"), space)
            printed = out.getvalue()
            counts["run"] += 1
        elif compare:
            compare = False
            if ran:
                if not doctest.OutputChecker().check_output(block, printed, OPTIONS):
                    raise AssertionError(f"{name}: part {number} shows\n{block}\nand prints\n{printed}")
                counts["compared"] += 1
    return counts


if __name__ == "__main__":
    page = pathlib.Path(sys.argv[1])
    print(json.dumps(run(page.read_text(encoding="utf-8"), page.name)))
