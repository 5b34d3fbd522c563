"""Steps of loops on a GPU: few Programs, the same ones in every step, and NumPy's results."""

from test_host import on_gpu

PROGRAMS = """
def programs(run):
    run()
    with cp.testing.fusion_log() as log:
        found = run()
    return found, list(log)
"""


def test_a_step_that_reads_rows_of_a_small_system_is_one_launch():
    on_gpu(
        PROGRAMS
        + """
def step(xp, y, h=0.01):
    def f(y):
        return xp.stack([y[1], -xp.sin(y[0])])
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

def run(xp, y):
    for _ in range(6):
        y = step(xp, y)
    return y

start = np.random.default_rng(0).random((2, 500))
y = cp.asarray(start)
found, log = programs(lambda: cp.asnumpy(run(cp, y)))
np.testing.assert_allclose(found, run(np, start), rtol=1e-13, atol=1e-15)
# Each step is two boxes of one result.
assert len(log) == 12 and len(set(log)) <= 4, "\\n\\n".join(log)
"""
    )


def test_a_step_is_cut_where_a_result_is_broadcast():
    on_gpu(
        PROGRAMS
        + """
def step(place, speed):
    apart = place[None, :, :] - place[:, None, :]
    weight = ((apart * apart).sum(-1) + 0.01) ** -1.5
    speed = speed + 1e-4 * (apart * weight[:, :, None]).sum(1)
    return place + 0.01 * speed, speed

def run(place, speed):
    for _ in range(5):
        place, speed = step(place, speed)
    return place

n = 300
start = np.random.default_rng(0).random((n, 3))
place, speed = cp.asarray(start), cp.zeros((n, 3))
found, log = programs(lambda: cp.asnumpy(run(place, speed)))
np.testing.assert_allclose(found, run(start, np.zeros((n, 3))), rtol=1e-12)
large = [text for text in log if text.startswith("program (300, 300, 3)")]
squares = [text for text in large if "sum" not in text and "multiply" in text]
assert not squares, "\\n\\n".join(squares)
assert len(set(log)) <= 5, "\\n\\n".join(sorted(set(log)))
"""
    )


def test_small_products_fuse_with_what_is_around_them():
    on_gpu(
        PROGRAMS
        + """
rng = np.random.default_rng(0)
move, spread, noise = rng.random((4, 4)), rng.random((200, 4, 4)), rng.random((4, 4))
a, b, c = map(cp.asarray, (move, spread, noise))
found, log = programs(lambda: cp.asnumpy(2 * (a @ b) + c))
np.testing.assert_allclose(found, 2 * (move @ spread) + noise, rtol=1e-14)
assert len(log) == 1, "\\n\\n".join(log)
"""
    )


def test_small_products_have_the_same_bits_whenever_they_run():
    code = """
rng = np.random.default_rng(0)
for dtype in ("float32", "float64", "complex64", "complex128"):
    a, b = (cp.asarray(rng.standard_normal((50, 4, 4)).astype(dtype)) for _ in range(2))
    print(cp.asnumpy((a @ b @ a[:, :, :2]).sum(axis=0) + a[0] @ b[1, :, :2]).tobytes().hex())
"""
    assert on_gpu(code) == on_gpu(code, CUPRUM_DEFER="0")
