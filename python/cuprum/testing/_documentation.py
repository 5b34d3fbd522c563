"""What the docstrings of assertions have in common."""

from __future__ import annotations

from .._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "actual": """actual : array_like
        What was computed.
    desired : array_like
        What is right.""",
        "message": """err_msg : str, optional
        Put into the message of the failure.
    verbose : bool, optional
        Whether the message shows the values.""",
        "strict": """strict : bool, optional
        Whether shapes and dtypes must be equal too.""",
        "raises": """Raises
    ------
    AssertionError
        Where that does not hold.""",
    }
)
