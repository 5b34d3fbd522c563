"""One function for both libraries: it asks its argument which library it belongs to.

python examples/xp_pattern.py [--size small|medium|large|N]     N: rows
"""

from typing import Any

import numpy as np
from kit import parse

import cuprum as cp


def softmax(logits: Any, axis: int = -1) -> Any:
    """Exponentials that sum to one along `axis`, safe from overflow."""
    xp = cp.get_array_module(logits)
    weights = xp.exp(logits - logits.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def entropy(probabilities: Any, axis: int = -1) -> Any:
    """Shannon's entropy in bits; a probability of zero adds nothing."""
    xp = cp.get_array_module(probabilities)
    positive = probabilities > 0
    terms = probabilities * xp.log2(xp.where(positive, probabilities, 1.0))
    return -terms.sum(axis=axis)


def main() -> None:
    sizes = {"small": 100, "medium": 10_000, "large": 1_000_000}
    rows = parse("Run one function on NumPy's arrays and on Cuprum's.", sizes).size
    logits = np.random.default_rng(1).normal(0.0, 3.0, (rows, 64))
    results = {}
    for name, array in {"NumPy": logits, "Cuprum": cp.asarray(logits)}.items():
        bits = entropy(softmax(array))
        results[name] = cp.asnumpy(bits)
        kind = f"{type(bits).__module__.partition('.')[0]}.{type(bits).__name__}"
        print(f"{name:7} {kind:15} {bits.shape} mean entropy {float(bits.mean()):.12f} bits")
    np.testing.assert_allclose(results["Cuprum"], results["NumPy"], rtol=1e-12)
    print("Both agree.")


if __name__ == "__main__":
    main()
