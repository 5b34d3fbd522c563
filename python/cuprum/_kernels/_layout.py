"""How generated kernels reach elements: one loop over a shape, each array with strides of its own."""

from __future__ import annotations

from typing import Any

Shape = tuple[int, ...]


def contiguous_steps(shape: Shape, itemsize: int) -> Shape:
    """Return the strides of elements that lie row by row."""
    steps: list[int] = []
    step = itemsize
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def broadcast_shape(kernel: str, shapes: list[Shape]) -> Shape:
    """Return the shape that shapes broadcast to."""
    ndim = max(len(shape) for shape in shapes)
    result = [1] * ndim
    for shape in shapes:
        for axis, length in enumerate(shape, ndim - len(shape)):
            if result[axis] == 1:
                result[axis] = length
            elif length not in (1, result[axis]):
                shown = " ".join(str(shape).replace(" ", "") for shape in shapes)
                raise ValueError(f"{kernel}: operands could not be broadcast together with shapes {shown}")
    return tuple(result)


def broadcast_steps(array: Any, shape: Shape) -> Shape:
    """Return an array's strides in a shape that it broadcasts to: 0 along axes that it does not have."""
    own, steps = array.shape, array.strides
    missing = len(shape) - len(own)
    stretched = (
        0 if length == 1 != shape[axis] else step
        for axis, (length, step) in enumerate(zip(own, steps, strict=True), missing)
    )
    return (0,) * missing + tuple(stretched)


def collapse(shape: Shape, all_steps: list[Shape]) -> tuple[Shape, list[Shape]]:
    """Return a loop of as few axes as possible that visits the same elements in the same order."""
    axes = [axis for axis in range(len(shape)) if shape[axis] != 1]
    new_shape: list[int] = []
    new_steps: list[list[int]] = [[] for _ in all_steps]
    for axis in axes:
        length = shape[axis]
        joins = bool(new_shape) and all(
            new[-1] == steps[axis] * length for new, steps in zip(new_steps, all_steps, strict=True)
        )
        if joins:
            new_shape[-1] *= length
            for new, steps in zip(new_steps, all_steps, strict=True):
                new[-1] = steps[axis]
        else:
            new_shape.append(length)
            for new, steps in zip(new_steps, all_steps, strict=True):
                new.append(steps[axis])
    return tuple(new_shape), [tuple(steps) for steps in new_steps]
