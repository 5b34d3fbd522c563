"""The packages' descriptions: extras hold what is loaded, and versions agree."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import zig_ordered

if sys.version_info < (3, 11):
    pytest.skip("tomllib came with Python 3.11", allow_module_level=True)

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
CUDA = ROOT / "crates" / "cuprum-cuda" / "src"
# The compiler's wheel says that it is CUDA's; NCCL is asked for by name where it is used.
WHEELS = {"nvrtc": "cuda-nvrtc", "nccl": None}


@pytest.mark.parametrize("extra, suffix", [("cuda12", "-cu12"), ("cuda13", "")])
def test_extras_hold_every_library_that_is_loaded(extra, suffix):
    names = {re.match(r"[\w-]+", need)[0] for need in PROJECT["optional-dependencies"][extra]}
    texts = [path.read_text(encoding="utf-8") for path in sorted((CUDA / "sys").glob("*.rs"))]
    code = "".join(text.partition("#[cfg(all(test")[0] for text in texts)
    loaded = set(re.findall(r'candidates\("(\w+)"', code))
    assert {"nvrtc", "cublas", "cufft", "cusolver"} <= loaded
    for stem in loaded:
        wheel = WHEELS.get(stem, stem)
        assert wheel is None or f"nvidia-{wheel}{suffix}" in names, stem
    # The headers that users' kernels include.
    assert {f"nvidia-cuda-runtime{suffix}", f"nvidia-cuda-cccl{suffix}", f"nvidia-curand{suffix}"} <= names


def test_crates_can_be_published():
    version = WORKSPACE["package"]["version"]
    folders = {path.parent.name: path for path in ROOT.glob("crates/*/Cargo.toml")}
    own = {name: need for name, need in WORKSPACE["dependencies"].items() if name in folders}
    assert set(own) == set(folders) - {"cuprum-python"}
    for name, need in own.items():
        assert need == {"version": version, "path": f"crates/{name}"}
        package = tomllib.loads(folders[name].read_text(encoding="utf-8"))["package"]
        assert package["description"] and package["license"] == {"workspace": True}, name
        assert package["repository"] == {"workspace": True} and package["readme"] == {"workspace": True}


def test_the_package_and_the_crates_name_one_repository():
    home = WORKSPACE["package"]["repository"]
    assert all(url.startswith(home) for url in PROJECT["urls"].values())
    assert home in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(not sys.platform.startswith("linux") or not shutil.which("gcc"), reason="reads ELF files")
def test_functions_that_are_alike_are_linked_side_by_side(tmp_path):
    bodies = {
        "sum": "double s = 0; for (int i = 0; i < n; i++) s += x[i] * {k}; return s;",
        "sort": "for (int i = 1; i < n; i++) while (i && x[i] < x[i - 1]) {{ double t = x[i]; "
        "x[i] = x[i - 1] + {k}; x[i - 1] = t; i--; }} return x[0];",
    }
    # Named so that neither the order of names nor that of the file has them side by side.
    lines = [
        f"double f{k}_{name}(double* x, int n) {{ {body.format(k=k + 3)} }}"
        for k in range(4)
        for name, body in bodies.items()
    ]
    (tmp_path / "a.c").write_text("\n".join(lines))
    library = tmp_path / "a.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(library), str(tmp_path / "a.c")], check=True)
    found = [(name, code) for name, code in zig_ordered.functions(library) if name.startswith("f")]
    assert {name for name, _ in found} == {f"f{k}_{name}" for k in range(4) for name in bodies}
    assert all(code for _, code in found)
    kinds = [name.partition("_")[2] for name in zig_ordered.ordered(found) if name.startswith("f")]
    assert sum(a != b for a, b in zip(kinds, kinds[1:], strict=False)) == 1, kinds


def test_the_linker_s_arguments_may_come_in_a_file(tmp_path):
    file = tmp_path / "linker-arguments"
    file.write_text('-shared\n"-o"\n"a folder/out.so"\n')
    assert zig_ordered.expanded(f"@{file}") == ["-shared", "-o", "a folder/out.so"]
    assert zig_ordered.expanded("@nowhere") == ["@nowhere"]
    assert zig_ordered.expanded("-lm") == ["-lm"]
