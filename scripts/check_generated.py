"""Check that the committed generated files are what the generator makes today.

The generator is `stubs.py`; its `generate()` returns the text of each file by its path from the
repository's root. Nothing is written here: `make stubs` does that.
"""

import ast
import difflib
import sys
from pathlib import Path

import stubs

ROOT = Path(__file__).resolve().parent.parent
DIFF_LINES_SHOWN = 40


def difference(path: str, expected: str) -> list[str]:
    """The unified diff from the committed file to the generated text; empty when they are equal."""
    file = ROOT / path
    committed = file.read_text(encoding="utf-8") if file.exists() else ""
    if committed == expected:
        return []
    names = f"{path} (committed)", f"{path} (generated)"
    diff = difflib.unified_diff(committed.splitlines(), expected.splitlines(), *names, lineterm="")
    return list(diff) or [f"{path}: differs in line ends only"]


def main() -> int:
    generated = stubs.generate()
    stale = 0
    for path, text in sorted(generated.items()):
        if path.endswith((".py", ".pyi")):
            ast.parse(text, filename=path, feature_version=(3, 10))
        diff = difference(path, text)
        if diff:
            stale += 1
            print(*diff[:DIFF_LINES_SHOWN], sep="\n")
            if len(diff) > DIFF_LINES_SHOWN:
                print(f"... {len(diff) - DIFF_LINES_SHOWN} more lines")
    if stale:
        print(f"{stale} of {len(generated)} generated files are stale: run `make stubs`")
        return 1
    print(f"{len(generated)} generated files are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
