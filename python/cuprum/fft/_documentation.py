"""What the docstrings of Fourier transforms have in common, here and in `cuprum.scipy.fft`."""

from __future__ import annotations

from .._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "axes_or_all": """axes : int or sequence of int, optional
        The axes; the last `len(s)` by default, or all.""",
        "last_axes": """axes : int or sequence of int, optional
        The axes; the last two by default.""",
        "axes_or_all_numpy": """axes : sequence of int, optional
        The axes; the last `len(s)` by default, or all.""",
        "last_axes_numpy": """axes : sequence of int, optional
        The axes; the last two by default.""",
        "axis": """axis : int, optional
        The axis to transform along; the last one by default.""",
        "n": """n : int, optional
        The number of points: longer lines are cut off, shorter ones filled up with zeros.""",
        "norm": """norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by the number of points: the inverse, both by its square root, or the
        forward one.""",
        "norm_of_cosines": """norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by twice the number of points: the inverse, both by its square root, or the
        forward one.""",
        "norm_of_n": """norm : {"backward", "ortho", "forward"}, optional
        Which direction divides by `n`: the inverse, both by its square root, or the forward one.""",
        "orthogonalize": """orthogonalize : bool, optional
        Whether the transform's matrix is made orthogonal but for a factor; by default if `norm` is
        "ortho".""",
        "overwrite_x": """overwrite_x : bool, optional
        Whether the result is written into `x`, and is `x`: of `fft`, `ifft` and those over several axes,
        where `x` is a complex array of the result's dtype and shape. Other transforms never change `x`.""",
        "plan": """plan : None, optional
        Taken for compatibility; plans are kept by themselves.""",
        "workers": """workers : int, optional
        Checked, and taken for compatibility; all threads work.""",
        "out": """out : ndarray, optional
        Where to put the result.""",
        "s": """s : int or sequence of int, optional
        The number of points along each axis; -1 is the axis's own length.""",
        "s_of_result": """s : int or sequence of int, optional
        The shape of the result along the axes; the last one is `2 * (m - 1)` by default.""",
        "s_numpy": """s : sequence of int, optional
        The number of points along each axis; -1 is the axis's own length.""",
        "type": """type : {1, 2, 3, 4}, optional
        The type of the transform.""",
        "x_by_parts": """x : array_like
        The array; real and imaginary parts are transformed each for itself.""",
    }
)
