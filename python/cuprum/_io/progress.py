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
    total : int
        How much there is to do.
    in_bytes : bool, optional
        Whether that is a number of bytes.
    stream : file, optional
        Where the line goes: standard error by default.
    """

    def __init__(self, label: str, total: int, *, in_bytes: bool = True, stream: Any = None) -> None:
        self._label, self._total, self._in_bytes = label, max(total, 1), in_bytes
        self._stream = sys.stderr if stream is None else stream
        self._shown = is_shown(self._stream)
        self._done = 0
        self._began = self._drawn = time.monotonic()
        self._length = 0

    def advance(self, amount: int, note: str = "") -> None:
        """Note that so much more is done."""
        self._done += amount
        now = time.monotonic()
        if (
            self._shown
            and now - self._began >= _SHOWN_AFTER_SECONDS
            and now - self._drawn >= _REFRESH_SECONDS
        ):
            self._drawn = now
            self._draw(now - self._began, note)

    def _draw(self, seconds: float, note: str) -> None:
        part = min(self._done / self._total, 1)
        bar = "#" * round(part * _BAR_WIDTH)
        left = seconds / part - seconds if part > 0 else 0
        if self._in_bytes:
            done, total = self._done / 2**20, self._total / 2**20
            amount = f"{done:,.0f}/{total:,.0f} MB, {done / seconds:,.0f} MB/s"
        else:
            amount = f"{self._done}/{self._total}"
        line = (
            f"{self._label}: {part:4.0%} |{bar:<{_BAR_WIDTH}}| {amount}, {left:,.0f} s left {note}".rstrip()
        )
        self._write("\r" + line + " " * max(self._length - len(line), 0))
        self._length = len(line)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._length:
            self._write("\r" + " " * self._length + "\r")


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
