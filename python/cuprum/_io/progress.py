"""Progress of long work on the host, on a terminal and after a second; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import IO, Any

__all__ = ["CountedFile", "Progress", "is_shown"]

_SHOWN_AFTER_SECONDS = 1.0
_REFRESH_SECONDS = 0.1
_BAR_WIDTH = 24


def is_shown(stream: Any = None) -> bool:
    """Whether progress would be seen: standard error is a terminal."""
    stream = sys.stderr if stream is None else stream
    return bool(stream is not None and getattr(stream, "isatty", lambda: False)())


class Progress:
    """A line that says how far work has come, redrawn in place.

    Parameters
    ----------
    label : str
        What is being done.
    total : int or None
        How much there is to do, where that is known.
    in_bytes : bool, optional
        Whether that is a number of bytes.
    stream : file, optional
        Where the line goes: standard error by default.

    Examples
    --------
    >>> with Progress("load", 2048) as progress:
    ...     progress.advance(1024)
    """

    def __init__(self, label: str, total: int | None, *, in_bytes: bool = True, stream: Any = None) -> None:
        self._label, self.in_bytes = label, in_bytes
        self._total = None if total is None else max(total, 1)
        self._stream = sys.stderr if stream is None else stream
        self._shown = is_shown(self._stream)
        self._done = 0
        self._began = self._drawn = time.monotonic()
        self._length = 0

    def advance(self, amount: int, note: str = "") -> None:
        """Note that so much more is done."""
        self.advance_to(self._done + amount, note)

    def advance_to(self, done: int, note: str = "") -> None:
        """Note that so much is done; the line goes when all is."""
        self._done = done
        now = time.monotonic()
        if (
            self._shown
            and now - self._began >= _SHOWN_AFTER_SECONDS
            and now - self._drawn >= _REFRESH_SECONDS
        ):
            self._drawn = now
            self._draw(now - self._began, note)
        if done == self._total:
            self._clear()

    def _draw(self, seconds: float, note: str) -> None:
        text = self._amount(seconds)
        if self._total is not None:
            part = min(self._done / self._total, 1)
            bar = "#" * round(part * _BAR_WIDTH)
            left = seconds / part - seconds if part > 0 else 0
            text = f"{part:4.0%} |{bar:<{_BAR_WIDTH}}| {text}, {left:,.0f} s left"
        line = f"{self._label}: {text} {note}".rstrip()
        self._write("\r" + line + " " * max(self._length - len(line), 0))
        self._length = len(line)

    def _amount(self, seconds: float) -> str:
        unit = 2**20 if self.in_bytes else 1
        done = f"{self._done / unit:,.0f}"
        if self._total is not None:
            done += f"/{self._total / unit:,.0f}"
        return f"{done} MB, {self._done / unit / seconds:,.0f} MB/s" if self.in_bytes else done

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._length:
            self._write("\r" + " " * self._length + "\r")
            self._length = 0


class CountedFile:
    """A file whose reads and writes advance a progress.

    Parameters
    ----------
    file : file
        The file, open in binary mode.
    progress : Progress
        What is advanced.
    """

    def __init__(self, file: IO[bytes], progress: Progress) -> None:
        self._file, self._progress = file, progress

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes."""
        data = self._file.read(size)
        self._progress.advance(len(data))
        return data

    def write(self, data: Any) -> int:
        """Write bytes."""
        written = self._file.write(data)
        self._progress.advance(len(data))
        return written

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the file."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place in the file."""
        return self._file.tell()
