"""Pictures without a library for them: PNG files, and line charts as SVG."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import cuprum as cp

PALETTE = ("#b4532a", "#2a6fb4", "#3d8b47", "#7a4fa3")


def write_png(path: Path | str, pixels: Any) -> Path:
    """Write an image: uint8, of shape (height, width) for grey or (height, width, 3) for colour."""
    image = np.ascontiguousarray(cp.asnumpy(pixels))
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise ValueError(
            f"write_png: uint8 of (height, width[, 3]) is needed, not {image.dtype} of {image.shape}"
        )
    height, width = image.shape[:2]
    lines = image.reshape(height, -1)
    # Each line begins with the number of its filter: 0, none.
    raw = np.concatenate([np.zeros((height, 1), np.uint8), lines], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if image.ndim == 3 else 0, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path = Path(path)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


def to_grey(values: Any) -> Any:
    """Stretch an array of numbers over the 256 greys."""
    low, high = values.min(), values.max()
    scaled = (values - low) / cp.maximum(high - low, 1e-30)
    return (scaled * 255).astype(cp.uint8)


def to_colour(values: Any) -> Any:
    """Map numbers from 0 to 1 to a palette that runs from black over copper to white."""
    red = cp.clip(values * 2.2, 0, 1)
    green = cp.clip(values * 1.6 - 0.25, 0, 1)
    blue = cp.clip(values * 2.4 - 1.4, 0, 1)
    return (cp.stack([red, green, blue], axis=-1) * 255).astype(cp.uint8)


def write_chart(
    path: Path | str, title: str, x: list[float], series: dict[str, list[float]], units: str
) -> Path:
    """Write lines over logarithmic axes as an SVG file."""
    width, height, margin = 640, 400, 60
    logs_x = np.log10(np.asarray(x, float))
    logs_y = {name: np.log10(np.maximum(values, 1e-6)) for name, values in series.items()}
    every = np.concatenate(list(logs_y.values()))
    low, high = float(np.floor(every.min())), float(np.ceil(every.max()))

    def place(log_x: float, log_y: float) -> tuple[float, float]:
        across = (log_x - logs_x[0]) / max(logs_x[-1] - logs_x[0], 1e-9)
        up = (log_y - low) / max(high - low, 1e-9)
        return margin + across * (width - 2 * margin), height - margin - up * (height - 2 * margin)

    def text(x: float, y: float, words: str, **style: Any) -> str:
        shown = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in style.items())
        return f'<text x="{x:.1f}" y="{y:.1f}" {shown}>{words}</text>'

    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        text(width / 2, 24, title, text_anchor="middle", font_size=16),
        text(14, height / 2, units, font_size=12, transform=f"rotate(-90 14 {height / 2})"),
    ]
    for power in range(int(low), int(high) + 1):
        _, y = place(logs_x[0], power)
        parts.append(f'<line x1="{margin}" x2="{width - margin}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(margin - 8, y + 4, f"1e{power}", text_anchor="end", font_size=11))
    for value, log_x in zip(x, logs_x, strict=True):
        at, _ = place(float(log_x), low)
        parts.append(text(at, height - margin + 18, f"{value:,.0f}", text_anchor="middle", font_size=11))
    for number, (name, logs) in enumerate(logs_y.items()):
        colour = PALETTE[number % len(PALETTE)]
        places = [place(float(a), float(b)) for a, b in zip(logs_x, logs, strict=True)]
        points = " ".join(f"{across:.1f},{down:.1f}" for across, down in places)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(margin + 12, 50 + 18 * number, name, fill=colour, font_size=13))
    path = Path(path)
    path.write_text("\n".join([*parts, "</svg>"]), encoding="utf-8")
    return path
