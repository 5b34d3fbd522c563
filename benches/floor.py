"""The memory floor of a row: how soon this machine can read the row's inputs and write its output once.

A plain pass over as many bytes, on all threads, is timed by turns with the row itself; as with the row, the
median of its samples is the figure in the table.
"""

import argparse
import sys

import cuprum.testing


def seconds(traffic: tuple[int, int]) -> float:
    """The time of one pass that reads and writes so many bytes, of which the caches hold none before.

    Nor do they hold a row's operands, since another library's turn and this pass lie between two calls.
    """
    return sum(traffic) / cuprum.testing.bandwidth(*traffic)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure this machine's memory bandwidth.")
    parser.add_argument("read", type=int, nargs="?", default=512 << 20, help="bytes read in one pass")
    parser.add_argument("written", type=int, nargs="?", default=256 << 20, help="bytes written in one pass")
    arguments = parser.parse_args()
    rate = cuprum.testing.bandwidth(arguments.read, arguments.written)
    sys.stdout.write(f"{rate / 1e9:.1f} GB/s\n")
