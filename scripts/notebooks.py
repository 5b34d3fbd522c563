"""Run the notebooks of `docs/notebooks/` and store what their cells print and show.

    python scripts/notebooks.py

No Jupyter is needed: a cell is Python, and its last expression is shown. The tests run the cells the same way
and compare.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
from pathlib import Path
from typing import Any

__all__ = ["outputs", "run"]

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"


def run(cells: list[dict[str, Any]], name: str) -> list[list[dict[str, Any]]]:
    """Run the cells of code in order and return the outputs of each, as the format of notebooks has them.

    Examples
    --------
    >>> run([{"cell_type": "code", "source": ["print(1)\\n", "2 + 3"]}], "sums")[0][1]["data"]["text/plain"]
    ['5']
    """
    space: dict[str, Any] = {"__name__": "__main__"}
    found = []
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for number, cell in enumerate(code):
        found.append(outputs("".join(cell["source"]), f"<{name}, cell {number + 1}>", space))
    return found


def outputs(source: str, title: str, space: dict[str, Any]) -> list[dict[str, Any]]:
    """Run one cell and return its outputs: what it prints, and its last expression's value."""
    # Kernels in Python ask for their own lines.
    linecache.cache[title] = (len(source), None, source.splitlines(keepends=True), title)
    tree = ast.parse(source, title)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, title, "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), title, "eval"), space)
    made: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        made.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        made.append({"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": None})
    return made


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, made) in enumerate(zip(code, run(notebook["cells"], path.stem), strict=True)):
            for output in made:
                if "execution_count" in output:
                    output["execution_count"] = number + 1
            cell.update(outputs=made, execution_count=number + 1)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"ran {path.name}")


if __name__ == "__main__":
    main()
