"""The documentation: links, paths, commands and settings that it names are there, and its Python runs."""

import linecache
import pathlib
import re
import subprocess

import numpy as np
import pytest

import cuprum as cp

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "docs/guides/*.md", "docs/adr/*.md", "benches/README.md")
    for page in ROOT.glob(pattern)
)
# Made by a build, or the names of headers that kernels include.
ELSEWHERE = {"dist/", "math.h", "cupy/complex.cuh"}
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


@each_page
def test_commands_of_make_are_in_the_makefile(page):
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    for command in re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)", text, flags=re.MULTILINE):
        assert max(command) in targets, f"{page.name} names make {max(command)}"


def test_every_decision_is_in_the_index():
    folder = ROOT / "docs" / "adr"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))
    for name in listed:
        assert (folder / name).read_text(encoding="utf-8").startswith(f"# {int(name[:4])}. "), name


def test_settings_that_are_read_are_documented():
    read = set()
    for source in [*ROOT.glob("crates/*/src/**/*.rs"), *ROOT.glob("python/cuprum/**/*.py")]:
        text = source.read_text(encoding="utf-8")
        read |= set(re.findall(r"(?:environ|env::var|candidates)[^;]{0,80}?\"(CUPRUM_[A-Z_0-9]+)\"", text))
    assert {"CUPRUM_DEVICE", "CUPRUM_SIMD", "CUPRUM_LIBCUFFT"} <= read
    table = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert sorted(name for name in read - INTERNAL if f"`{name}`" not in table) == []


def test_the_guide_to_kernels_runs(capsys):
    """Its Python blocks, one after the other."""
    guide = (ROOT / "docs" / "guides" / "kernels.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    assert len(blocks) >= 4
    namespace = {}
    for number, block in enumerate(blocks):
        exec(compiled(block, number), namespace)
    z = (np.arange(10.0) - 3) ** 2
    assert float(capsys.readouterr().out) == pytest.approx(np.linalg.norm(z), rel=1e-15)
    np.testing.assert_array_equal(cp.asnumpy(namespace["y"]), 2.5 * np.arange(1000, dtype=np.float32))


def compiled(block, number):
    """Compile a block; kernels in Python ask for their own lines."""
    name = f"<kernels.md, block {number}>"
    linecache.cache[name] = (len(block), None, block.splitlines(keepends=True), name)
    return compile(block, name, "exec")


def test_every_decision_has_a_status_and_a_date():
    for page in (ROOT / "docs" / "adr").glob("[0-9]*.md"):
        third = page.read_text(encoding="utf-8").splitlines()[2]
        assert re.fullmatch(r"Status: (accepted|superseded by decision \d+), \d{4}-\d\d-\d\d\.", third), (
            page.name
        )
