"""What help shows: paragraphs that several docstrings have in common, and signatures of ufuncs."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import inspect

_F = TypeVar("_F", bound=Callable[..., object])


def shared_paragraphs(paragraphs: Mapping[str, str]) -> Callable[[_F], _F]:
    """Return a decorator that puts paragraphs where a docstring names them: in braces, a line each.

    It takes a function, or a class for all its methods, whose paragraphs are indented by one level more.
    """

    def fill(thing: Any, deeper: str) -> None:
        text = thing.__doc__ or ""
        for name, paragraph in paragraphs.items():
            if f"{{{name}}}" in text:
                text = text.replace(
                    f"    {{{name}}}\n", f"    {paragraph}\n".replace("\n    ", f"\n{deeper}    ")
                )
        thing.__doc__ = text

    def documented(thing: _F) -> _F:
        if isinstance(thing, type):
            for member in vars(thing).values():
                if isinstance(member, types.FunctionType):
                    fill(member, "    ")
        else:
            fill(thing, "")
        return thing

    return documented


def ufunc_signature(inputs: list[str], outputs: int) -> inspect.Signature:
    """Return the signature of a ufunc with these arguments and so many results, as NumPy's have it."""
    # Imported where it is asked for: it would be a large part of the package's import.
    from inspect import Parameter, Signature

    out = None if outputs == 1 else (None,) * outputs
    keywords = {
        "where": True,
        "casting": "same_kind",
        "order": "K",
        "dtype": None,
        "subok": True,
        "signature": None,
    }
    return Signature(
        [Parameter(name, Parameter.POSITIONAL_ONLY) for name in inputs]
        + [Parameter("out", Parameter.POSITIONAL_OR_KEYWORD, default=out)]
        + [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in keywords.items()]
    )
