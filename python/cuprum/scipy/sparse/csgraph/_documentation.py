"""What the docstrings of functions of graphs have in common."""

from __future__ import annotations

from ...._documentation import shared_paragraphs

documented = shared_paragraphs(
    {
        "graph": """csgraph : sparse matrix or array_like
        The graph.""",
        "directed": """directed : bool, optional
        Whether edges lead one way.""",
        "return_predecessors": """return_predecessors : bool, optional
        Whether to return the predecessors too.""",
        "unweighted": """unweighted : bool, optional
        Whether each edge counts 1.""",
        "sources": """indices : array_like of int, optional
        The nodes to begin at; all of them by default.""",
        "start": """i_start : int
        The node to begin at.""",
        "lengths": """dist_matrix : ndarray of float64
        The lengths, infinite where no path leads.""",
        "predecessors": """predecessors : ndarray of int32
        The node before each node on the paths, -9999 where there is none.""",
    }
)
