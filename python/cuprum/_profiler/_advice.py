"""Advice: habits that make programs slow, found in what was profiled, each with the line to change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ._events import Event, Line, self_times

__all__ = ["Advice", "advise"]

_MEGABYTE = 1 << 20
MANY_ELEMENTS = 20
"""Single values that one line may look at without a word."""
MANY_SMALL = 300
"""Small operations that one line may do without a word."""
SMALL_ELEMENTS = 4096
MANY_COMPILATIONS = 3
MANY_TRANSFERS = 4
MANY_KEPT = 8


class Advice(NamedTuple):
    """One thing to change.

    Attributes
    ----------
    kind : str
        Which habit it is.
    line : Line or None
        Where.
    title : str
        What was seen.
    text : str
        What to do.
    seconds : float
        The time that it took, as far as it is known.
    """

    kind: str
    line: Line | None
    title: str
    text: str
    seconds: float


Rule = Callable[[Sequence[Event], Sequence[int], bool], Iterator[Advice]]


def advise(events: Sequence[Event], transfers_matter: bool) -> list[Advice]:
    """Return what should be changed, the costliest first.

    `transfers_matter` says that host and device have memories of their own: on a GPU, or under its rules.
    """
    times = self_times(events)
    found = [advice for rule in _RULES for advice in rule(events, times, transfers_matter)]
    return sorted(found, key=lambda advice: -advice.seconds)


def _count(events: Sequence[Event], found: Sequence[int]) -> int:
    """Return how many pieces of work these events stand for."""
    return sum(events[at].weight for at in found)


def _times(events: Sequence[Event], found: Sequence[int]) -> str:
    """Return how often it was, which a sample tells nearly."""
    is_sample = any(events[at].weight > 1 for at in found)
    return f"{'about ' if is_sample else ''}{_counted(_count(events, found), 'time', 'times')}"


def _bytes(events: Sequence[Event], found: Sequence[int]) -> int:
    return sum(events[at].bytes * events[at].weight for at in found)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _megabytes(count: int) -> str:
    return f"{count / _MEGABYTE:,.1f} MB"


def _sent_again(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """The same array sent more than once."""
    sent: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        if event.kind == "to_device" and event.bytes >= 1 << 16 and event.fingerprint:
            sent[event.address, event.bytes, event.fingerprint].append(at)
    again: dict[Line | None, list[int]] = defaultdict(list)
    for copies in sent.values():
        for at in copies[1:]:
            again[events[at].line].append(at)
    for line, copies in again.items():
        total = sum(events[at].bytes for at in copies)
        yield Advice(
            "sent again",
            line,
            f"The same array is copied to the device again: {_counted(len(copies), 'copy', 'copies')} "
            f"of {_megabytes(total)} in all.",
            "Copy it once, before the loop, and use the array on the device: b = cp.asarray(a).",
            sum(times[at] for at in copies) / 1e9,
        )


def _single_values(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Single values looked at in a loop."""
    looks: dict[Line, list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        if event.kind == "to_host" and event.name == "element" and event.line is not None:
            looks[event.line].append(at)
    for line, found in looks.items():
        if _count(events, found) >= MANY_ELEMENTS:
            yield Advice(
                "single values",
                line,
                f"One value at a time is read {_times(events, found)}, and the program waits for each.",
                "float(), int(), .item() and `if array:` wait for the result. Keep values in "
                "arrays, compute with "
                "them there, and look once at the end: cp.where instead of if, or .get() of the whole array.",
                sum(times[at] for at in found) / 1e9,
            )


def _small_work(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Hundreds of operations on few elements."""
    small: dict[Line, list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        is_small = event.kind == "small" or (event.kind == "program" and 0 < event.elements <= SMALL_ELEMENTS)
        if is_small and event.sources:
            small[event.sources[0]].append(at)
    for line, found in small.items():
        count = _count(events, found)
        if count >= MANY_SMALL:
            yield Advice(
                "small work",
                line,
                f"About {count:,} operations on at most {SMALL_ELEMENTS:,} elements.",
                "Each costs more to start than to compute. Do them all in one call over a larger "
                "array, by slices or "
                "another axis instead of a loop.",
                sum(times[at] for at in found) / 1e9,
            )


def _widened(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Elements of float32 that are computed in float64."""
    for line, found in _by_line(events, lambda event: event.kind == "program" and event.widened).items():
        if _bytes(events, found) >= _MEGABYTE:
            yield Advice(
                "float64",
                line,
                f"float32 elements are converted to float64 here, in "
                f"{_counted(_count(events, found), 'pass', 'passes')}.",
                "float64 takes twice the memory, and on most GPUs far more time. Give the other "
                "operand in float32 "
                "(dtype=cp.float32, x.astype(cp.float32)), unless the digits are needed.",
                sum(times[at] for at in found) / 1e9,
            )


def _strided(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Elements that are not neighbours in memory."""
    found_by = _by_line(events, lambda event: event.kind == "program" and event.strided)
    for line, found in found_by.items():
        if _count(events, found) > 1 and _bytes(events, found) >= _MEGABYTE:
            yield Advice(
                "strided",
                line,
                f"An array whose elements lie apart in memory is read {_times(events, found)}.",
                "Whole cache lines are brought for a few of their bytes. Copy it once with "
                "cp.ascontiguousarray(view), or order the axes so that the one that varies fastest "
                "is the last.",
                sum(times[at] for at in found) / 1e9,
            )


def _pageable(events: Sequence[Event], times: Sequence[int], matters: bool) -> Iterator[Advice]:
    """Large copies from memory that is not page-locked."""
    if not matters:
        return
    copies: dict[Line, list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        large = event.kind == "to_device" and event.bytes >= _MEGABYTE
        if large and not event.page_locked and event.line is not None:
            copies[event.line].append(at)
    for line, found in copies.items():
        if len(found) >= MANY_TRANSFERS:
            total = sum(events[at].bytes for at in found)
            yield Advice(
                "pageable",
                line,
                f"{len(found):,} copies of {_megabytes(total)} in all come from pageable memory.",
                "They pass through page-locked blocks first. Fill arrays of "
                "cupyx.empty_pinned(shape, dtype), or of "
                "cp.cuda.alloc_pinned_memory, and copy from there.",
                sum(times[at] for at in found) / 1e9,
            )


def _compiled_again(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Kernels compiled again and again."""
    for line, found in _by_line(events, lambda event: event.kind == "compile").items():
        if len(found) >= MANY_COMPILATIONS:
            yield Advice(
                "compiled again",
                line,
                f"Kernels are compiled here {len(found):,} times.",
                "A text that changes is another kernel. Pass what changes as an argument instead "
                "of writing it into "
                "the text, and make the kernel once, outside the loop.",
                sum(times[at] for at in found) / 1e9,
            )


def _kept_alive(events: Sequence[Event], times: Sequence[int], _: bool) -> Iterator[Advice]:
    """Memory from one line that is still in use at the end."""
    blocks: dict[tuple[str | None, int], Event] = {}
    in_use = peak = 0
    for event in events:
        if event.kind == "allocate":
            blocks[event.device, event.address] = event
            in_use += event.bytes
            peak = max(peak, in_use)
        elif event.kind == "free" and blocks.pop((event.device, event.address), None) is not None:
            in_use -= event.bytes
    kept: dict[Line, list[Event]] = defaultdict(list)
    for event in blocks.values():
        if event.line is not None:
            kept[event.line].append(event)
    for line, found in kept.items():
        total = sum(event.bytes for event in found)
        if len(found) >= MANY_KEPT and total >= 8 * _MEGABYTE and 4 * total >= peak:
            yield Advice(
                "kept alive",
                line,
                f"{_counted(len(found), 'array', 'arrays')} made here, {_megabytes(total)}, are "
                f"still in memory at the end.",
                "Something holds them: a list that grows, or a name. If only a number of each is "
                "needed, keep that "
                "(a sum, a[0].copy()), or del the array after its last use.",
                0.0,
            )


def _by_line(events: Sequence[Event], wanted: Callable[[Event], bool]) -> dict[Line, list[int]]:
    found: dict[Line, list[int]] = defaultdict(list)
    for at, event in enumerate(events):
        if event.sources and wanted(event):
            found[event.sources[0]].append(at)
    return found


_RULES: tuple[Rule, ...] = (
    _sent_again,
    _single_values,
    _small_work,
    _widened,
    _strided,
    _pageable,
    _compiled_again,
    _kept_alive,
)
