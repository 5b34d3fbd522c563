"""Bit generators: where random words come from, and their state."""

from __future__ import annotations

import operator
import threading
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from ._seeds import SeedSequence

__all__ = [
    "XORWOW",
    "BitGenerator",
    "MRG32k3a",
    "Philox",
    "Philox4x3210",
]

_MASK = (1 << 64) - 1


def _split(number: int, words: int) -> list[int]:
    """Return a number as words of 64 bits, lowest first."""
    return [(number >> (64 * i)) & _MASK for i in range(words)]


def _part(state: dict[str, Any], name: str) -> Any:
    if name not in state:
        raise ValueError(f"Philox: state has no {name!r}")
    return state[name]


def _integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"Philox: {name} must be an integer, got {value!r}") from None


def _words(name: str, value: Any, words: int) -> list[int]:
    """Return an integer, or an array of words, as a list of words of 64 bits."""
    if isinstance(value, (int, np.integer)):
        number = int(value)
        if not 0 <= number < 1 << (64 * words):
            raise ValueError(f"Philox: {name} must be positive and less than 2**{64 * words}, got {number}")
        return _split(number, words)
    items = value.tolist() if isinstance(value, (ndarray, np.ndarray)) else list(value)
    if len(items) != words or not all(isinstance(word, (int, np.integer)) for word in items):
        raise ValueError(f"Philox: {name} must be an integer or {words} words of uint64, got {value!r}")
    return [int(word) & _MASK for word in items]


class BitGenerator:
    """Hold what all bit generators share: a seed, a lock and children. Programs use `Philox` or `PCG64`.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> isinstance(cp.random.Philox(1), cp.random.BitGenerator)
    True
    """

    _stream: Any
    # The state in NumPy's form; may be set.
    state: Any

    def __init__(self, seed: Any = None) -> None:
        if type(self) is BitGenerator:
            raise TypeError("BitGenerator: is a base class and cannot be instantiated; use Philox or PCG64")
        self._seed_seq: Any = seed if hasattr(seed, "generate_state") else SeedSequence(seed)
        self.lock = threading.RLock()

    @property
    def seed_seq(self) -> Any:
        """The sequence that the generator was seeded with; None after a seed of RandomState's."""
        return self._seed_seq

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Return raw words.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape; one Python integer when None.
        output : bool, optional
            Whether to return the words, or only to pass them.

        Returns
        -------
        ndarray or int or None
            Words of 64 bits.

        Examples
        --------
        >>> cp.random.Philox(12345).random_raw()
        7761547988346370368
        """
        words = self._stream.raw(() if size is None else size)
        if not output:
            return None
        return int(words) if size is None else words

    def spawn(self, n_children: int) -> list[BitGenerator]:
        """Return independent bit generators of the same kind.

        Parameters
        ----------
        n_children : int
            How many.

        Returns
        -------
        list of BitGenerator
            The children.

        Examples
        --------
        >>> len(cp.random.Philox(1).spawn(2))
        2
        """
        if not hasattr(self._seed_seq, "spawn"):
            raise TypeError(f"{type(self).__name__}: the underlying SeedSequence does not implement spawning")
        return [type(self)(seed) for seed in self._seed_seq.spawn(n_children)]


class Philox(BitGenerator):
    """Draw words by Philox4x64-10, a counter-based generator: NumPy's `Philox`, bit for bit.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.
    counter : int or sequence of 4 int, optional
        The counter before the first block; 0 when None.
    key : int or sequence of 2 int, optional
        The key, instead of one made from a seed.

    Examples
    --------
    >>> cp.random.Philox(12345).random_raw(2)
    array([ 7761547988346370368, 12048877680314648833], dtype=uint64)
    """

    def __init__(self, seed: Any = None, counter: Any = None, key: Any = None) -> None:
        if seed is not None and key is not None:
            raise ValueError("Philox: seed and key cannot be both used")
        super().__init__(seed)
        if key is None:
            key_words = [int(word) for word in self._seed_seq.generate_state(2, np.uint64)]
        else:
            key_words = _words("key", key, 2)
        self._stream = _core.RandomStream(key_words, _words("counter", 0 if counter is None else counter, 4))

    def __repr__(self) -> str:
        return f"<Philox at {id(self):#x}>"

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._seed_seq, self.state)

    @property
    def state(self) -> dict[str, Any]:
        """The state, in the form that NumPy's `Philox` has it; may be set."""
        counter, key, buffer, position, has_uint32, uinteger = self._stream.state()
        return {
            "bit_generator": "Philox",
            "state": {"counter": np.array(counter, np.uint64), "key": np.array(key, np.uint64)},
            "buffer": np.array(buffer, np.uint64),
            "buffer_pos": position,
            "has_uint32": int(has_uint32),
            "uinteger": uinteger,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"Philox: state must be a dict, got {type(value).__name__}")
        if value.get("bit_generator") != "Philox":
            raise ValueError("Philox: state must be for a Philox PRNG")
        inner = _part(value, "state")
        if not isinstance(inner, dict):
            raise ValueError(f"Philox: state must have a dict under 'state', got {inner!r}")
        position, half = (_integer(name, _part(value, name)) for name in ("buffer_pos", "uinteger"))
        if not 0 <= position <= 4 or not 0 <= half < 1 << 32:
            raise ValueError(
                f"Philox: buffer_pos must be 0 to 4 and uinteger less than 2**32, got {position} and {half}"
            )
        self._stream.set_state(
            (
                _words("counter", _part(inner, "counter"), 4),
                _words("key", _part(inner, "key"), 2),
                _words("buffer", _part(value, "buffer"), 4),
                position,
                bool(_part(value, "has_uint32")),
                half,
            )
        )

    def advance(self, delta: int) -> Philox:
        """Move the counter on by `delta` blocks of four words, as if they had been drawn.

        Parameters
        ----------
        delta : int
            How many; negative numbers go back.

        Returns
        -------
        Philox
            Itself.

        Examples
        --------
        >>> a, b = cp.random.Philox(1), cp.random.Philox(1)
        >>> _ = b.random_raw(8)
        >>> a.advance(2).random_raw() == b.random_raw()
        True
        """
        self._stream.advance(_split(int(delta) % (1 << 256), 4))
        return self

    def jumped(self, jumps: int = 1) -> Philox:
        """Return a generator 2**128 blocks further on, far beyond what this one will draw.

        Parameters
        ----------
        jumps : int, optional
            How many times 2**128.

        Returns
        -------
        Philox
            The generator.

        Examples
        --------
        >>> cp.random.Philox(1).jumped().state["state"]["counter"]
        array([0, 0, 1, 0], dtype=uint64)
        """
        other = _restore(type(self), self._seed_seq, self.state)
        return other.advance(int(jumps) << 128)


class XORWOW(Philox):
    """Stand in for CuPy's bit generator of this name: its programs run, on the words of `Philox`.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.
    size : int, optional
        Taken for compatibility with CuPy.

    Examples
    --------
    >>> cp.random.Generator(cp.random.XORWOW(1)).random(3).shape
    (3,)
    """

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        super().__init__(seed)


class MRG32k3a(Philox):
    """Stand in for CuPy's bit generator of this name: its programs run, on the words of `Philox`.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.
    size : int, optional
        Taken for compatibility with CuPy.

    Examples
    --------
    >>> cp.random.Generator(cp.random.MRG32k3a(1)).random(3).shape
    (3,)
    """

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        super().__init__(seed)


class Philox4x3210(Philox):
    """Stand in for CuPy's bit generator of this name: its programs run, on the words of `Philox`.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.
    size : int, optional
        Taken for compatibility with CuPy.

    Examples
    --------
    >>> cp.random.Generator(cp.random.Philox4x3210(1)).random(3).shape
    (3,)
    """

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        super().__init__(seed)


def _restore(cls: type[Philox], seed_seq: Any, state: dict[str, Any]) -> Philox:
    """Return a bit generator in a state: what unpickling calls."""
    made = cls(seed_seq)
    made.state = state
    return made
