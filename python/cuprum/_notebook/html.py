"""Arrays in a notebook: facts, a small table, a picture of two dimensions, a line of one. Static,
without scripts."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import Any

import numpy as np

from .._core import ndarray
from .._dtypes import is_bfloat16

__all__ = ["array_html", "png"]

_MAX_CELLS = 8
"""Rows and columns that a table shows at most."""
_MAX_PIXELS = 256
_MAX_POINTS = 240
_PICTURE_MIN_LENGTH = 16
"""Lengths of both axes from which on a picture says more than a table."""

_DARK, _MIDDLE, _LIGHT = (43, 18, 60), (180, 86, 31), (253, 236, 190)


def array_html(a: ndarray) -> str:
    """Return an array as HTML."""
    size = _bytes(a.nbytes)
    facts = f"{'x'.join(map(str, a.shape)) or 'single element'} · {a.dtype} · {_device(a)} · {size}"
    parts = [f'<div style="font-size:0.9em;opacity:0.75;margin-bottom:4px">{html.escape(facts)}</div>']
    shown = a.astype(np.float32) if is_bfloat16(a.dtype) else a
    drawing = _drawing(shown)
    if drawing:
        parts.append(drawing)
    if not drawing or a.ndim == 1:
        parts.append(_table(shown))
    return f"<div>{''.join(parts)}</div>"


def _device(a: ndarray) -> str:
    return "CPU" if a.device == "cpu" else f"GPU {a.device.id}"


def _bytes(count: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if count < 1024:
            return f"{count:.4g} {unit}"
        count /= 1024
    return f"{count:.4g} GB"


def _drawing(a: ndarray) -> str:
    """Return a picture or a line, empty where the array has none."""
    kind = np.dtype(a.dtype).kind
    if kind not in "biuf" or a.size == 0:
        return ""
    if a.ndim == 1 and len(a) >= _PICTURE_MIN_LENGTH:
        return _sparkline(_samples(a))
    if a.ndim == 2 and min(a.shape) >= _PICTURE_MIN_LENGTH:
        return _image(_coloured(_pixels(a)))
    if a.ndim == 3 and a.shape[2] in (3, 4) and min(a.shape[:2]) >= _PICTURE_MIN_LENGTH:
        return _image(_as_colours(_pixels(a)))
    return ""


def _pixels(a: ndarray) -> np.ndarray:
    """Return the elements at the pixels' places: they alone are moved."""
    rows, columns = (-(-length // _MAX_PIXELS) for length in a.shape[:2])
    return np.asarray(a[::rows, ::columns].get())


def _samples(a: ndarray) -> np.ndarray:
    """Return the lowest and the highest value of each stretch, in turn."""
    if len(a) <= 2 * _MAX_POINTS:
        return np.asarray(a.get(), dtype=float)
    stretch = len(a) // _MAX_POINTS
    whole = a[: stretch * _MAX_POINTS].reshape(_MAX_POINTS, stretch)
    both = np.stack([whole.min(axis=1).get(), whole.max(axis=1).get()], axis=1)
    return np.asarray(both, dtype=float).ravel()


def _coloured(values: np.ndarray) -> np.ndarray:
    """Return one value a pixel as colours from dark to light; what is not finite is grey."""
    numbers = values.astype(float)
    finite = np.isfinite(numbers)
    low, high = (numbers[finite].min(), numbers[finite].max()) if finite.any() else (0.0, 0.0)
    with np.errstate(all="ignore"):
        level = np.where(finite, (numbers - low) / (high - low) if high > low else 0.5, 0)
    stops = np.array([_DARK, _MIDDLE, _LIGHT], dtype=float)
    colours = np.stack([np.interp(level, [0, 0.5, 1], stops[:, channel]) for channel in range(3)], axis=-1)
    colours[~finite] = 128
    return colours.astype(np.uint8)


def _as_colours(values: np.ndarray) -> np.ndarray:
    """Return red, green, blue and perhaps opacity as bytes: integers up to 255, other numbers from 0 to 1."""
    if values.dtype.kind == "f":
        values = np.nan_to_num(values, nan=0.5, posinf=1, neginf=0) * 255
    elif values.dtype.kind == "b":
        values = values * 255
    colours: np.ndarray = np.clip(values, 0, 255).astype(np.uint8)
    return colours


def png(colours: np.ndarray) -> bytes:
    """Return bytes of shape (height, width, 3 or 4) as a PNG file."""
    height, width, channels = colours.shape
    rows = np.zeros((height, 1 + width * channels), dtype=np.uint8)  # Each row begins with its filter, 0.
    rows[:, 1:] = colours.reshape(height, -1)

    def chunk(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)

    about = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
    parts = [chunk(b"IHDR", about), chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _image(colours: np.ndarray) -> str:
    height, width = colours.shape[:2]
    scale = max(1, 192 // max(height, width))
    text = base64.b64encode(png(np.ascontiguousarray(colours))).decode()
    return (
        f'<img alt="the array as a picture" width="{width * scale}" height="{height * scale}" '
        f'style="image-rendering:pixelated" src="data:image/png;base64,{text}">'
    )


def _sparkline(values: np.ndarray) -> str:
    width, height = 360, 48
    finite = np.isfinite(values)
    if not finite.any():
        return ""
    low, high = values[finite].min(), values[finite].max()
    across = width / max(len(values) - 1, 1)
    points = []
    for at, value in enumerate(values):
        if np.isfinite(value):
            up = (value - low) / (high - low) if high > low else 0.5
            points.append(f"{at * across:.1f},{2 + (height - 4) * (1 - up):.1f}")
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="from {low:.6g} to {high:.6g}"><polyline fill="none" stroke="#b4561f" '
        f'stroke-width="1.3" '
        f'points="{" ".join(points)}"/></svg>'
        f'<div style="font-size:0.85em;opacity:0.75">{low:.6g} to {high:.6g}</div>'
    )


def _chosen(length: int) -> list[int | None]:
    """Return the places of an axis that are shown, None for those left out."""
    if length <= _MAX_CELLS:
        return list(range(length))
    half = _MAX_CELLS // 2
    return [*range(half), None, *range(length - half, length)]


def _table(a: ndarray) -> str:
    """Return the corners of an array as a table; of more than two axes as NumPy's text."""
    if a.ndim not in (1, 2) or a.size == 0:
        return f"<pre>{html.escape(str(a))}</pre>"
    rows: list[int | None] = [0] if a.ndim == 1 else _chosen(a.shape[0])
    columns = _chosen(a.shape[-1])
    table = a.reshape(1, -1) if a.ndim == 1 else a
    kept_rows = [row for row in rows if row is not None]
    kept_columns = [column for column in columns if column is not None]
    values = np.asarray(table[kept_rows][:, kept_columns].get())

    def cell(row: int | None, column: int | None) -> str:
        if row is None or column is None:
            return "<td>...</td>"
        value: Any = values[kept_rows.index(row), kept_columns.index(column)]
        return f'<td style="text-align:right">{html.escape(_number(value))}</td>'

    body = "".join(f"<tr>{''.join(cell(row, column) for column in columns)}</tr>" for row in rows)
    return f'<table style="font-variant-numeric:tabular-nums"><tbody>{body}</tbody></table>'


def _number(value: Any) -> str:
    kind = np.dtype(type(value)).kind
    if kind in "iub":
        return str(value)
    if kind == "f" and (value == 0 or 1e-4 <= abs(value) < 1e6):
        return np.format_float_positional(value, precision=6, trim="-")
    return f"{value:.6g}"
