"""A program with mistakes that type checkers find: each line marked `error` is one."""

import cuprum as cp

x = cp.linspace(0, 1, 5)
y = cp.exp(x)
y.shap  # error
cp.exq(x)  # error
cp.exp(x, x, x, x)  # error
cp.zeros(3, order="Z")  # error
text: str = cp.where(x > 0, x, 0)  # error
number: int = cp.linalg.norm(x)  # error
cp.linalg.solv(x, x)  # error
cp.fft.fft("a", norm="forwards")  # error
