"""``cuprum info`` says what Cuprum runs on, what of CUDA is there, and how to install what is missing."""

import json
import os
import subprocess
import sys

import pytest

import cuprum

DEVICE = cuprum.info()["device"]


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
    assert lines["device"].startswith(f"{DEVICE}: ")
    assert lines.keys() >= {"cpu", "threads", "simd", "memory", "pool", "caches", "deferral", "cuda"}
    for title in ("NVRTC", "cuBLAS", "cuFFT", "cuSOLVER"):
        assert title in text


def test_the_facts_as_json():
    facts = json.loads(info("--json", CUPRUM_THREADS="1", CUPRUM_DEFER="0"))
    assert facts["versions"]["cuprum"] == cuprum.__version__
    assert facts["devices"]["cpu"]["threads"] == 1
    assert facts["deferred"] is False and facts["cuda"]["available"] is DEVICE.startswith("cuda")
    assert facts["pool"]["limit_bytes"] is None
    assert facts["settings"]["CUPRUM_THREADS"] == "1" and facts["settings"]["CUPRUM_DEFER"] == "0"


def test_a_toolkit_is_found(tmp_path):
    facts = json.loads(info("--json", CUDA_PATH=str(tmp_path)))["cuda"]
    assert facts["toolkit"] == str(tmp_path)


def test_what_is_missing_comes_with_what_to_do_about_it():
    libraries = json.loads(info("--json"))["cuda"]["libraries"]
    assert libraries.keys() >= {"NVRTC", "cuBLAS", "cuFFT", "cuSOLVER"}
    for title, found in libraries.items():
        if "missing" in found:
            # A driver without a GPU is no matter of installing.
            assert "install" in found["missing"] or "found no GPU" in found["missing"], title
        else:
            assert found["version"] and os.path.isfile(found["path"]), title


def test_a_device_that_cannot_be_had_is_said_to_be_missing():
    text = info(CUPRUM_DEVICE="cuda:63")
    line = next(line for line in text.splitlines() if line.startswith("device"))
    assert "cuda:63: " in line and "cannot be had" in line


def test_the_version():
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "--version"], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"cuprum {cuprum.__version__}\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_may_leave_early():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "cuprum", "info"], stdout=write, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")
