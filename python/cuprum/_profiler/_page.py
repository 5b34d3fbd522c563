"""A profile as one page for a browser, which needs nothing beside it."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from ._events import Event, device_times
from ._table import KINDS, kind_name, size

if TYPE_CHECKING:
    from ._profile import Profile

__all__ = ["page"]

MAX_BARS = 6000
"""Bars of the timeline; shorter events are joined with their neighbours first."""
MAX_POINTS = 600
_MAX_LINES = 25
_MAX_PROGRAMS = 25


def page(profile: Profile) -> str:
    """Return the page."""
    text = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    parts = {
        "title": f"Profile of {_milliseconds(profile.seconds)} on {html.escape(profile.device)}",
        "facts": _facts(profile),
        "advice": _advice(profile),
        "memory": _memory(profile.memory),
        "lines": _lines(profile),
        "programs": _programs(profile),
        "data": _embedded(_timeline(profile)),
    }
    for name, part in parts.items():
        text = text.replace(f"<!--{name}-->", part)
    return text


def _embedded(value: Any) -> str:
    """Return a value as JSON that cannot end the script that it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _milliseconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"


def _facts(profile: Profile) -> str:
    total = profile.seconds or 1e-9
    cells = []
    for kind, count, seconds, moved in profile.totals():
        note = f"{_milliseconds(seconds)}, {seconds / total:.0%}" if kind != "allocate" else size(moved)
        name = html.escape(kind_name(kind, count))
        cells.append(f'<div class="fact"><b>{count:,}</b><span>{name}</span><small>{note}</small></div>')
    peak = max(used for _, used in profile.memory)
    cells.append(f'<div class="fact"><b>{size(peak)}</b><span>peak memory</span><small>in use</small></div>')
    if profile.lost:
        cells.append(
            f'<div class="fact"><b>{profile.lost:,}</b><span>events not kept</span><small>too '
            f"many</small></div>"
        )
    return "".join(cells)


def _advice(profile: Profile) -> str:
    items = []
    for advice in profile.advice:
        where = ""
        if advice.line is not None:
            code = html.escape(advice.line.text or advice.line.function)
            where = f'<p class="where"><span>{html.escape(advice.line.place)}</span><code>{code}</code></p>'
        time = f"<em>{_milliseconds(advice.seconds)}</em>" if advice.seconds else ""
        items.append(
            f'<li data-kind="{html.escape(advice.kind)}"><h3>{html.escape(advice.title)}{time}</h3>{where}'
            f"<p>{_with_code(advice.text)}</p></li>"
        )
    if not items:
        return '<p class="none">None of the habits that this page knows was found.</p>'
    return f"<ol>{''.join(items)}</ol>"


def _with_code(text: str) -> str:
    """Return a text in which what stands between backquotes is code."""
    parts = html.escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _lines(profile: Profile) -> str:
    total = (profile.seconds or 1e-9) * 1e9
    rows = []
    for cost in profile.lines[:_MAX_LINES]:
        share = cost.nanoseconds / total
        code = html.escape(cost.line.text or cost.line.function)
        rows.append(
            f'<tr><td class="n">{cost.nanoseconds / 1e6:,.3f}</td>'
            f'<td class="n"><i class="bar" style="width:{min(share, 1) * 100:.1f}%"></i>{share:.1%}</td>'
            f'<td class="n">{cost.count:,}</td><td class="n">{size(cost.bytes)}</td>'
            f"<td>{html.escape(cost.line.place)}</td><td><code>{code}</code></td></tr>"
        )
    return "".join(rows) or '<tr><td colspan="6">nothing was recorded</td></tr>'


def _programs(profile: Profile) -> str:
    found: dict[tuple[str, str], list[Event]] = {}
    for event in profile.events:
        if event.kind in ("program", "call", "kernel", "compile"):
            found.setdefault((event.kind, event.name), []).append(event)
    times = {one: sum(event.duration * event.weight for event in events) for one, events in found.items()}
    rows = []
    for kind, name in sorted(found, key=lambda one: -times[one])[:_MAX_PROGRAMS]:
        events = found[kind, name]
        places = sorted({line.place for event in events for line in event.sources})
        time, count = times[kind, name] / 1e6, sum(event.weight for event in events)
        rows.append(
            f'<tr><td class="n">{time:,.3f}</td><td '
            f'class="n">{count:,}</td><td>{html.escape(KINDS[kind])}</td>'
            f"<td><code>{html.escape(name)}</code></td>"
            f"<td>{html.escape(', '.join(places[:6]))}{' ...' if len(places) > 6 else ''}</td></tr>"
        )
    return "".join(rows) or '<tr><td colspan="5">nothing ran</td></tr>'


def _memory(points: Sequence[tuple[float, int]]) -> str:
    """Return the bytes in use over time as a drawing."""
    width, height, left, bottom = 1000, 200, 130, 34
    end = points[-1][0] or 1e-9
    peak = max(max(used for _, used in points), 1)
    shown = _thinned(points)

    def x(seconds: float) -> float:
        return left + (width - left - 8) * min(seconds / end, 1)

    def y(used: float) -> float:
        return 24 + (height - bottom - 24) * (1 - max(used, 0) / peak)

    steps = []
    before = shown[0][1]
    for seconds, used in shown:
        steps += [f"{x(seconds):.1f},{y(before):.1f}", f"{x(seconds):.1f},{y(used):.1f}"]
        before = used
    outline = " ".join(steps)
    base = height - bottom
    ticks = "".join(
        f'<line class="grid" x1="{left}" x2="{width - 8}" y1="{y(peak * part):.1f}" '
        f'y2="{y(peak * part):.1f}"/>'
        f'<text x="{left - 8}" y="{y(peak * part) + 4:.1f}" text-anchor="end">{size(peak * part)}</text>'
        for part in (0, 0.5, 1)
    )
    times = "".join(
        f'<text x="{x(end * part):.1f}" y="{height - 6}" '
        f'text-anchor="{anchor}">{_milliseconds(end * part)}</text>'
        for part, anchor in ((0, "start"), (0.5, "middle"), (1, "end"))
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="memory over time, peak '
        f'{size(peak)}">{ticks}'
        f'<polygon class="area" points="{left},{base} {outline} {x(end):.1f},{base}"/>'
        f'<polyline class="edge" points="{outline}"/>{times}</svg>'
    )


def _thinned(points: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return at most some hundred points: of each stretch the lowest and the highest."""
    if len(points) <= MAX_POINTS:
        return list(points)
    stretch = -(-len(points) * 2 // MAX_POINTS)
    kept = []
    for at in range(0, len(points), stretch):
        part = points[at : at + stretch]
        kept += sorted({min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])})
    return [points[0], *kept, points[-1]]


def _timeline(profile: Profile) -> dict[str, Any]:
    """Return the bars of the timeline: lanes, and for each bar its lane, start, length, kind,
    name and place."""
    lanes: list[str] = []
    bars: list[tuple[str, float, float, str, str, str]] = []
    depths: dict[int, list[int]] = {}
    for event, there in zip(profile.events, device_times(profile.events), strict=True):
        if event.kind in ("allocate", "free"):
            continue
        stack = depths.setdefault(event.thread, [])
        while stack and stack[-1] <= event.start:
            stack.pop()
        inner = f" ({len(stack)} inside)" if stack else ""
        stack.append(event.end)
        place = ", ".join(line.place for line in event.sources[:4])
        lane = f"thread {event.thread}{inner}"
        bars.append((lane, event.start / 1e6, event.duration / 1e6, event.kind, event.name, place))
        if there is not None:
            begin, end = there
            bars.append((str(event.device), begin / 1e6, (end - begin) / 1e6, event.kind, event.name, place))
    lanes = sorted({bar[0] for bar in bars})
    joined = _joined(bars, profile.seconds * 1e3)
    names = sorted({text for bar in joined for text in bar[3:]})
    number = {name: at for at, name in enumerate(names)}
    return {
        "total": profile.seconds * 1e3,
        "lanes": lanes,
        "texts": names,
        "kinds": KINDS,
        "bars": [
            [lanes.index(lane), round(start, 5), round(length, 5), *(number[text] for text in texts)]
            for lane, start, length, *texts in joined
        ],
    }


def _joined(
    bars: list[tuple[str, float, float, str, str, str]], total: float
) -> list[tuple[str, float, float, str, str, str]]:
    """Return the bars, the shortest joined with neighbours of their kind until there are not too many."""
    gap = total / 4000
    while len(bars) > MAX_BARS:
        last: dict[str, int] = {}
        kept: list[tuple[str, float, float, str, str, str]] = []
        for bar in bars:
            lane, start, length, kind, name, place = bar
            at = last.get(lane)
            if at is not None and length <= gap:
                _, before, extent, known, old_name, old_place = kept[at]
                if known == kind and extent <= 20 * gap and start - before - extent <= gap:
                    label = old_name if old_name == name else "several"
                    where = old_place if old_place == place else ""
                    kept[at] = (lane, before, start + length - before, kind, label, where)
                    continue
            last[lane] = len(kept)
            kept.append(bar)
        if len(kept) == len(bars) and gap > total:
            return bars[:MAX_BARS]
        bars, gap = kept, gap * 2
    return bars
