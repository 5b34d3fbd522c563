"""Paragraphs that several docstrings have in common, written once."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

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
