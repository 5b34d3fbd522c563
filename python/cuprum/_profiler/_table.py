"""A profile as text: what `print(p)` shows."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._profile import Profile

__all__ = ["KINDS", "kind_name", "size", "text"]

KINDS = {
    "program": "Programs",
    "small": "small operations",
    "call": "library calls",
    "kernel": "kernels",
    "to_device": "copies to device",
    "to_host": "copies to host",
    "wait": "waits",
    "compile": "compilations",
    "allocate": "allocations",
}
"""What users call the kinds of events."""

_MAX_LINES = 10


def kind_name(kind: str, count: int) -> str:
    """Return what so many events of a kind are called."""
    name = KINDS[kind]
    if count != 1:
        return name
    return name.replace("copies", "copy") if "copies" in name else name.removesuffix("s")


def size(count: float) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit in ("B", "KB", "MB"):
        if abs(count) < 1024:
            return f"{count:,.0f} {unit}" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1024
    return f"{count:,.1f} GB"


def text(profile: Profile) -> str:
    """Return the profile as a table."""
    total = profile.seconds or 1e-9
    out = [f"profile of {profile.seconds:.3f} s on {profile.device}", ""]
    out.append(f"{'':<18}{'count':>9}{'ms':>11}{'share':>8}{'bytes':>12}")
    for kind, count, seconds, moved in profile.totals():
        share = f"{seconds / total:>7.1%}"
        out.append(f"{kind_name(kind, count):<18}{count:>9,}{seconds * 1e3:>11.3f} {share}{size(moved):>12}")
    peak = max(used for _, used in profile.memory)
    out.append(f"{'peak memory':<18}{'':>9}{'':>11}{'':>8}{size(peak):>12}")
    costs = profile.lines[:_MAX_LINES]
    if costs:
        out += ["", f"{'ms':>10}{'share':>8}  costliest lines"]
        for cost in costs:
            milliseconds = cost.nanoseconds / 1e6
            source = f"{cost.line.place}  {cost.line.text}"
            out.append(f"{milliseconds:>10.3f}{milliseconds / total / 1e3:>8.1%}  {source[:100]}")
    found = profile.advice
    out += ["", "advice" if found else "advice: none"]
    for number, advice in enumerate(found, 1):
        place = f"{advice.line.place}: " if advice.line is not None else ""
        wrapped = textwrap.wrap(f"{number}. {place}{advice.title} {advice.text}", 96, subsequent_indent="   ")
        out += wrapped
    if profile.lost:
        out.append(f"{profile.lost:,} more events were not kept")
    return "\n".join(out)
