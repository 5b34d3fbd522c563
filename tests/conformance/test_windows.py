"""Window functions against NumPy, within a few ulps of the largest weight."""

import pytest
from twin import check


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("points", [-1, 0, 1, 2, 3, 8, 51, 12.0, 2.5])
def test_windows(name, points):
    check(lambda xp: 2 + getattr(xp, name)(points), ulps=2)


@pytest.mark.parametrize("beta", [0, 5, 14.5])
@pytest.mark.parametrize("points", [0, 1, 2, 3, 51])
def test_kaiser(points, beta):
    check(lambda xp: 2 + xp.kaiser(points, beta), ulps=4)
