"""`cuprum info`: what Cuprum runs on, what of CUDA is there, and how to get what is missing."""

from __future__ import annotations

import json
import platform
from typing import Any

import numpy as np

import cuprum
from cuprum.cuda import _libraries, runtime


def facts() -> dict[str, Any]:
    """Return everything that `cuprum info` prints, by section."""
    core = cuprum.info()
    free, total = runtime.memGetInfo()
    pool = cuprum.get_default_memory_pool()
    device = runtime.getDeviceProperties(0)
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
        },
        "default_device": core["device"],
        "deferred": core["deferred"],
        "pool": {
            "used_bytes": pool.used_bytes(),
            "free_bytes": pool.free_bytes(),
            "limit_bytes": pool.get_limit() or None,
        },
        "caches": {"kernels": None},
        "cuda": {
            "available": runtime.is_available(),
            "toolkit": _libraries.get_cuda_path(),
            "found": {part.title: _libraries.find(part) for part in _libraries.LIBRARIES},
            "install": {part.title: part.install for part in _libraries.LIBRARIES},
        },
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
    limit = pool["limit_bytes"]
    lines = [
        ("version", f"{versions['cuprum']} (Python {versions['python']}, NumPy {versions['numpy']})"),
        ("device", f"{known['default_device']}: {cpu['name']}"),
        ("threads", f"{cpu['threads']} of {cpu['cores']} cores"),
        ("simd", cpu["simd"]),
        ("memory", f"{_size(cpu['memory_bytes'])}, {_size(cpu['free_bytes'])} free"),
        (
            "pool",
            f"{_size(pool['used_bytes'])} used, {_size(pool['free_bytes'])} kept for reuse, "
            + (f"limit {_size(limit)}" if limit else "no limit"),
        ),
        ("caches", "none: the CPU's lanes are compiled in"),
        ("deferral", "on" if known["deferred"] else "off (CUPRUM_DEFER=0)"),
        ("cuda", f"no CUDA device in this version; toolkit: {cuda['toolkit'] or 'not found'}"),
    ]
    for title, path in cuda["found"].items():
        lines.append(("", f"{title:<9} {path or 'not found: ' + cuda['install'][title]}"))
    return lines


def _size(count: int) -> str:
    """Return a number of bytes in the unit that suits it."""
    amount = float(count)
    for unit in ("B", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"
