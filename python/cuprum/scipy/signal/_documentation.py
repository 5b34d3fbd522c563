"""What the docstrings of filter design have in common."""

from __future__ import annotations

from ..._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "order": """N : int
        The order.""",
        "cutoff": """Wn : float or (2,) array_like
        The cutoff, or both of a band.""",
        "btype": """btype : {"low", "high", "bandpass", "bandstop"}, optional
        Which frequencies pass.""",
        "analog": """analog : bool, optional
        Design an analog filter; `Wn` are angular frequencies then.""",
        "output": """output : {"ba", "zpk", "sos"}, optional
        Coefficients of the transfer function, zeros and poles, or second-order sections.""",
        "fs": """fs : float, optional
        The sampling frequency; without it `Wn` are fractions of half of it.""",
        "zeros_poles": """z, p : (N,) array_like
        The zeros and the poles.""",
        "gain": """k : float
        The gain.""",
        "ba": """b, a : (N,) array_like
        The numerator and the denominator, by falling powers.""",
        "cutoff_frequency": """wo : float, optional
        The cutoff frequency.""",
        "band": """wo, bw : float, optional
        The middle and the width of the band.""",
    }
)
