"""NumPy's other bit generators: sequences in which a draw follows from all draws before it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from .. import _core
from .._core import ndarray
from ._ahead import AheadStream
from ._bit_generators import BitGenerator
from ._seeds import SeedSequence

__all__ = ["MT19937", "PCG64", "PCG64DXSM", "SFC64", "Sequential"]

_WORD = (1 << 64) - 1
_NUMBER = (1 << 128) - 1

# NumPy 2.5 corrected a comparison in the rejection of binomials with large means; the installed one decides.
_CORRECTED_BINOMIALS = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 5)


class Sequential(BitGenerator):
    """What NumPy's sequential bit generators share. Programs use `PCG64`, `PCG64DXSM`, `MT19937` or `SFC64`.

    Draws are made by the host, one after the other, and copied where the current device is a GPU; raw words
    and uniform numbers of the PCGs are made by the GPU itself.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> cp.random.Generator(cp.random.SFC64(1)).random(2).shape
    (2,)
    """

    # The generator's name, and how many words of which dtype it is seeded with.
    _kind: ClassVar[str]
    _seed_words: ClassVar[tuple[int, Any]]

    def __init__(self, seed: Any = None) -> None:
        if type(self) is Sequential:
            raise TypeError("Sequential: is a base class and cannot be instantiated; use PCG64")
        super().__init__(seed)
        words = self._seed_seq.generate_state(*self._seed_words)
        self._stream = _core.SequentialStream(self._kind, words.tolist(), _CORRECTED_BINOMIALS)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._seed_seq, self.state)

    def _checked(self, value: Any) -> dict[str, Any]:
        """Return a state that is a dict for this kind of generator."""
        name = type(self).__name__
        if not isinstance(value, dict):
            raise TypeError(f"{name}: state must be a dict, got {type(value).__name__}")
        if value.get("bit_generator") != name:
            raise ValueError(
                f"{name}: state must be for a {name} PRNG, got one for {value.get('bit_generator')!r}"
            )
        if not isinstance(value.get("state"), dict):
            raise ValueError(f"{name}: state must have a dict under 'state', got {value.get('state')!r}")
        return value

    def _part(self, state: dict[str, Any], name: str) -> Any:
        if name not in state:
            raise ValueError(f"{type(self).__name__}: state has no {name!r}")
        return state[name]

    def _integer(self, state: dict[str, Any], name: str) -> int:
        value = self._part(state, name)
        try:
            return operator.index(value)
        except TypeError:
            raise TypeError(f"{type(self).__name__}: {name} must be an integer, got {value!r}") from None

    def _half(self, value: dict[str, Any]) -> tuple[bool, int]:
        """Return whether half a word is pending, and that half."""
        half = self._integer(value, "uinteger")
        if not 0 <= half < 1 << 32:
            raise ValueError(f"{type(self).__name__}: uinteger must be less than 2**32, got {half}")
        return bool(self._part(value, "has_uint32")), half

    def _vector(self, name: str, value: Any, length: int, bits: int) -> list[int]:
        """Return `length` words of `bits` bits of a state."""
        if isinstance(value, (ndarray, np.ndarray)) or not np.iterable(value):
            value = np.asarray(value).tolist()
        items = list(value) if np.iterable(value) else [value]
        if len(items) != length or not all(isinstance(word, (int, np.integer)) for word in items):
            raise ValueError(
                f"{type(self).__name__}: {name} must be {length} integers, got shape {np.shape(items)}"
            )
        if not all(0 <= word < 1 << bits for word in items):
            raise ValueError(f"{type(self).__name__}: words of {name} must be less than 2**{bits}")
        return [int(word) for word in items]


class _PCG(Sequential):
    """What the two PCGs share."""

    _seed_words: ClassVar[tuple[int, Any]] = (4, np.uint64)

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)
        self._stream = AheadStream(self._stream, self._kind)

    @property
    def state(self) -> dict[str, Any]:
        """The state, in the form that NumPy has it; may be set."""
        words, has_half, half, _ = self._stream.state()
        return {
            "bit_generator": type(self).__name__,
            "state": {"state": words[0] << 64 | words[1], "inc": words[2] << 64 | words[3]},
            "has_uint32": int(has_half),
            "uinteger": half,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        inner = self._checked(value)["state"]
        words = []
        for name in ("state", "inc"):
            number = self._integer(inner, name)
            if not 0 <= number <= _NUMBER:
                raise ValueError(f"{type(self).__name__}: {name} must be less than 2**128, got {number}")
            words += [number >> 64, number & _WORD]
        self._stream.set_state(words, *self._half(value), 0)

    def advance(self, delta: int) -> _PCG:
        """Move on by `delta` words, as if they had been drawn.

        Parameters
        ----------
        delta : int
            How many; negative numbers go back.

        Returns
        -------
        BitGenerator
            Itself.

        Examples
        --------
        >>> a, b = cp.random.PCG64(1), cp.random.PCG64(1)
        >>> _ = b.random_raw(1000)
        >>> a.advance(1000).random_raw() == b.random_raw()
        True
        """
        wrapped = operator.index(delta) & _NUMBER
        self._stream.advance(wrapped >> 64, wrapped & _WORD)
        return self

    def jumped(self, jumps: int = 1) -> _PCG:
        """Return a generator far beyond what this one will draw: 0.618 times 2**128 words for each jump.

        Parameters
        ----------
        jumps : int, optional
            How many jumps.

        Returns
        -------
        BitGenerator
            The generator.

        Examples
        --------
        >>> cp.random.PCG64(1).jumped().random_raw() == cp.random.PCG64(1).random_raw()
        False
        """
        other: _PCG = _restore(type(self), self._seed_seq, self.state)
        wrapped = operator.index(jumps) & _NUMBER
        other._stream.jump(wrapped >> 64, wrapped & _WORD)
        return other


class PCG64(_PCG):
    """Draw words by PCG64 (XSL-RR): NumPy's default bit generator, bit for bit.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> cp.random.default_rng(cp.random.PCG64(42)).random(2)
    array([0.77395605, 0.43887844])
    """

    _kind: ClassVar[str] = "PCG64"


class PCG64DXSM(_PCG):
    """Draw words by PCG64DXSM, as NumPy's bit generator of this name, bit for bit.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> cp.random.Generator(cp.random.PCG64DXSM(1)).integers(10, size=3).shape
    (3,)
    """

    _kind: ClassVar[str] = "PCG64DXSM"


class SFC64(Sequential):
    """Draw words by SFC64, as NumPy's bit generator of this name, bit for bit.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> cp.random.Generator(cp.random.SFC64(1)).integers(10, size=3).shape
    (3,)
    """

    _kind: ClassVar[str] = "SFC64"
    _seed_words: ClassVar[tuple[int, Any]] = (3, np.uint64)

    @property
    def state(self) -> dict[str, Any]:
        """The state, in the form that NumPy has it; may be set."""
        words, has_half, half, _ = self._stream.state()
        return {
            "bit_generator": type(self).__name__,
            "state": {"state": np.array(words, np.uint64)},
            "has_uint32": int(has_half),
            "uinteger": half,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        inner = self._checked(value)["state"]
        words = self._vector("state", self._part(inner, "state"), 4, 64)
        self._stream.set_state(words, *self._half(value), 0)


class MT19937(Sequential):
    """Draw words by the Mersenne Twister, as NumPy's bit generator of this name, bit for bit.

    Parameters
    ----------
    seed : int, sequence of int or SeedSequence, optional
        The seed; the operating system's entropy when None.

    Examples
    --------
    >>> cp.random.MT19937(1).random_raw(2).dtype
    dtype('uint64')
    """

    _kind: ClassVar[str] = "MT19937"
    _seed_words: ClassVar[tuple[int, Any]] = (624, np.uint32)

    @property
    def state(self) -> dict[str, Any]:
        """The state, in the form that NumPy has it; may be set, to the tuple of older versions too."""
        words, _, _, position = self._stream.state()
        return {
            "bit_generator": type(self).__name__,
            "state": {"key": np.array(words, np.uint32), "pos": position},
        }

    @state.setter
    def state(self, value: Any) -> None:
        if isinstance(value, tuple):
            if len(value) not in (3, 5) or value[0] != "MT19937":
                raise ValueError("MT19937: state is not a legacy MT19937 state")
            value = {"bit_generator": "MT19937", "state": {"key": value[1], "pos": value[2]}}
        inner = self._checked(value)["state"]
        words = self._vector("key", self._part(inner, "key"), 624, 32)
        position = self._integer(inner, "pos")
        if not 0 <= position <= 624:
            raise ValueError(f"MT19937: pos must be from 0 to 624, got {position}")
        self._stream.set_state(words, False, 0, position)

    def jumped(self, jumps: int = 1) -> MT19937:
        """Return a generator 2**128 words further on for each jump.

        Parameters
        ----------
        jumps : int, optional
            How many jumps.

        Returns
        -------
        MT19937
            The generator.

        Examples
        --------
        >>> cp.random.MT19937(1).jumped().random_raw() == cp.random.MT19937(1).random_raw()
        False
        """
        other: MT19937 = _restore(type(self), self._seed_seq, self.state)
        other._stream.jump(0, max(operator.index(jumps), 0))
        return other

    def _legacy_seeding(self, seed: Any) -> None:
        """Begin anew as RandomState does with a seed: an integer or integers of 32 bits."""
        words, single = _legacy_words(seed)
        if words is None:
            self._stream.set_state(_fresh_key(), False, 0, 623)
        else:
            self._stream.seed_legacy(words, single)
        self._seed_seq = None


def _fresh_key() -> list[int]:
    """Return a key of the operating system's entropy."""
    words: list[int] = SeedSequence().generate_state(624).tolist()
    return [0x80000000, *words[1:]]


def _legacy_words(seed: Any) -> tuple[list[int] | None, bool]:
    """Return the words that RandomState is seeded with, and whether they are one number."""
    if seed is None:
        return None, False
    if isinstance(seed, (ndarray, np.ndarray)):
        seed = seed.squeeze()
    try:
        number = operator.index(seed)
    except TypeError:
        pass
    else:
        if not 0 <= number < 1 << 32:
            raise ValueError(f"RandomState: seed must be between 0 and 2**32 - 1, got {number}")
        return [number], True
    if not isinstance(seed, (Sequence, ndarray, np.ndarray)) or isinstance(seed, (str, bytes)):
        raise TypeError(f"RandomState: seed must be an integer or integers, got {type(seed).__name__}")
    array = np.asarray(seed.tolist() if isinstance(seed, ndarray) else seed)
    if array.size == 0:
        raise ValueError("RandomState: seed must be non-empty")
    array = array.astype(np.int64, casting="safe")
    if array.ndim != 1:
        raise ValueError(f"RandomState: seed array must be 1-d, got {array.ndim} dimensions")
    if bool(((array < 0) | (array >= 1 << 32)).any()):
        raise ValueError("RandomState: seed must be between 0 and 2**32 - 1")
    return array.tolist(), False


def _restore(cls: type[Any], seed_seq: Any, state: dict[str, Any]) -> Any:
    """Return a bit generator in a state: what unpickling calls."""
    made = cls(seed_seq)
    made._seed_seq = seed_seq
    made.state = state
    return made
