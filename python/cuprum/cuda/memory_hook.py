"""Hooks that hear of memory: when pools get it, hand it out and take it back."""

from __future__ import annotations

import threading
from typing import Any

from .. import _core

__all__ = ["MemoryHook", "get_memory_hooks"]

_thread = threading.local()


def get_memory_hooks() -> dict[str, MemoryHook]:
    """Return the hooks that are set in this thread, by their names, in the order in which they are told.

    Returns
    -------
    dict

    Examples
    --------
    >>> cp.cuda.memory_hook.get_memory_hooks()
    {}
    """
    found: dict[str, MemoryHook] = _thread.__dict__.setdefault("hooks", {})
    return found


class MemoryHook:
    """A hook that hears of this thread's memory inside a `with` block; to be derived from.

    Of memory that a pool asks the system or the driver for, `alloc_preprocess` and `alloc_postprocess` hear;
    of blocks that a pool hands out, `malloc_preprocess` and `malloc_postprocess`; of blocks that go back to
    their pool, `free_preprocess` and `free_postprocess`. Arguments come by name: `device_id`, `mem_size` (the
    bytes of the block, or of what is asked for), `size` (the bytes that the program needs), `mem_ptr` (the
    address) and `pmem_id` (which tells blocks in use apart). What is pending runs before the block and at its
    end, so that its memory is seen inside. An error of a hook refuses the memory. A hook is called by work
    that runs, and cannot compute with arrays itself.

    Attributes
    ----------
    name : str
        What the hook is known by: two of one name cannot be set at once.

    Examples
    --------
    >>> class Largest(cp.cuda.MemoryHook):
    ...     name = "Largest"
    ...     size = 0
    ...     def malloc_postprocess(self, *, device_id, size, mem_size, mem_ptr, pmem_id):
    ...         self.size = max(self.size, size)
    >>> with Largest() as hook:
    ...     a = cp.ones(1000) * 2
    >>> hook.size
    8000

    The others are written likewise:

    >>> class Calls(cp.cuda.MemoryHook):
    ...     name = "Calls"
    ...     def alloc_preprocess(self, *, device_id, mem_size):
    ...         print("a pool wants", mem_size)
    ...     def alloc_postprocess(self, *, device_id, mem_size, mem_ptr):
    ...         print("a pool has got", mem_size)
    ...     def malloc_preprocess(self, *, device_id, size, mem_size):
    ...         print("a program wants", size)
    ...     def free_preprocess(self, *, device_id, mem_size, mem_ptr, pmem_id):
    ...         print("a block goes back")
    ...     def free_postprocess(self, *, device_id, mem_size, mem_ptr, pmem_id):
    ...         print("a block is back")
    """

    name = "MemoryHook"

    def __enter__(self) -> MemoryHook:
        hooks = get_memory_hooks()
        if self.name in hooks:
            raise KeyError(f"a memory hook named {self.name!r} is set already")
        _core.run_pending()
        hooks[self.name] = self
        _core.set_memory_hook(_tell)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        hooks = get_memory_hooks()
        try:
            if kind is None:
                _core.run_pending()
        finally:
            hooks.pop(self.name, None)
            if not hooks:
                _core.set_memory_hook(None)

    def alloc_preprocess(self, **kwargs: Any) -> None:
        """Hear that a pool is about to ask for memory: `device_id`, `mem_size`."""

    def alloc_postprocess(self, **kwargs: Any) -> None:
        """Hear that a pool has got memory: `device_id`, `mem_size`, `mem_ptr`."""

    def malloc_preprocess(self, **kwargs: Any) -> None:
        """Hear that a block is about to be handed out: `device_id`, `size`, `mem_size`."""

    def malloc_postprocess(self, **kwargs: Any) -> None:
        """Hear that a block was handed out: `device_id`, `size`, `mem_size`, `mem_ptr`, `pmem_id`."""

    def free_preprocess(self, **kwargs: Any) -> None:
        """Hear that a block is about to go back: `device_id`, `mem_size`, `mem_ptr`, `pmem_id`."""

    def free_postprocess(self, **kwargs: Any) -> None:
        """Hear that a block has gone back: `device_id`, `mem_size`, `mem_ptr`, `pmem_id`."""


def _tell(stage: str, **facts: Any) -> None:
    """Tell all hooks of this thread what happens to memory."""
    for hook in list(get_memory_hooks().values()):
        getattr(hook, stage)(**facts)
