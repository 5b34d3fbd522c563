"""``cuprum info`` says what Cuprum runs on, what of CUDA is there, and how to install what is missing."""

import json
import os
import subprocess
import sys

import cuprum
from cuprum.cuda import _libraries


def info(*words, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "info", *words],
        env=dict(os.environ, **environment),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_text_names_everything():
    text = info()
    lines = dict(line.split(None, 1) for line in text.splitlines() if not line.startswith(" "))
    assert lines["version"].startswith(cuprum.__version__)
    assert lines["device"].startswith("cpu: ")
    assert lines.keys() >= {"threads", "simd", "memory", "pool", "caches", "deferral", "cuda"}
    for part in _libraries.LIBRARIES:
        assert part.title in text


def test_the_facts_as_json():
    facts = json.loads(info("--json", CUPRUM_THREADS="1", CUPRUM_DEFER="0"))
    assert facts["versions"]["cuprum"] == cuprum.__version__
    assert facts["devices"]["cpu"]["threads"] == 1
    assert facts["deferred"] is False and facts["cuda"]["available"] is False
    assert facts["pool"]["limit_bytes"] is None


def test_libraries_of_a_toolkit_and_of_wheels_are_found(tmp_path):
    toolkit = tmp_path / "toolkit" / "lib64"
    toolkit.mkdir(parents=True)
    (toolkit / "libcublas.so.13").touch()
    wheel = tmp_path / "site" / "nvidia" / "cuda_nvrtc" / "lib"
    wheel.mkdir(parents=True)
    (wheel / "libnvrtc.so.13").touch()
    loader = tmp_path / "loader"
    loader.mkdir()
    (loader / "libcufft.so.12").touch()
    facts = json.loads(
        info(
            "--json",
            CUDA_PATH=str(tmp_path / "toolkit"),
            PYTHONPATH=str(tmp_path / "site"),
            LD_LIBRARY_PATH=str(loader),
        )
    )["cuda"]
    assert facts["toolkit"] == str(tmp_path / "toolkit")
    assert facts["found"]["cuBLAS"] == str(toolkit / "libcublas.so.13")
    assert facts["found"]["NVRTC"] == str(wheel / "libnvrtc.so.13")
    assert facts["found"]["cuFFT"] == str(loader / "libcufft.so.12")


def test_what_is_missing_comes_with_the_command_that_installs_it():
    text = info()
    for part in _libraries.LIBRARIES:
        if _libraries.find(part) is None:
            assert f"not found: {part.install}" in text


def test_the_version():
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"cuprum {cuprum.__version__}\n"
