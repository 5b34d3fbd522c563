"""Whole programs as people write them for Numba, against NumPy."""

import math

import numpy as np
import pytest

from cuprum.compat.numba import cuda, float32
from cuprum.compat.numba.cuda.random import (
    create_xoroshiro128p_states,
    xoroshiro128p_normal_float32,
    xoroshiro128p_normal_float64,
    xoroshiro128p_uniform_float32,
    xoroshiro128p_uniform_float64,
)

TILE = 16


def blocks(shape, block):
    return tuple(-(-size // threads) for size, threads in zip(shape, block, strict=True))


@cuda.jit
def add_one_kernel(A):
    # Get thread position
    x, y = cuda.grid(2)

    # Check if within bounds
    if x < A.shape[0] and y < A.shape[1]:
        A[x, y] += 1


def test_add_one():
    A = np.arange(35.0).reshape(5, 7)
    threads_per_block = (16, 16)
    blocks_per_grid = (
        (A.shape[0] + threads_per_block[0] - 1) // threads_per_block[0],
        (A.shape[1] + threads_per_block[1] - 1) // threads_per_block[1],
    )
    add_one_kernel[blocks_per_grid, threads_per_block](A)
    np.testing.assert_array_equal(A, np.arange(35.0).reshape(5, 7) + 1)


@cuda.jit
def product(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@cuda.jit
def tiled_product(a, b, c):
    left = cuda.shared.array((TILE, TILE), dtype=float32)
    right = cuda.shared.array((TILE, TILE), dtype=float32)
    i, j = cuda.grid(2)
    row, column = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        k = tile * TILE + column
        left[row, column] = a[i, k] if i < a.shape[0] and k < a.shape[1] else 0
        k = tile * TILE + row
        right[row, column] = b[k, j] if k < b.shape[0] and j < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            total += left[row, k] * right[k, column]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


@pytest.mark.parametrize("kernel", [product, tiled_product], ids=["plain", "tiled"])
def test_matrix_products(kernel):
    rng = np.random.default_rng(0)
    a, b = rng.random((37, 50), np.float32), rng.random((50, 29), np.float32)
    c = np.zeros((37, 29), np.float32)
    kernel[blocks(c.shape, (TILE, TILE)), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@cuda.jit(device=True)
def escape(x, y, limit):
    z, c = 0.0j, complex(x, y)
    for n in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return n
    return limit


@cuda.jit
def mandelbrot(image, x0, x1, y0, y1, limit):
    height, width = image.shape
    start_x, start_y = cuda.grid(2)
    step_x = cuda.gridDim.x * cuda.blockDim.x
    step_y = cuda.gridDim.y * cuda.blockDim.y
    for column in range(start_x, width, step_x):
        for row in range(start_y, height, step_y):
            x = x0 + column * (x1 - x0) / width
            y = y0 + row * (y1 - y0) / height
            image[row, column] = escape(x, y, limit)


def test_mandelbrot():
    image = np.zeros((40, 60), np.uint8)
    mandelbrot[(2, 2), (8, 8)](image, -2.0, 1.0, -1.0, 1.0, 30)
    x = -2.0 + np.arange(60) * 3.0 / 60
    y = -1.0 + np.arange(40) * 2.0 / 40
    c = x[None, :] + 1j * y[:, None]
    z, expected = np.zeros_like(c), np.full(c.shape, 30)
    for n in range(30):
        active = expected == 30
        z[active] = z[active] ** 2 + c[active]
        gone = active & (z.real**2 + z.imag**2 >= 4)
        expected[gone] = n
    np.testing.assert_array_equal(image, expected)


@cuda.jit
def life(world, after):
    i, j = cuda.grid(2)
    n, m = world.shape
    if i >= n or j >= m:
        return
    alive = 0
    for di in range(-1, 2):
        for dj in range(-1, 2):
            if di != 0 or dj != 0:
                alive += world[(i + di) % n, (j + dj) % m]
    after[i, j] = 1 if alive == 3 or (alive == 2 and world[i, j]) else 0


def test_game_of_life():
    world = (np.random.default_rng(7).random((23, 31)) < 0.3).astype(np.int8)
    first, second = cuda.to_device(world), cuda.device_array_like(world)
    expected = world.copy()
    for _ in range(5):
        life[blocks(world.shape, (8, 8)), (8, 8)](first, second)
        first, second = second, first
        around = sum(
            np.roll(expected, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)
        )
        expected = ((around == 3) | ((around == 2) & (expected == 1))).astype(np.int8)
    np.testing.assert_array_equal(first.copy_to_host(), expected)


@cuda.jit
def bodies(positions, masses, forces, softening):
    i = cuda.grid(1)
    if i < positions.shape[0]:
        fx, fy, fz = 0.0, 0.0, 0.0
        for j in range(positions.shape[0]):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            inverse = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz + softening**2)
            s = masses[j] * inverse**3
            fx += s * dx
            fy += s * dy
            fz += s * dz
        forces[i, 0], forces[i, 1], forces[i, 2] = fx, fy, fz


def test_bodies():
    rng = np.random.default_rng(11)
    positions, masses = rng.random((50, 3)), rng.random(50)
    forces = np.zeros((50, 3))
    bodies[1, 64](positions, masses, forces, 0.1)
    d = positions[None, :, :] - positions[:, None, :]
    inverse = 1 / np.sqrt((d**2).sum(axis=2) + 0.01)
    expected = (masses[None, :, None] * inverse[..., None] ** 3 * d).sum(axis=1)
    np.testing.assert_allclose(forces, expected, rtol=1e-10)


@cuda.jit
def heat(u, v, alpha):
    i, j = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        v[i, j] = u[i, j] + alpha * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])


def test_heat():
    u = np.random.default_rng(2).random((20, 25))
    v = u.copy()
    heat[blocks(u.shape, (8, 8)), (8, 8)](u, v, 0.1)
    expected = u.copy()
    inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    expected[1:-1, 1:-1] += 0.1 * inner
    np.testing.assert_allclose(v, expected, rtol=1e-14)


@cuda.jit
def scan_block(a, out):
    own = cuda.shared.array(128, np.int64)
    t = cuda.threadIdx.x
    own[t] = a[t]
    cuda.syncthreads()
    distance = 1
    while distance < cuda.blockDim.x:
        value = own[t - distance] if t >= distance else 0
        cuda.syncthreads()
        own[t] += value
        cuda.syncthreads()
        distance *= 2
    out[t] = own[t]


def test_prefix_sums():
    a = np.random.default_rng(4).integers(-50, 50, 128)
    out = np.zeros(128, np.int64)
    scan_block[1, 128](a, out)
    np.testing.assert_array_equal(out, np.cumsum(a))


@cuda.jit
def bitonic_step(a, j, k):
    i = cuda.grid(1)
    other = i ^ j
    if other > i:
        ascending = (i & k) == 0
        if (ascending and a[i] > a[other]) or (not ascending and a[i] < a[other]):
            a[i], a[other] = a[other], a[i]


def test_bitonic_sort():
    a = np.random.default_rng(9).random(256)
    device = cuda.to_device(a)
    k = 2
    while k <= 256:
        j = k // 2
        while j > 0:
            bitonic_step[4, 64](device, j, k)
            j //= 2
        k *= 2
    np.testing.assert_array_equal(device.copy_to_host(), np.sort(a))


@cuda.jit
def dot(a, b, out):
    own = cuda.shared.array(128, np.float64)
    t = cuda.threadIdx.x
    total = 0.0
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        total += a[i] * b[i]
    own[t] = total
    cuda.syncthreads()
    width = 64
    while width:
        if t < width:
            own[t] += own[t + width]
        cuda.syncthreads()
        width >>= 1
    if t == 0:
        cuda.atomic.add(out, 0, own[0])


def test_dot():
    rng = np.random.default_rng(8)
    a, b, out = rng.random(5000), rng.random(5000), np.zeros(1)
    dot[8, 128](a, b, out)
    np.testing.assert_allclose(out[0], a @ b, rtol=1e-12)


@cuda.jit
def black_scholes(price, strike, years, rate, volatility, call, put):
    i = cuda.grid(1)
    if i >= price.size:
        return
    root = math.sqrt(years[i])
    d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / (
        volatility * root
    )
    d2 = d1 - volatility * root
    n1, n2 = normal(d1), normal(d2)
    discounted = strike[i] * math.exp(-rate * years[i])
    call[i] = price[i] * n1 - discounted * n2
    put[i] = discounted * (1 - n2) - price[i] * (1 - n1)


@cuda.jit(device=True)
def normal(d):
    return 0.5 * math.erfc(-d / math.sqrt(2.0))


def test_black_scholes():
    rng = np.random.default_rng(5)
    price, strike, years = rng.uniform(5, 30, 200), rng.uniform(1, 100, 200), rng.uniform(0.25, 10, 200)
    call, put = np.zeros(200), np.zeros(200)
    black_scholes[2, 128](price, strike, years, 0.02, 0.3, call, put)
    np.testing.assert_allclose(call - put, price - strike * np.exp(-0.02 * years), rtol=1e-9, atol=1e-9)
    d1 = (np.log(price / strike) + (0.02 + 0.045) * years) / (0.3 * np.sqrt(years))
    n = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)))
    expected = price * n(d1) - strike * np.exp(-0.02 * years) * n(d1 - 0.3 * np.sqrt(years))
    np.testing.assert_allclose(call, expected, rtol=1e-9)


@cuda.jit
def levenshtein(words, lengths, out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    table = cuda.local.array((12, 12), np.int32)
    n, m = lengths[2 * i], lengths[2 * i + 1]
    for a in range(n + 1):
        table[a, 0] = a
    for b in range(m + 1):
        table[0, b] = b
    for a in range(1, n + 1):
        for b in range(1, m + 1):
            cost = 0 if words[2 * i, a - 1] == words[2 * i + 1, b - 1] else 1
            table[a, b] = min(table[a - 1, b] + 1, table[a, b - 1] + 1, table[a - 1, b - 1] + cost)
    out[i] = table[n, m]


def test_levenshtein():
    pairs = [("kitten", "sitting"), ("flaw", "lawn"), ("", "abc"), ("same", "same")]
    flat = [word for pair in pairs for word in pair]
    words = np.zeros((len(flat), 12), np.uint8)
    for row, word in zip(words, flat, strict=True):
        row[: len(word)] = np.frombuffer(word.encode(), np.uint8)
    out = np.zeros(len(pairs), np.int64)
    levenshtein[1, 4](words, np.array([len(word) for word in flat]), out)
    assert out.tolist() == [3, 2, 3, 0]


def reference_states(n, seed):
    """Blackman's and Vigna's generator, one step after the other."""
    mask = (1 << 64) - 1
    z = (seed + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    z ^= z >> 31
    states = [[z, z]]
    for _ in range(n - 1):
        state, s0, s1 = list(states[-1]), 0, 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    s0, s1 = s0 ^ state[0], s1 ^ state[1]
                reference_next(state)
        states.append([s0, s1])
    return states


def reference_next(state):
    mask = (1 << 64) - 1
    s0, s1 = state
    result = (s0 + s1) & mask
    s1 ^= s0
    state[0] = ((s0 << 55 | s0 >> 9) & mask) ^ s1 ^ (s1 << 14 & mask)
    state[1] = (s1 << 36 | s1 >> 28) & mask
    return result


def test_states_are_the_generators_own():
    states = create_xoroshiro128p_states(5, seed=42).copy_to_host()
    assert [[int(s["s0"]), int(s["s1"])] for s in states] == reference_states(5, 42)
    later = create_xoroshiro128p_states(2, seed=42, subsequence_start=3).copy_to_host()
    np.testing.assert_array_equal(later, states[3:5])


@cuda.jit
def draws(states, uniform, single, normal, wide):
    i = cuda.grid(1)
    for k in range(uniform.shape[1]):
        uniform[i, k] = xoroshiro128p_uniform_float64(states, i)
    for k in range(uniform.shape[1]):
        single[i, k] = xoroshiro128p_uniform_float32(states, i)
    for k in range(uniform.shape[1]):
        normal[i, k] = xoroshiro128p_normal_float32(states, i)
        wide[i, k] = xoroshiro128p_normal_float64(states, i)


def test_random_sequences():
    states = create_xoroshiro128p_states(4, seed=7)
    uniform, wide = np.zeros((4, 10)), np.zeros((4, 10))
    single, normal = np.zeros((4, 10), np.float32), np.zeros((4, 10), np.float32)
    draws[1, 4](states, uniform, single, normal, wide)
    for i, state in enumerate(reference_states(4, 7)):
        unit = lambda: (reference_next(state) >> 11) * 2.0**-53  # noqa: B023
        assert uniform[i].tolist() == [unit() for _ in range(10)]
        assert single[i].tolist() == [float(np.float32(unit())) for _ in range(10)]
        for k in range(10):
            u1, u2 = np.float32(unit()), np.float32(unit())
            expected = np.sqrt(np.float32(-2) * np.log(u1)) * np.cos(np.float32(2 * np.pi) * u2)
            np.testing.assert_allclose(normal[i, k], expected, rtol=2e-5, atol=1e-6)
            u1, u2 = np.float32(unit()), np.float32(unit())
            expected = math.sqrt(-2 * float(np.log(u1))) * math.cos(2 * math.pi * float(u2))
            np.testing.assert_allclose(wide[i, k], expected, rtol=1e-6, atol=1e-7)


@cuda.jit
def random_walk(states, x, y, steps):
    i = cuda.grid(1)
    if i < x.size:
        for _ in range(steps):
            direction = int(xoroshiro128p_uniform_float32(states, i) * 4)
            if direction == 0:
                x[i] += 1
            elif direction == 1:
                x[i] -= 1
            elif direction == 2:
                y[i] += 1
            else:
                y[i] -= 1


def test_random_walks():
    states = create_xoroshiro128p_states(256, seed=3)
    x, y = np.zeros(256, np.int32), np.zeros(256, np.int32)
    random_walk[2, 128](states, x, y, 100)
    assert ((x + y) % 2 == 0).all()
    squares = (x.astype(float) ** 2 + y.astype(float) ** 2).mean()
    assert 70 < squares < 130


@cuda.jit
def estimate_pi(states, iterations, out):
    i = cuda.grid(1)
    if i < out.size:
        inside = 0
        for _ in range(iterations):
            x = xoroshiro128p_uniform_float32(states, i)
            y = xoroshiro128p_uniform_float32(states, i)
            if x**2 + y**2 <= 1.0:
                inside += 1
        out[i] = 4.0 * inside / iterations


def test_estimate_pi():
    out = np.zeros(128, np.float32)
    estimate_pi[1, 128](create_xoroshiro128p_states(128, seed=1), 1000, out)
    assert abs(out.mean() - math.pi) < 0.02


@cuda.jit
def convolved(image, kernel, out):
    i, j = cuda.grid(2)
    if i < image.shape[0] and j < image.shape[1]:
        total = 0.0
        for k in range(kernel.shape[0]):
            for m in range(kernel.shape[1]):
                y = i + k - kernel.shape[0] // 2
                x = j + m - kernel.shape[1] // 2
                if y >= 0 and y < image.shape[0] and x >= 0 and x < image.shape[1]:
                    total += kernel[k, m] * image[y, x]
        out[i, j] = total


def test_convolution():
    rng = np.random.default_rng(6)
    image, kernel = rng.random((12, 15)), rng.random((3, 5))
    out = np.zeros_like(image)
    convolved[blocks(image.shape, (8, 8)), (8, 8)](image, kernel, out)
    padded = np.pad(image, ((1, 1), (2, 2)))
    expected = sum(kernel[k, m] * padded[k : k + 12, m : m + 15] for k in range(3) for m in range(5))
    np.testing.assert_allclose(out, expected)


@cuda.jit
def k_means_step(points, centres, labels, sums, counts):
    i = cuda.grid(1)
    if i >= points.shape[0]:
        return
    best, smallest = -1, math.inf
    for c in range(centres.shape[0]):
        distance = 0.0
        for d in range(points.shape[1]):
            distance += (points[i, d] - centres[c, d]) ** 2
        if distance < smallest:
            smallest = distance
            best = c
    labels[i] = best
    cuda.atomic.add(counts, best, 1)
    for d in range(points.shape[1]):
        cuda.atomic.add(sums, (best, d), points[i, d])


def test_k_means():
    rng = np.random.default_rng(12)
    points, centres = rng.random((300, 2)), rng.random((5, 2))
    labels, sums, counts = np.zeros(300, np.int32), np.zeros((5, 2)), np.zeros(5, np.int32)
    k_means_step[3, 128](points, centres, labels, sums, counts)
    expected = ((points[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(counts, np.bincount(expected, minlength=5))
    for c in range(5):
        np.testing.assert_allclose(sums[c], points[expected == c].sum(axis=0))


@cuda.jit
def sieve(flags):
    i = cuda.grid(1)
    if i >= 2 and i * i < flags.size and flags[i]:
        k = i * i
        while k < flags.size:
            flags[k] = False
            k += i


def test_sieve():
    flags = np.ones(200, np.bool_)
    flags[:2] = False
    sieve[1, 256](flags)
    primes = [n for n in range(2, 200) if all(n % d for d in range(2, n))]
    assert np.flatnonzero(flags).tolist() == primes


@cuda.jit
def run_lengths(a, out):
    i = cuda.grid(1)
    if i < a.size and (i == 0 or a[i - 1] != a[i]):
        n = 1
        while i + n < a.size and a[i + n] == a[i]:
            n += 1
        out[i] = n


def test_short_circuits_keep_indices_within_the_array():
    a = np.array([1, 1, 2, 2, 2, 3, 1])
    out = np.zeros(7, np.int64)
    run_lengths[1, 32](a, out)
    assert out.tolist() == [2, 0, 3, 0, 0, 1, 1]
