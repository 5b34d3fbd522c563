"""The plots of the performance guide, as SVG, from the committed tables of `benches/RESULTS.md`."""

from __future__ import annotations

import html
import math
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benches" / "RESULTS.md"

COLOURS = {
    "NumPy": "#6d675f",
    "SciPy": "#6d675f",
    "CuPy": "#6d675f",
    "PyTorch": "#c9a227",
    "JAX": "#3b6ea5",
    "Cuprum": "#b4561f",
}
PLOT, RIGHT, BAR, LETTER = 440, 70, 13, 6.6


def pictures() -> dict[str, str]:
    """Return the text of every picture by its path from the repository's root."""
    sections = _sections(RESULTS.read_text(encoding="utf-8"))
    cpu, library, gpu = (sections[name] for name in ("cpu", "library", "gpu"))
    return {
        "docs/plots/cpu.svg": _bars(
            "Times faster than NumPy, 10,000,000 elements of float64, two threads",
            [
                (_plain(row["row"]), {"Cuprum": float(row["speed-up"])})
                for row in cpu
                if row.get("dtype") == "float64" and "speed-up" in row and "matmul" not in row["row"]
            ],
        ),
        "docs/plots/library.svg": _bars(
            "Times faster than NumPy or SciPy: library calls, two threads",
            [(row["row"], {"Cuprum": float(row["speed-up"])}) for row in library if "speed-up" in row],
        ),
        "docs/plots/gpu.svg": _bars(
            "Times faster than CuPy on an NVIDIA H200",
            [
                (f"{_plain(row['row'])}, {row['size']}", _beside_cupy(row))
                for row in gpu
                if row.get("") == "ms" and row["CuPy"] != "–"
            ],
        ),
    }


def _sections(text: str) -> dict[str, list[dict[str, str]]]:
    """Return the rows of the tables between markers, by the marker's name."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, body in re.findall(r"<!-- (\w+): written by.*?-->\n(.*?)<!-- end of \1 -->", text, re.DOTALL):
        rows: list[dict[str, str]] = []
        head: list[str] = []
        for line in body.splitlines():
            if not line.startswith("|"):
                head = []
                continue
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not head:
                head = cells
            elif not set(line) <= set("|-: "):
                rows.append(dict(zip(head, cells, strict=True)))
        found[name] = rows
    return found


def _plain(cell: str) -> str:
    return cell.replace("`", "")


def _beside_cupy(row: dict[str, str]) -> dict[str, float]:
    base = float(row["CuPy"])
    names = [name for name in ("PyTorch", "JAX", "Cuprum") if row[name] != "–"]
    return {name: base / float(row[name]) for name in names}


def _bars(title: str, rows: list[tuple[str, dict[str, float]]]) -> str:
    """Return a picture of bars on a logarithmic scale; the line at 1 is the library compared with."""
    values = [value for _, row in rows for value in row.values()]
    low, high = min(0.5, *values), max(values)
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    legend = 26 if len(names) > 1 else 0
    left = 20 + round(LETTER * max(len(label) for label, _ in rows))
    width = left + PLOT + RIGHT

    def x(value: float) -> float:
        part = (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
        return left + part * PLOT

    parts, top = [], 44 + legend
    for label, row in rows:
        height = BAR * len(row)
        middle = top + height / 2 + 4
        parts.append(f'<text x="{left - 8}" y="{middle:.1f}" text-anchor="end">{html.escape(label)}</text>')
        for name, value in row.items():
            start, end = sorted((x(1), x(value)))
            parts.append(
                f'<rect x="{start:.1f}" y="{top}" width="{end - start:.1f}" height="{BAR - 2}" '
                f'fill="{COLOURS[name]}"/><text x="{max(end, x(1)) + 4:.1f}" y="{top + BAR - 3}" '
                f'font-size="10">{value:.3g}</text>'
            )
            top += BAR
        top += 7
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if low <= tick <= high]
    grid = "".join(
        f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{38 + legend}" y2="{top}" '
        f'stroke="{"#22201d" if tick == 1 else "#e2ddd5"}"/>'
        f'<text x="{x(tick):.1f}" y="{top + 14}" text-anchor="middle">{tick:g}</text>'
        for tick in ticks
    )
    key = "".join(
        f'<rect x="{left + 110 * at}" y="34" width="14" height="11" fill="{COLOURS[name]}"/>'
        f'<text x="{left + 20 + 110 * at}" y="44">{name}</text>'
        for at, name in enumerate(names)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + 24}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#22201d" role="img">'
        f"<title>{html.escape(title)}</title>"
        f'<rect width="{width}" height="{top + 24}" fill="#fff"/>'
        f'<text x="12" y="22" font-size="14" font-weight="600">{html.escape(title)}</text>'
        f"{key if legend else ''}{grid}{''.join(parts)}</svg>\n"
    )
