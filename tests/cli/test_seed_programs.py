"""What tutorials teach newcomers to do with CuPy runs unchanged under ``cuprum run``, one program a topic.

Each program checks itself against NumPy or SciPy and prints ``done``.
"""

import subprocess
import sys
import textwrap

import pytest

PROGRAMS = {
    "first steps": """
        import numpy as np
        import cupy as cp

        print("versions", np.__version__, cp.__version__)
        a = cp.array([1, 2, 3, 4, 5])
        print(f"array {a} on {a.device}")
        b = cp.asarray(np.array([5, 4, 3, 2, 1]))
        assert cp.asnumpy(a + b).tolist() == [6] * 5
        assert type(b) is cp.ndarray and isinstance(cp.asnumpy(b), np.ndarray)
        x = cp.array([1, 2, 3], dtype=cp.float32)
        assert x.dtype == np.float32 and x.nbytes / 1024 / 1024 < 1
        assert cp.zeros((30, 40)).shape == (30, 40)
        m = np.arange(12.0).reshape(3, 4)
        d = cp.array(m)
        np.testing.assert_array_equal(cp.asnumpy(cp.dot(d, d.T)), m @ m.T)
        np.testing.assert_array_equal((d.get() == m), True)
        data = cp.arange(100_000, dtype=cp.float32)
        assert int(data[::1].size) == 100_000 and data[::1000].shape == (100,)
        chunk = np.arange(50.0).reshape(5, 10).flat[10:20]
        assert float(cp.asarray(chunk).sum()) == 145.0
    """,
    "elementwise work and reductions": """
        import numpy as np
        import cupy as cp

        n = 20_000
        x = cp.linspace(0, 1, n, dtype=cp.float32)
        y = cp.linspace(1, 2, n, dtype=cp.float32)
        z = x**2 + 2 * y
        hx, hy = cp.asnumpy(x), cp.asnumpy(y)
        np.testing.assert_array_equal(cp.asnumpy(z), hx**2 + 2 * hy)
        np.testing.assert_allclose(float(cp.mean(z)), np.mean(hx**2 + 2 * hy), rtol=1e-6)
        np.testing.assert_allclose(float(cp.sum(z)), np.sum(hx**2 + 2 * hy, dtype=float), rtol=1e-6)
        assert f"{cp.mean(x):.2f}" == "0.50"
        table = np.arange(60.0).reshape(20, 3) ** 1.5
        t = cp.asarray(table)
        scaled = (t - cp.mean(t, axis=0)) / cp.std(t, axis=0)
        expected = (table - table.mean(axis=0)) / table.std(axis=0)
        np.testing.assert_allclose(cp.asnumpy(scaled), expected, rtol=1e-12, atol=1e-14)
        waves = cp.sin(x) * cp.cos(x) + cp.sqrt(cp.abs(x)) + cp.tanh(x) * 2.0 + 1.0
        waves_host = np.sin(hx) * np.cos(hx) + np.sqrt(np.abs(hx)) + np.tanh(hx) * 2 + 1
        np.testing.assert_allclose(cp.asnumpy(waves), waves_host, rtol=1e-6)
        total = 0
        for i in range(10):
            total += cp.sum(t)
        np.testing.assert_allclose(cp.asnumpy(total), table.sum() * 10, rtol=1e-13)
        host_total = 0
        host_total += cp.asnumpy(cp.sum(t))
        np.testing.assert_allclose(host_total, table.sum(), rtol=1e-13)
        image = cp.asarray(np.linspace(0, 1, 300, dtype=np.float32).reshape(10, 10, 3))
        assert cp.mean(image, axis=2).shape == (10, 10)
        assert cp.where(x > 0.5, x, 0).shape == cp.clip(x, 0.2, 0.8).shape == (n,)
        np.testing.assert_array_equal(cp.asnumpy(cp.sort(-x)), np.sort(-hx))
        np.testing.assert_array_equal(cp.asnumpy(cp.argsort(-x)), np.argsort(-hx, kind="stable"))
        peaks = x > cp.percentile(x, 90)
        assert int(cp.sum(peaks)) == np.sum(hx > np.percentile(hx, 90))
    """,
    "devices and memory": """
        import numpy as np
        import cupy as cp

        device = cp.cuda.Device()
        facts = cp.cuda.runtime.getDeviceProperties(device.id)
        print("on", device, facts["name"].decode(), facts["multiProcessorCount"])
        assert facts["totalGlobalMem"] / (1024**3) > 0
        n = cp.cuda.runtime.getDeviceCount()
        for number in range(n):
            with cp.cuda.Device(number):
                assert cp.array([1, 2, 3]).device == cp.cuda.Device(number)
        pool = cp.get_default_memory_pool()
        held = [cp.ones((500, 500)) for _ in range(3)]
        assert pool.used_bytes() >= 3 * 500 * 500 * 8 and pool.total_bytes() >= pool.used_bytes()
        del held
        cp.get_default_memory_pool().free_all_blocks()
        assert pool.total_bytes() == pool.used_bytes()
        pool.set_limit(size=1024**3)
        try:
            cp.zeros((100000, 100000))
        except cp.cuda.memory.OutOfMemoryError as error:
            print("too much:", error)
            fallback = cp.zeros((100, 100))
        cp.cuda.Device().synchronize()
        assert float(cp.sum(fallback)) == 0
        with cp.cuda.stream.Stream():
            pinned = cp.cuda.alloc_pinned_memory(800)
        host = np.frombuffer(pinned, np.float64, 100)
        host[:] = 2
        assert float(cp.asarray(host).sum()) == 200
        available = cp.cuda.is_available()
        assert available == repr(device).startswith("<CUDA")
    """,
    "timing": """
        import time
        import numpy as np
        import cupy as cp

        x = cp.asarray(np.arange(100_000, dtype=np.float32))
        _ = x.sum()
        cp.cuda.Stream.null.synchronize()
        first, second = cp.cuda.Event(), cp.cuda.Event()
        first.record()
        total = x.sum()
        second.record()
        second.synchronize()
        milliseconds = cp.cuda.get_elapsed_time(first, second)
        assert milliseconds > 0
        print(f"{milliseconds / 1000.0:.3f} s for {float(total):.4f}")

        def timed(function, *args, **keywords):
            for _ in range(3):
                function(*args, **keywords)
            cp.cuda.Device().synchronize()
            start = time.time()
            result = function(*args, **keywords)
            cp.cuda.Device().synchronize()
            return result, time.time() - start

        result, seconds = timed(cp.linalg.svd, cp.random.random((20, 20)))
        assert len(result) == 3 and seconds >= 0
        with cp.cuda.profile():
            spectrum = cp.fft.fft2(cp.random.random((32, 32)))
        assert spectrum.shape == (32, 32) and spectrum.dtype == np.complex128
    """,
    "random numbers": """
        import numpy as np
        import cupy as cp

        n = 100_000
        x = cp.random.random(n, dtype=cp.float32)
        y = cp.random.random(n, dtype=cp.float32)
        assert x.dtype == np.float32
        inside = (x**2 + y**2) <= 1.0
        estimate = float(4.0 * cp.sum(inside) / n)
        assert abs(estimate - np.pi) < 0.05
        assert cp.random.random((4, 5)).shape == cp.random.rand(4, 5).shape == (4, 5)
        normal = cp.random.randn(n, dtype=cp.float32)
        assert normal.dtype == np.float32 and abs(float(normal.mean())) < 0.05
        assert abs(float(cp.random.randn(200, 300).std()) - 1) < 0.05
        whole = cp.random.randint(0, 255, size=(20, 30))
        assert whole.shape == (20, 30) and 0 <= int(whole.min()) and int(whole.max()) < 255
    """,
    "transforms": """
        import numpy as np
        import cupy as cp
        from cupyx.scipy import fft as device_fft
        from scipy import fft as host_fft

        rng = np.random.default_rng(3)
        whole = rng.integers(0, 255, size=(16, 12))
        spectrum = device_fft.fftn(cp.asarray(whole))
        np.testing.assert_allclose(cp.asnumpy(spectrum), host_fft.fftn(whole), rtol=1e-12, atol=1e-9)
        signal = rng.random(100)
        round_trip = cp.fft.ifft(cp.fft.fft(cp.asarray(signal)))
        np.testing.assert_allclose(cp.asnumpy(round_trip).real, signal, rtol=1e-12)
    """,
    "linear algebra": """
        import numpy as np
        import cupy as cp

        rng = np.random.default_rng(3)
        a, b = rng.random((6, 6)) + 6 * np.eye(6), rng.random(6)
        solution = cp.linalg.solve(cp.asarray(a), cp.asarray(b))
        np.testing.assert_allclose(cp.asnumpy(solution), np.linalg.solve(a, b), rtol=1e-12)
        u, s, vh = cp.linalg.svd(cp.asarray(a))
        np.testing.assert_allclose(cp.asnumpy((u * s) @ vh), a, rtol=1e-11)
        values = np.sort_complex(cp.asnumpy(cp.linalg.eig(cp.asarray(a + a.T))[0]))
        np.testing.assert_allclose(values.real, np.linalg.eigvalsh(a + a.T), rtol=1e-11)
        product = cp.matmul(cp.asarray(a), cp.asarray(a))
        np.testing.assert_allclose(cp.asnumpy(product), a @ a, rtol=1e-13)
    """,
    "images and signals": """
        import numpy as np
        import scipy.ndimage
        import scipy.signal
        import cupy as cp
        import cupyx.scipy.signal as device_signal
        from cupyx.scipy import ndimage

        image = np.random.default_rng(5).random((40, 50)).astype(np.float32)
        box = np.ones((3, 3), dtype=np.float32)
        box /= box.sum()
        blurred = device_signal.convolve2d(cp.asarray(image), cp.asarray(box), mode="same", boundary="symm")
        expected = scipy.signal.convolve2d(image, box, mode="same", boundary="symm")
        np.testing.assert_allclose(cp.asnumpy(blurred), expected, rtol=1e-5)
        n = 5000
        x = cp.linspace(0, 4 * cp.pi, n)
        wave = cp.sin(x) + 0.1 * cp.cos(40 * x)
        kernel = cp.ones(100) / 100
        assert abs(float(kernel.sum()) - 1) < 1e-12
        smooth = ndimage.uniform_filter1d(wave, size=100)
        expected = scipy.ndimage.uniform_filter1d(cp.asnumpy(wave), size=100)
        np.testing.assert_allclose(cp.asnumpy(smooth), expected, rtol=1e-9, atol=1e-12)
        peaks = smooth > cp.percentile(smooth, 90)
        assert 0 < int(cp.sum(peaks)) < n
        soft = scipy.ndimage.gaussian_filter(cp.asnumpy(cp.asarray(image)), sigma=1.0)
        assert cp.asarray(soft).shape == image.shape
    """,
    "masks": """
        import numpy as np
        import cupy as cp

        def escape_times(xp, width, height, limit):
            re = xp.linspace(-2, 1, width, dtype=xp.float64)
            im = xp.linspace(-1.5, 1.5, height, dtype=xp.float64)
            grid_re, grid_im = xp.meshgrid(re, im, indexing="ij")
            c = grid_re + 1j * grid_im
            z = xp.zeros_like(c, dtype=xp.complex128)
            shade = xp.zeros(c.shape, dtype=xp.float64)
            alive = xp.ones(c.shape, dtype=bool)
            for step in range(limit):
                z[alive] = z[alive] * z[alive] + c[alive]
                gone = (xp.abs(z) > 2.0) & alive
                if gone.any():
                    shade[gone] = step + 1 - xp.log(xp.log(xp.abs(z[gone]))) / xp.log(2.0)
                    alive[gone] = False
                if not alive.any():
                    break
            return shade

        ours = escape_times(cp, 40, 30, 25)
        assert isinstance(ours, cp.ndarray)
        np.testing.assert_allclose(cp.asnumpy(ours), escape_times(np, 40, 30, 25), rtol=1e-9)
    """,
    "one function for both": """
        import numpy as np
        import cupy as cp

        def summary(xp, data):
            return xp.sum(data**2), xp.mean(data)

        host = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
        for xp, data in ((np, host), (cp, cp.asarray(host))):
            squares, mean = summary(xp, data)
            assert (float(squares), float(mean)) == (55.0, 3.0)
            assert cp.get_array_module(data) is xp

        def magnitude(data):
            on_device = isinstance(data, cp.ndarray)
            result = cp.sqrt(cp.asarray(data) ** 2 + 1)
            return result if on_device else cp.asnumpy(result)

        assert isinstance(magnitude(host), np.ndarray)
        assert isinstance(magnitude(cp.asarray(host)), cp.ndarray)

        class Section:
            def __init__(self):
                self.arrays = {}

            def __enter__(self):
                return self

            def __exit__(self, *_):
                self.arrays.clear()
                cp.get_default_memory_pool().free_all_blocks()

            def put(self, name, array):
                self.arrays[name] = cp.asarray(array)
                return self.arrays[name]

        with Section() as section:
            root = cp.sqrt(section.put("data", host) ** 2 + 1)
            back = cp.asnumpy(section.arrays["data"])
        np.testing.assert_array_equal(back, host)
        assert root.shape == host.shape
    """,
}


@pytest.mark.parametrize("topic", PROGRAMS)
def test_program(topic, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAMS[topic]) + "\nprint('done')\n")
    command = [sys.executable, "-m", "cuprum", "run", str(path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")
