#!/usr/bin/env python3
"""`zig` for `make wheel`: links a shared library so that functions with much code in common lie side by side.

A wheel is packed by deflate, which finds what repeats within 32 KiB. The same loop compiled for many dtypes
lies megabytes apart in the order of crates; in this order the packed library is an eighth smaller. Functions
of the very same code become one: Rust promises no addresses of their own to functions. Nothing else about it
changes. Whatever is no link of a shared library is zig's own business.

maturin finds this by `CARGO_ZIGBUILD_ZIG_COMMAND`. The library is linked twice: first to see its functions.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ZIG = [sys.executable, "-m", "ziglang"]
STRIP = ("-Wl,--strip-all", "-Wl,--strip-debug", "-s", "-Wl,-s")
WIDTH = np.dtype(np.uint32).itemsize
"""Bytes of a piece of code that two functions may share."""
COMMON = 1000
"""Pieces of more functions than this say nothing about which are alike."""
WINDOW = 28_000
"""The code before a function that it is compared with: a little less than what deflate looks back."""
LITTLE = 0.02
"""A function that has less than this of its pieces in common is not alike."""
FURTHER = 60
"""Pieces in common with none that every function is taken to have: long ones come before short ones."""


def main() -> int:
    arguments = [word for given in sys.argv[1:] for word in expanded(given)]
    if arguments[:1] != ["cc"] or "-shared" not in arguments:
        return subprocess.run([*ZIG, *sys.argv[1:]]).returncode
    stripped = any(word in STRIP for word in arguments)
    output = Path(arguments[arguments.index("-o") + 1])
    plain = [word for word in arguments if word not in STRIP]
    first = subprocess.run(
        [*ZIG, *plain], env={**os.environ, "ZIG_VERBOSE_LINK": "1"}, stderr=subprocess.PIPE, text=True
    )
    said = first.stderr.splitlines(True)
    sys.stderr.write("".join(line for line in said if not line.startswith(("ld.lld ", "ar rcs "))))
    links = [line for line in first.stderr.splitlines() if line.startswith("ld.lld ")]
    if first.returncode or not links:
        return first.returncode
    with tempfile.NamedTemporaryFile("w", suffix=".order") as order:
        order.write("\n".join(ordered(functions(output))))
        order.flush()
        command = [
            *ZIG,
            *shlex.split(links[-1]),
            "--no-warn-symbol-ordering",
            f"--symbol-ordering-file={order.name}",
            "--icf=all",
        ]
        return subprocess.run([*command, *(["--strip-all"] if stripped else [])]).returncode


def expanded(argument: str) -> list[str]:
    """The arguments that a linker's `@file` stands for; any other stands for itself."""
    if not argument.startswith("@") or not os.path.isfile(argument[1:]):
        return [argument]
    return shlex.split(Path(argument[1:]).read_text())


def functions(library: Path) -> list[tuple[str, bytes]]:
    """The names and the code of a 64-bit ELF file's functions, in the order of their addresses."""
    data = library.read_bytes()
    sections = section_headers(data)
    (symbols,) = (one for one in sections if one["type"] == 2)
    names = sections[symbols["link"]]
    text = data[names["offset"] : names["offset"] + names["size"]]
    dtype = [
        ("name", "<u4"),
        ("info", "u1"),
        ("other", "u1"),
        ("section", "<u2"),
        ("value", "<u8"),
        ("size", "<u8"),
    ]
    entries = np.frombuffer(data, dtype, symbols["size"] // 24, symbols["offset"])
    chosen = entries[((entries["info"] & 15) == 2) & (entries["section"] > 0) & (entries["size"] > 0)]
    chosen = chosen[np.argsort(chosen["value"], kind="stable")]
    found, last = [], -1
    for entry in chosen:
        address, size = int(entry["value"]), int(entry["size"])
        if address == last:  # another name of the same code
            continue
        last = address
        section = sections[int(entry["section"])]
        at = address - section["address"] + section["offset"]
        start = int(entry["name"])
        found.append((text[start : text.index(b"\0", start)].decode(), data[at : at + size]))
    return found


def section_headers(data: bytes) -> list[dict[str, int]]:
    """What a 64-bit ELF file says of its sections."""
    offset, count = int.from_bytes(data[0x28:0x30], "little"), int.from_bytes(data[0x3C:0x3E], "little")
    fields = {"type": (4, 4), "address": (16, 8), "offset": (24, 8), "size": (32, 8), "link": (40, 4)}
    headers = [data[at : at + 64] for at in range(offset, offset + 64 * count, 64)]
    return [
        {name: int.from_bytes(one[at : at + size], "little") for name, (at, size) in fields.items()}
        for one in headers
    ]


def pieces(code: bytes) -> np.ndarray:
    """The pieces of a function's code as numbers, each once."""
    if len(code) < WIDTH:
        return np.zeros(0, np.uint32)
    every = np.lib.stride_tricks.sliding_window_view(np.frombuffer(code, np.uint8), WIDTH)
    return np.unique(np.ascontiguousarray(every).view(np.uint32))


def ordered(found: Sequence[tuple[str, bytes]]) -> list[str]:
    """The names in an order in which each function has most in common with the code just before it."""
    found_pieces = [pieces(code) for _, code in found]
    owners = np.repeat(np.arange(len(found)), [len(own) for own in found_pieces])
    _, numbers, counts = np.unique(np.concatenate(found_pieces), return_inverse=True, return_counts=True)
    telling = (counts[numbers] > 1) & (counts[numbers] < COMMON)
    numbers, owners = numbers[telling], owners[telling]
    # The telling pieces of each function, and the functions of each piece. Owners come in order already.
    bounds = np.searchsorted(owners, np.arange(len(found) + 1))
    by_piece = np.argsort(numbers, kind="stable")
    holders = owners[by_piece]
    starts = np.searchsorted(numbers[by_piece], np.arange(len(counts) + 1))

    def functions_with(chosen: np.ndarray) -> np.ndarray:
        parts = [holders[starts[one] : starts[one + 1]] for one in chosen.tolist()]
        return np.concatenate([holders[:0], *parts])

    in_window = np.zeros(len(counts), np.int32)
    shared = np.zeros(len(found))
    # One by the number of a function's pieces; zero once it is placed.
    weights = 1 / np.array([len(own) + FURTHER for own in found_pieces], float)
    # Where nothing is alike, the next by crate and size follows.
    others = iter(sorted(range(len(found)), key=lambda one: (found[one][0][:30], len(found[one][1]))))
    placed: list[int] = []
    window, first = 0, 0
    while len(placed) < len(found):
        likeness = shared * weights
        chosen = int(np.argmax(likeness))
        if likeness[chosen] < LITTLE:
            chosen = next(one for one in others if weights[one])
        weights[chosen] = 0
        placed.append(chosen)
        own = numbers[bounds[chosen] : bounds[chosen + 1]]
        np.add.at(shared, functions_with(own[in_window[own] == 0]), 1)
        in_window[own] += 1
        window += len(found[chosen][1])
        while window > WINDOW and first < len(placed) - 1:
            window -= len(found[placed[first]][1])
            own = numbers[bounds[placed[first]] : bounds[placed[first] + 1]]
            in_window[own] -= 1
            np.subtract.at(shared, functions_with(own[in_window[own] == 0]), 1)
            first += 1
    return [found[one][0] for one in placed]


if __name__ == "__main__":
    sys.exit(main())
