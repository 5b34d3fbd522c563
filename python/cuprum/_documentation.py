"""Paragraphs that several docstrings have in common, written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

_F = TypeVar("_F", bound=Callable[..., object])


def shared_paragraphs(paragraphs: Mapping[str, str]) -> Callable[[_F], _F]:
    """Return a decorator that puts paragraphs where a docstring names them: in braces, a line each."""

    def documented(function: _F) -> _F:
        text = function.__doc__ or ""
        for name, paragraph in paragraphs.items():
            text = text.replace(f"    {{{name}}}\n", f"    {paragraph}\n")
        function.__doc__ = text
        return function

    return documented
