"""The documentation: links, paths, commands and settings that it names are there, and its Python runs."""

import doctest
import json
import os
import pathlib
import re
import subprocess
import sys

import notebooks
import plots
import pytest
import site_api
import site_pages as site

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "docs/guides/*.md", "docs/adr/*.md", "benches/README.md")
    for page in ROOT.glob(pattern)
)
# Made by a build, or the names of headers that kernels include.
ELSEWHERE = {"dist/", "fuzz-failures/", "math.h", "cupy/complex.cuh"}
# For those who work on the compiler: it prints Cranelift's text.
INTERNAL = {"CUPRUM_SHOW_CLIF"}

# README is the package's page, too: its links name the repository.
OWN_PAGES = (
    r"https://(?:raw\.githubusercontent\.com/cuprum-developers/cuprum"
    r"|github\.com/cuprum-developers/cuprum/(?:blob|tree))/main/(.*)"
)

each_page = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])


def without_blocks(page):
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="module")
def tracked():
    """The files and folders of the repository, by their paths."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git here to list the files")
    files = set(listed.stdout.split("\n"))
    return files | {f"{parent}/" for file in files for parent in pathlib.PurePath(file).parents}


@each_page
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page)):
        path, _, heading = target.partition("#")
        within = re.fullmatch(OWN_PAGES, path)
        if target.startswith("http") and not within:
            continue
        found = ROOT / within[1] if within else (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def test_readme_can_leave_the_repository():
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(ROOT / "README.md")):
        assert target.startswith(("https://", "#")), f"README.md: {target}"


@each_page
def test_paths_are_in_the_repository(page, tracked):
    for path in re.findall(r"`(\w[\w./-]*(?:\.(?:rs|py|md|cuh|cu|h|toml|pyi)|/))`", without_blocks(page)):
        if path in ELSEWHERE or path in tracked:
            continue
        assert any(known.endswith(f"/{path}") for known in tracked), f"{page.name} names {path}"


@pytest.mark.parametrize("name", ["architecture.md", "glossary.md"])
def test_names_of_the_code_are_in_the_code(name, tracked):
    """Types, functions and constants that the map of the code names, in the words of the sources."""
    code = set()
    for path in tracked:
        if path.startswith(("crates/", "python/")) and path.endswith((".rs", ".py", ".cu", ".cuh")):
            code.update(re.findall(r"\w+", (ROOT / path).read_text(encoding="utf-8")))
    named = re.findall(r"`([A-Za-z_][\w:.]*)(?:\(\))?`", without_blocks(ROOT / "docs" / name))
    parts = {part for text in named if not text.startswith("lib") for part in re.split(r"::?|\.", text)}
    assert len(parts) > 2
    assert sorted(parts - code - {""}) == []


@each_page
def test_commands_of_make_are_in_the_makefile(page):
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    for command in re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)", text, flags=re.MULTILINE):
        assert max(command) in targets, f"{page.name} names make {max(command)}"


@each_page
def test_links_to_decisions_have_their_numbers(page):
    links = re.findall(r"\[(?:decision |ADR )?(\d+)\]\((?:[^)\s]*/)?0*(\d+)-[a-z]", without_blocks(page))
    assert [number for number, _ in links] == [number for _, number in links]


def test_every_decision_is_in_the_index():
    folder = ROOT / "docs" / "adr"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))
    for name in listed:
        page = (folder / name).read_text(encoding="utf-8")
        status = r"Status: (?:accepted|superseded by decision \d+), \d{4}-\d\d-\d\d\."
        assert re.match(rf"# {int(name[:4])}\. .+\n\n{status}", page), name


def test_settings_that_are_read_are_documented():
    read = set()
    for source in [*ROOT.glob("crates/*/src/**/*.rs"), *ROOT.glob("python/cuprum/**/*.py")]:
        text = source.read_text(encoding="utf-8")
        read |= set(re.findall(r"(?:environ|env::var|candidates)[^;]{0,80}?\"(CUPRUM_[A-Z_0-9]+)\"", text))
    assert {"CUPRUM_DEVICE", "CUPRUM_SIMD", "CUPRUM_LIBCUFFT"} <= read
    table = (ROOT / "docs" / "guides" / "settings.md").read_text(encoding="utf-8")
    assert sorted(name for name in read - INTERNAL if f"`{name}`" not in table) == []


@each_page
def test_the_blocks_of_python_run(page, tmp_path):
    """In a process of their own; `run_page.py` says how blocks are marked."""
    if "```python" not in page.read_text(encoding="utf-8"):
        return
    command = [sys.executable, str(pathlib.Path(__file__).parent / "run_page.py"), str(page)]
    space = {**os.environ, "CUPRUM_DEFER": "1"}  # what pages show is recorded and fused
    done = subprocess.run(
        command, cwd=tmp_path, env=space, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout.splitlines()[-1])
    assert counts["run"] + counts["checked"] == page.read_text(encoding="utf-8").count("\n```python\n")


@each_page
def test_blocks_are_of_a_known_language(page):
    """A block in a language that no test knows would be one that no test runs."""
    known = {"python", "rust", "cuda", "sh", "toml", "text", ""}
    fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(fences[::2]) <= known, page.name
    assert set(fences[1::2]) <= {""}, page.name


def words(text):
    """The words of Rust or CUDA C, without the marks of documentation."""
    return " ".join(re.sub(r"^ *//[/!] ?", "", text, flags=re.MULTILINE).split())


@pytest.fixture(scope="module")
def tested_rust():
    """All Rust and CUDA C that the tests compile."""
    sources = [*ROOT.glob("crates/**/*.rs"), *ROOT.glob("crates/**/*.cuh"), ROOT / "README.md"]
    return [words(source.read_text(encoding="utf-8")) for source in sources]


@each_page
def test_blocks_of_rust_are_in_the_sources(page, tested_rust):
    """What a page shows of Rust and CUDA C is compiled and run where it lies."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:rust|cuda)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE):
        assert any(words(block) in source for source in tested_rust), f"{page.name}:\n{block}"


@each_page
def test_commands_of_blocks_are_there(page):
    """`cuprum`'s commands and options, make's targets, pip's extras."""
    project = (
        (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[2]
    )
    extras = set(re.findall(r"^(\w+) = \[$", project.partition("\n[")[0], flags=re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:sh|text)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE):
        for command in re.findall(r"^(?:\S*/)?cuprum ([a-z]+)", block, flags=re.MULTILINE):
            assert command in {"run", "bench", "info"}, f"{page.name}: cuprum {command}"
        for names in re.findall(r"cuprum\[([\w,|]+)\]", block):
            assert set(re.split(r"[,|]", names)) <= extras, f"{page.name}: {names}"


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.no_gpu
@pytest.mark.fusion
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks_run_and_show_what_is_stored(path):
    """Run by `scripts/notebooks.py`; pictures of arrays are not compared."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    stored = [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]
    for number, (made, kept) in enumerate(zip(notebooks.run(cells, path.stem), stored, strict=True)):
        texts = [
            ["".join(output.get("text") or output["data"]["text/plain"]) for output in outputs]
            for outputs in (made, kept)
        ]
        assert texts[0] == texts[1], f"cell {number + 1}: `python scripts/notebooks.py` stores it anew"


def test_every_page_of_the_site_has_a_place():
    """Decisions and the reference are added by themselves; pages that no section names come last."""
    listed = {name for _, names in site.SECTIONS.values() for name in names}
    where = site.places()
    placed = {path.removesuffix(".md") for path in where.values() if path.endswith(".md")}
    assert {name for name in listed if not name.startswith("reference/")} <= placed
    own = {name for name in placed if not name.startswith(("adr/", "reference/"))} - {"index"}
    others = {name for section in site.SECTIONS for name in site.unlisted(where, section)}
    assert own == (listed & own) | others
    assert site.unlisted({"docs/new.md": "new.md", "docs/guides/n.md": "guides/n.md"}, "guide") == [
        "guides/n"
    ]


@pytest.mark.parametrize("module", [site, site_api, notebooks], ids=lambda module: module.__name__)
def test_examples_of_the_site_s_scripts(module):
    report = doctest.testmod(module)
    assert report.attempted and not report.failed


def test_links_are_followed_to_the_site():
    where = {"docs/a/b.md": "a/b.md", "docs/c.md": "c.md", "benches/README.md": "development/speed.md"}
    text = "[c](../c.md#x) [s](../../benches/README.md) [`r`](../../Makefile) [w](https://a.b) ![p](../c.md)"
    made = site.linked(text, "docs/a/b.md", where)
    assert made == "[c](../c.md#x) [s](../development/speed.md) `r` [w](https://a.b) ![p](../c.md)"


def test_the_plots_have_every_row_of_their_tables():
    results = (ROOT / "benches" / "RESULTS.md").read_text(encoding="utf-8")
    picture = plots.pictures()["docs/plots/library.svg"]
    section = results.partition("<!-- library:")[2].partition("<!-- end of library -->")[0]
    rows = re.findall(r"^\| ([^|]+) \| (?:NumPy|SciPy) \|.*?\| ([\d.]+) \| ≥", section, flags=re.MULTILINE)
    assert len(rows) > 20
    for name, _ in rows:
        assert f">{name}</text>" in picture


def test_docstrings_become_markdown():
    doc = (
        "Sum `x`.\n\nParameters\n----------\n*args : array_like\n    What is *added*.\n\n"
        "Examples\n--------\n>>> 1\n1"
    )
    made = site_api.markdown(doc)
    assert made == (
        "Sum `x`.\n\n**Parameters**\n\n- `*args` (array_like): What is \\*added\\*.\n\n"
        "**Examples**\n\n```pycon\n>>> 1\n1\n```"
    )
