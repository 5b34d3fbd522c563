"""Seeds: entropy of any kind, mixed into words that start independent streams."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core

__all__ = ["SeedSequence"]


def words_of(x: Any) -> list[int]:
    """Return an integer, or integers one after the other, as words of 32 bits, lowest first."""
    if isinstance(x, str):
        x = int(x, 0)
    if isinstance(x, (int, np.integer)):
        n = int(x)
        if n < 0:
            raise ValueError(f"SeedSequence: expected non-negative integer, got {n}")
        words = []
        while True:
            words.append(n & 0xFFFFFFFF)
            n >>= 32
            if not n:
                return words
    if isinstance(x, (float, np.inexact)):
        raise TypeError(f"SeedSequence: seed must be integer, got {x!r}")
    if hasattr(x, "tolist"):
        x = x.tolist()
        if not isinstance(x, list):
            return words_of(x)
    if not isinstance(x, Sequence):
        raise TypeError(f"SeedSequence: seed must be an integer or integers, got {x!r}")
    return [word for item in x for word in words_of(item)]


class SeedSequence:
    """Mix entropy into words that start independent streams, as NumPy's SeedSequence does, bit for bit.

    Parameters
    ----------
    entropy : int or sequence of int, optional
        The seed; the operating system's entropy when None.
    spawn_key : sequence of int, optional
        What tells the children of one parent apart; `spawn` sets it.
    pool_size : int, optional
        How many words of 32 bits entropy is pooled in, at least 4.
    n_children_spawned : int, optional
        How many children were spawned before.

    Examples
    --------
    >>> seeds = cp.random.SeedSequence(12345)
    >>> seeds.generate_state(2)
    array([2688385916, 3048105090], dtype=uint32)
    >>> [cp.random.default_rng(child) for child in seeds.spawn(2)]
    [Generator(Philox), Generator(Philox)]
    """

    def __init__(
        self, entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4, n_children_spawned: int = 0
    ) -> None:
        if pool_size < 4:
            raise ValueError(
                f"SeedSequence: the size of the entropy pool should be at least 4, got {pool_size}"
            )
        if isinstance(entropy, (str, bytes)):
            raise TypeError(f"SeedSequence: expected an int or a sequence of ints, got {entropy!r}")
        if entropy is None:
            entropy = secrets.randbits(pool_size * 32)
        self.entropy = entropy
        self.spawn_key = tuple(spawn_key)
        self.pool_size = pool_size
        self.n_children_spawned = n_children_spawned
        self._pool = _core.seed_pool(words_of(entropy), words_of(list(self.spawn_key)), pool_size)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}(", f"    entropy={self.entropy!r},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key!r},")
        if self.pool_size != 4:
            lines.append(f"    pool_size={self.pool_size!r},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned!r},")
        return "\n".join([*lines, ")"])

    @property
    def pool(self) -> np.ndarray:
        """The mixed words."""
        return np.array(self._pool, dtype=np.uint32)

    @property
    def state(self) -> dict[str, Any]:
        """What the sequence was made from."""
        names = ("entropy", "spawn_key", "pool_size", "n_children_spawned")
        return {name: getattr(self, name) for name in names}

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> np.ndarray:
        """Return words of state, always the same ones, in a NumPy array: seeds are the host's.

        Parameters
        ----------
        n_words : int
            How many.
        dtype : dtype, optional
            uint32 or uint64.

        Returns
        -------
        numpy.ndarray
            The words.

        Examples
        --------
        >>> cp.random.SeedSequence(1).generate_state(1, "uint64").dtype
        dtype('uint64')
        """
        dtype = np.dtype(dtype)
        if dtype not in (np.uint32, np.uint64):
            raise ValueError(f"SeedSequence: only support uint32 or uint64, got {dtype}")
        count = n_words * (dtype.itemsize // 4)
        words = np.array(_core.seed_words(self._pool, count), dtype="<u4")
        return words.view("<u8").astype(np.uint64) if dtype == np.uint64 else words.astype(np.uint32)

    def spawn(self, n_children: int) -> list[SeedSequence]:
        """Return sequences of independent seeds; each call gives new ones.

        Parameters
        ----------
        n_children : int
            How many.

        Returns
        -------
        list of SeedSequence
            The children.

        Examples
        --------
        >>> len(cp.random.SeedSequence(1).spawn(3))
        3
        """
        if n_children < 0:
            raise ValueError(f"spawn: the number of children must not be negative, got {n_children}")
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [
            type(self)(self.entropy, spawn_key=(*self.spawn_key, i), pool_size=self.pool_size)
            for i in range(first, first + n_children)
        ]
