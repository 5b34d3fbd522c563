"""Views of an array of two dimensions."""

# Looks at an array of shape (4, 6) that share its memory.
VIEWS = {
    "itself": lambda a: a,
    "row": lambda a: a[1],
    "column": lambda a: a[:, 2],
    "rows": lambda a: a[1:3],
    "columns": lambda a: a[:, 1:5],
    "every other": lambda a: a[::2, ::3],
    "reversed rows": lambda a: a[::-1],
    "reversed": lambda a: a[::-1, ::-1],
    "reversed strided": lambda a: a[::-2, ::-3],
    "transposed": lambda a: a.T,
    "transposed rows": lambda a: a.T[1:4],
    "swapped": lambda a: a.swapaxes(0, 1)[::-1],
    "reshaped": lambda a: a.reshape(2, 12),
    "raveled": lambda a: a.ravel(),
    "new axis": lambda a: a[:, None],
    "diagonal": lambda a: a[::1, ::1].reshape(-1)[::7],
    "ellipsis": lambda a: a[..., 3],
    "view of view": lambda a: a[1:][::-1][:, 2:][:, ::2],
    "split": lambda a: a.reshape(4, 3, 2)[:, 1],
    "flipped": lambda a: a[:, ::-1][1:],
    "element": lambda a: a[2:3, 3:4],
    "empty": lambda a: a[2:2],
}


def start(xp):
    return xp.arange(24.0).reshape(4, 6)
