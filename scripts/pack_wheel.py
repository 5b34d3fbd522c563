"""Pack the newest wheel in dist/ anew, as small as deflate can be: `make wheel` runs it on Linux.

    python scripts/pack_wheel.py            dist/'s newest wheel, in its place
    python scripts/pack_wheel.py --dist other/

The contents stay as they are, and so does every time: Zopfli looks longer for what repeats than zlib does.
"""

from __future__ import annotations

import argparse
import os
import zipfile
from pathlib import Path

import zopfli.zlib
from check_wheel import ROOT, newest


class Packer:
    """What a `ZipFile` asks of zlib's compressor, done by Zopfli once a file is whole."""

    def __init__(self, *_: object) -> None:
        self._parts: list[bytes] = []

    def compress(self, data: bytes) -> bytes:
        self._parts.append(bytes(data))
        return b""

    def flush(self) -> bytes:
        # A zip file has the bare stream, without zlib's header and its checksum.
        return bytes(zopfli.zlib.compress(b"".join(self._parts), numiterations=15, blocksplittingmax=0)[2:-4])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the wheel is")
    wheel = newest(parser.parse_args().dist)
    packed = wheel.with_suffix(".packed")
    zipfile._get_compressor = Packer  # type: ignore[attr-defined]
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            target.writestr(entry, source.read(entry))
    before, after = wheel.stat().st_size, packed.stat().st_size
    os.replace(packed, wheel)
    print(f"{wheel.name}: {before / 1e6:.2f} MB, {after / 1e6:.2f} MB now")


if __name__ == "__main__":
    main()
