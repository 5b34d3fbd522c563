"""`cuprum info`: what Cuprum runs on, what of CUDA is there, and how to get what is missing."""

from __future__ import annotations

import json
import os
import platform
from typing import Any

import numpy as np

import cuprum
from cuprum import _core
from cuprum._variables import VARIABLES
from cuprum.cuda import _libraries, _machine, runtime


def facts() -> dict[str, Any]:
    """Return everything that `cuprum info` prints, by section."""
    core = _facts_of_core()
    free, total = _machine.memory()
    pool = cuprum.get_default_memory_pool()
    device = _machine.properties()
    gpus = {f"cuda:{number}": _gpu_facts(number) for number in range(_core.gpu_count())}
    return {
        "versions": {
            "cuprum": core["version"],
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "devices": {
            "cpu": {
                "name": device["name"].decode(errors="replace"),
                "cores": device["multiProcessorCount"],
                "threads": core["threads"],
                "simd": core["simd"],
                "memory_bytes": total,
                "free_bytes": free,
            },
            **gpus,
        },
        "default_device": core["device"],
        "deferred": core["deferred"],
        "pool": None
        if core["problem"]
        else {
            "used_bytes": pool.used_bytes(),
            "free_bytes": pool.free_bytes(),
            "limit_bytes": pool.get_limit() or None,
        },
        "problem": core["problem"],
        "caches": {"kernels": _core.cache_folder()},
        "settings": {name: os.environ[name] for name in VARIABLES if name in os.environ},
        "cuda": {
            "available": runtime.is_available(),
            "toolkit": _libraries.get_cuda_path(),
            "libraries": {
                name: {"missing": missing} if found is None else {"version": found[0], "path": found[1]}
                for name, found, missing in _core.gpu_libraries()
            },
        },
    }


def _facts_of_core() -> dict[str, Any]:
    """Return `cuprum.info()`, also where the device that was asked for cannot be had."""
    try:
        return {"problem": None, **cuprum.info()}
    except RuntimeError as error:
        before = _core.set_device("cpu")
        try:
            return {**cuprum.info(), "device": os.environ.get("CUPRUM_DEVICE"), "problem": str(error)}
        finally:
            _core.set_device(before)


def _gpu_facts(number: int) -> dict[str, Any]:
    """Return what is to be said of a GPU."""
    known = _core.gpu_facts(number)
    free, total = _core.gpu_memory(number)
    major, minor = known["capability"]
    return {
        "name": known["name"],
        "compute_capability": f"{major}.{minor}",
        "multiprocessors": known["multiprocessors"],
        "memory_bytes": total,
        "free_bytes": free,
        "pci_bus_id": known["pci_bus_id"],
    }


def show(as_json: bool) -> int:
    """Print what Cuprum runs on; return the exit status."""
    known = facts()
    if as_json:
        print(json.dumps(known, indent=2))
        return 0
    print(_text(known))
    return 0


def text() -> str:
    """Return what `cuprum info` prints."""
    return _text(facts())


def _text(known: dict[str, Any]) -> str:
    return "\n".join(f"{name:<10}{value}".rstrip() for name, value in _lines(known))


def _lines(known: dict[str, Any]) -> list[tuple[str, str]]:
    versions, cpu, pool, cuda = known["versions"], known["devices"]["cpu"], known["pool"], known["cuda"]
    default = known["devices"].get(known["default_device"])
    name = default["name"] if default else known["problem"]
    lines = [
        ("version", f"{versions['cuprum']} (Python {versions['python']}, NumPy {versions['numpy']})"),
        ("device", f"{known['default_device']}: {name}"),
        ("cpu", cpu["name"]),
        ("threads", f"{cpu['threads']} of {cpu['cores']} cores"),
        ("simd", cpu["simd"]),
        ("memory", f"{_size(cpu['memory_bytes'])}, {_size(cpu['free_bytes'])} free"),
    ]
    for title, gpu in known["devices"].items():
        if title != "cpu":
            memory = f"{_size(gpu['memory_bytes'])}, {_size(gpu['free_bytes'])} free"
            parts = (
                f"compute capability {gpu['compute_capability']}, {gpu['multiprocessors']} multiprocessors"
            )
            lines.append((title, f"{gpu['name']}, {parts}, {memory}"))
    if pool is not None:
        limit = f"limit {_size(pool['limit_bytes'])}" if pool["limit_bytes"] else "no limit"
        used, kept = _size(pool["used_bytes"]), _size(pool["free_bytes"])
        lines.append(("pool", f"{used} used, {kept} kept for reuse, {limit}"))
    lines += [
        ("caches", f"kernels: {known['caches']['kernels'] or 'not kept (CUPRUM_CACHE_DIR is empty)'}"),
        ("deferral", "on" if known["deferred"] else "off (CUPRUM_DEFER=0)"),
        ("settings", ", ".join(f"{name}={value}" for name, value in known["settings"].items()) or "none"),
        ("cuda", f"toolkit: {cuda['toolkit'] or 'not found'}"),
    ]
    for title, found in cuda["libraries"].items():
        text = found["missing"] if "missing" in found else f"{found['version']:<9} {found['path']}"
        lines.append(("", f"{title:<9} {text}"))
    return lines


def _size(count: int) -> str:
    """Return a number of bytes in the unit that suits it."""
    amount = float(count)
    for unit in ("B", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"
