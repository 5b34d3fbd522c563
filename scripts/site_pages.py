"""Put the site's pages together and build them with Sphinx: what `make docs` runs.

    python scripts/site_pages.py [--out build/site]

The pages are those of `docs/` and a few from elsewhere in the repository. Links between them lead to where
the pages lie on the site; links to files that are not on it become plain text. The reference is made from the
package. Nothing on the site is loaded from elsewhere: it works from a folder, without a network.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import site_api

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

# Pages of the site that lie outside of docs/, by their paths in the repository.
ELSEWHERE = {
    "CONTRIBUTING.md": "development/contributing.md",
    "SECURITY.md": "development/security.md",
    "CHANGELOG.md": "development/changelog.md",
    "benches/README.md": "development/speed.md",
    "benches/RESULTS.md": "development/speed-results.md",
    "tests/cuda/standin/README.md": "development/standin.md",
}

SECTIONS = {
    "start": (
        "Start",
        ["guides/install", "guides/ten-minutes", "notebooks/from-numpy-to-cuprum", "guides/troubleshooting"],
    ),
    "guide": (
        "Guides",
        [
            "guides/deferral",
            "guides/gpu",
            "guides/memory-and-streams",
            "guides/kernels",
            "notebooks/a-cuda-kernel-without-a-gpu",
            "guides/timing",
            "guides/performance",
            "guides/interoperability",
            "guides/past-one-machine",
            "guides/rust",
        ],
    ),
    "moving": (
        "Moving",
        ["guides/from-numpy", "guides/from-cupy", "guides/from-pycuda", "guides/from-numba"],
    ),
    "reference": ("Reference", ["guides/settings", "reference/comparison", "reference/functions"]),
    "development": (
        "Development",
        [
            "development/contributing",
            "architecture",
            "glossary",
            "guides/add-an-op",
            "adr/README",
            "development/speed",
            "development/speed-results",
            "development/standin",
            "development/security",
            "development/changelog",
        ],
    ),
}


def places() -> dict[str, str]:
    """Return where each page of the repository lies on the site, by its path in the repository."""
    found = {f"docs/{path.relative_to(DOCS).as_posix()}": "" for path in DOCS.rglob("*") if path.is_file()}
    found = {path: path.removeprefix("docs/") for path in found if not path.startswith("docs/site/")}
    found = {path: re.sub(r"\.ipynb$", ".md", place) for path, place in found.items()}
    return {**found, **ELSEWHERE, "README.md": "index.md"}


def unlisted(where: dict[str, str], section: str) -> list[str]:
    """Return the pages that no section names: those of guides/ are guides, others development."""
    listed = {name for _, names in SECTIONS.values() for name in names} | {"index"}
    pages = [place.removesuffix(".md") for place in where.values() if place.endswith(".md")]
    rest = [page for page in pages if page not in listed and not page.startswith(("adr/", "reference/"))]
    homes = {page: "guide" if page.startswith(("guides/", "notebooks/")) else "development" for page in rest}
    return sorted(page for page, home in homes.items() if home == section)


def linked(text: str, path: str, where: dict[str, str]) -> str:
    """Return a page's text with its links leading to where pages lie on the site.

    Examples
    --------
    >>> linked("[a](../b.md#c) [d](../e.rs)", "docs/x/y.md", {"docs/x/y.md": "x/y.md", "docs/b.md": "b.md"})
    '[a](../b.md#c) d'
    """
    here = posixpath.dirname(where[path])

    def follow(match: re.Match[str]) -> str:
        mark, words, target = match["mark"], match["words"], match["target"]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        name, hash_, heading = target.partition("#")
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if found not in where:
            return words
        return f"{mark}[{words}]({posixpath.relpath(where[found], here or '.')}{hash_}{heading})"

    link = re.compile(r"(?P<mark>!?)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")
    pieces = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(piece if at % 2 else link.sub(follow, piece) for at, piece in enumerate(pieces))


def notebook(path: Path) -> str:
    """Return a notebook as Markdown: its cells with the outputs that are stored in it."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "text/html" in data:
                html = "".join(line for line in "".join(data["text/html"]).splitlines() if line.strip())
                parts.append(f'<div class="output">{html}</div>')
                continue
            shown = output.get("text") or data.get("text/plain") or []
            parts.append(f"<!-- printed -->\n```text\n{''.join(shown).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def printed(text: str) -> str:
    """Return a page's text with what blocks print set apart: `style.css` knows the class.

    Examples
    --------
    >>> printed("<!-- printed -->\\n```text\\n1\\n```").splitlines()
    ['```{code-block} text', ':class: printed', '', '1', '```']
    """
    return text.replace("<!-- printed -->\n```text\n", "```{code-block} text\n:class: printed\n\n")


def _children(names: list[str]) -> str:
    listed = "\n".join(f"/{name}" for name in names)
    return f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"


def stage(source: Path) -> None:
    """Write the pages into `source`, as Sphinx reads them."""
    shutil.rmtree(source, ignore_errors=True)
    where = places()
    for path, place in where.items():
        if path == "README.md":
            continue
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".ipynb"):
            text = printed(linked(notebook(ROOT / path), path, where))
            target.write_text(text, encoding="utf-8")
        elif path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            target.write_text(printed(linked(text, path, where)), encoding="utf-8")
        else:
            shutil.copyfile(ROOT / path, target)

    reference = site_api.pages()
    for place, text in reference.items():
        (source / place).write_text(text, encoding="utf-8")

    for name, (title, children) in SECTIONS.items():
        names = [*children, *unlisted(where, name)]
        if name == "reference":
            names += ["reference/ufuncs", "reference/ndarray"]
            rest = sorted(place.removesuffix(".md") for place in reference)
            names += [page for page in rest if page not in names and "/topic_" not in page]
        (source / f"{name}.md").write_text(f"# {title}\n\n{_children(names)}", encoding="utf-8")

    decisions = sorted(path.stem for path in (DOCS / "adr").glob("[0-9]*.md"))
    _append(source / "adr/README.md", _children([f"adr/{name}" for name in decisions]))
    hidden = _children(list(SECTIONS)).replace(":maxdepth: 1", ":hidden:")
    _append(source / "index.md", hidden)

    static = source / "_static"
    static.mkdir()
    for name in ("style.css", "mark.svg"):
        shutil.copyfile(DOCS / "site" / name, static / name)
    shutil.copyfile(DOCS / "site" / "conf.py", source / "conf.py")


def _append(page: Path, text: str) -> None:
    page.write_text(page.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")


def outside(html: Path) -> list[str]:
    """Return what the pages would load from elsewhere: scripts, styles, fonts and pictures."""
    loads = re.compile(
        r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"'](?:https?:)?//[^\"']*"
        r"|<link\b[^>]*\brel=[\"'](?:stylesheet|preload|icon)[\"'][^>]*\bhref=[\"'](?:https?:)?//[^\"']*"
        r"|url\([\"']?(?:https?:)?//[^)]*|@import\s+[\"'](?:https?:)?//[^\"']*"
    )
    found = []
    for page in [*html.rglob("*.html"), *html.rglob("*.css")]:
        for match in loads.finditer(page.read_text(encoding="utf-8", errors="replace")):
            found.append(f"{page.relative_to(html)}: {match[0][:120]}")
    return found


def build(out: Path) -> int:
    """Stage the pages and run Sphinx; a warning, such as a link that leads nowhere, is an error."""
    source, html = out / "source", out / "html"
    stage(source)
    shutil.rmtree(html, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--quiet",
        "--fail-on-warning",
        "--keep-going",
        "--jobs",
        "auto",
    ]
    done = subprocess.run([*command, "-d", str(out / "doctrees"), str(source), str(html)], check=False)
    if done.returncode:
        return done.returncode
    loaded = outside(html)
    print(*loaded, sep="\n", end="\n" if loaded else "")
    if not loaded:
        print(f"{len(list(html.rglob('*.html')))} pages: {html / 'index.html'}")
    return 1 if loaded else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the site.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="where it goes")
    return build(parser.parse_args().out.resolve())


if __name__ == "__main__":
    sys.exit(main())
