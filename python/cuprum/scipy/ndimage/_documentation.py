"""What the docstrings of filters have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "input": """input : array_like
        The array.""",
        "axis": """axis : int, optional
        The axis to filter along.""",
        "output": """output : ndarray or dtype, optional
        Where to put the result, or its dtype; that of the input by default.""",
        "mode": """mode : {"reflect", "constant", "nearest", "mirror", "wrap", "grid-..."}, optional
        How the array goes on beyond its ends: ``dcba|abcd|dcba``, ``kkkk|abcd|kkkk``, ``aaaa|abcd|dddd``,
        ``dcb|abcd|cba`` or ``abcd|abcd|abcd``; the names with "grid-" mean the same here.""",
        "modes": """mode : str or sequence of str, optional
        How the array goes on beyond its ends, for all axes or for each: "reflect", "constant", "nearest",
        "mirror" or "wrap", as in `correlate1d`.""",
        "order": """order : int, optional
        The order of the spline, 0 to 5: 0 takes the nearest element, 1 interpolates linearly.""",
        "sample_mode": """mode : {"constant", "nearest", "mirror", "reflect", "wrap", "grid-..."}, optional
        How the array goes on beyond its ends: ``k|abcd|k``, ``aaaa|abcd|dddd``, ``dcb|abcd|cba``,
        ``dcba|abcd|dcba`` or
        ``bcd|abcd|bcd``, where the ends of "wrap" coincide. "grid-constant" interpolates between the last
        element and the constant, "grid-wrap" between the last and the first, "grid-mirror" is "reflect".
        "opencv" is CuPy's: places, matrices and lengths mean what they mean in OpenCV.""",
        "prefilter": """prefilter : bool, optional
        Whether the input is to be made coefficients first, as orders above 1 need; False where
        `spline_filter` did so.""",
        "labels": """labels : array_like, optional
        The label of each element; without labels the whole array is one part.""",
        "index": """index : int or array_like of int, optional
        The labels of the parts to measure; by default all labels above zero are one part.""",
        "return_distances": """return_distances : bool, optional
        Whether to return the distances.""",
        "return_indices": """return_indices : bool, optional
        Whether to return the indices of the nearest zero, along a new first axis.""",
        "real_length": """n : int, optional
        The length of the image along `axis` where the input is the half that `rfft` gives; negative for
        `fft`.""",
        "real_axis": """axis : int, optional
        The axis of the real transform.""",
        "cval": """cval : scalar, optional
        What lies outside with the mode "constant".""",
        "origin": """origin : int, optional
        How far the window is moved to the left.""",
        "origins": """origin : int or sequence of int, optional
        How far the window is moved to the left, for all axes or for each.""",
        "axes": """axes : int or tuple of int, optional
        The axes to filter along; all by default. Sequences for other arguments have an item for each.""",
        "window": """size : int or tuple of int, optional
        The lengths of the window, one for all axes or one for each. Ignored where `footprint` is given.
    footprint : array_like of bool, optional
        Which places of the window count.""",
        "structure": """structure : array_like, int or tuple of int, optional
        Which neighbours count; by default those that differ along one axis. An integer, or one for each of
        several axes in a tuple, is the size of a window in which all count.""",
        "iterations": """iterations : int, optional
        How often to repeat; below 1, until nothing changes.""",
        "mask": """mask : array_like, optional
        Where elements may change; everywhere by default.""",
        "set_output": """output : ndarray, optional
        Where to put the result; a boolean array by default.""",
        "border_value": """border_value : int, optional
        What lies outside the array, 0 or 1.""",
        "brute_force": """brute_force : bool, optional
        Taken for compatibility.""",
        "result": """Returns
    -------
    ndarray
        The filtered array, of the input's shape.""",
    }
)
