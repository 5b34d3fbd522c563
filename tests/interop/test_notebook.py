"""Notebooks and prompts: arrays as HTML, `pending`, the timing magics, progress, help of ufuncs, messages."""

import base64
import html.parser
import io
import pydoc
import re
import struct
import sys
import zlib

import numpy as np
import pytest

import cuprum as cp
from cuprum import compat
from cuprum._io.progress import CountedFile, Progress
from cuprum._notebook import html as pictures
from cuprum._notebook import timing
from cuprum.compat.cupyx import profiler


class Parsed(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text, self.images = [], [], "", []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attributes)["src"])
        elif tag != "polyline":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag != "polyline":
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += f" {data}"


def pixels(source):
    """The pixels of a PNG file in a data URL."""
    data = base64.b64decode(source.partition(",")[2])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, content = 8, b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        name, part = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + part)
        if name == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", part[:10])
        content += part if name == b"IDAT" else b""
        at += 12 + length
    channels = {2: 3, 6: 4}[colour]
    rows = np.frombuffer(zlib.decompress(content), dtype=np.uint8).reshape(height, 1 + width * channels)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, channels)


@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (5,), (3, 4), (2, 3, 4), (0, 5), (20, 2)], ids=lambda shape: str(shape)
)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?", "c8"])
def test_arrays_show_their_facts_and_elements(shape, dtype):
    a = cp.ones(shape, dtype=dtype)
    page = Parsed(a._repr_html_())
    assert str(a.dtype) in page.text
    assert "script" not in page.tags
    assert "img" not in page.tags


def test_a_table_shows_the_corners():
    page = Parsed(cp.arange(200).reshape(20, 10)._repr_html_())
    assert re.findall(r"\d+", page.text.partition("KB")[2])[:5] == ["0", "1", "2", "3", "6"]
    assert "199" in page.text
    assert "20x10 · int64" in page.text


def test_a_matrix_is_a_picture_and_a_vector_a_line():
    values = np.linspace(0, 1, 400).reshape(20, 20)
    values[3, 4] = np.nan
    picture = pixels(Parsed(cp.asarray(values)._repr_html_()).images[0])
    assert picture.shape == (20, 20, 3)
    assert tuple(picture[0, 0]) == pictures._DARK
    assert tuple(picture[-1, -1]) == pictures._LIGHT
    assert tuple(picture[3, 4]) == (128, 128, 128)
    assert "svg" in Parsed(cp.arange(10_000)._repr_html_()).tags
    assert pixels(Parsed(cp.zeros((2000, 300))._repr_html_()).images[0]).shape == (250, 150, 3)


@pytest.mark.parametrize("channels", [3, 4])
def test_colours_are_shown_as_they_are(channels):
    host = np.random.default_rng(1).integers(0, 256, (16, 17, channels), dtype=np.uint8)
    np.testing.assert_array_equal(pixels(Parsed(cp.asarray(host)._repr_html_()).images[0]), host)
    shown = pixels(Parsed(cp.asarray(host / 255)._repr_html_()).images[0])
    assert np.abs(shown.astype(int) - host).max() <= 1


@pytest.mark.fusion
def test_pending_tells_and_computes_nothing():
    a = cp.asarray(np.ones(100_000))
    b = cp.sqrt(a * 4) + 1
    with cp.fusion_log() as programs:
        asked = cp.pending(b)
    assert len(programs) == 0
    assert asked
    assert asked.operations == ("multiply", "sqrt", "add")
    assert repr(asked) == "<pending array of shape (100000,), float64: multiply, sqrt, add>"
    assert float(b.sum()) == 300_000
    b.get()
    assert not cp.pending(b)
    assert repr(cp.pending(b)) == "<computed array of shape (100000,), float64>"
    with pytest.raises(TypeError, match="pending: list is no array"):
        cp.pending([1])


class Shell:
    """What the magics need of IPython."""

    def __init__(self, **names):
        self.user_ns, self.magics = names, {}

    def register_magic_function(self, function, kind, name):
        assert kind == "line_cell"
        self.magics[name] = function


@pytest.mark.fusion
def test_cptimeit_times_the_work(capsys):
    shell = Shell(a=cp.asarray(np.ones(100_000)), cp=cp)
    cp.load_ipython_extension(shell)
    with cp.fusion_log() as programs:
        timed = shell.magics["cptimeit"]("-n3 -r 2 -o cp.sqrt(a - 1 + 'x'.count('y'))")
    assert len(programs) == 6
    assert (timed.loops, len(timed.seconds)) == (3, 2)
    assert "2 runs, 3 loops each" in capsys.readouterr().out
    assert shell.magics["cptimeit"]("-q -n 1 -r 1 b = 5", "cp.sqrt(a)\ncp.exp(a) + b") is None
    assert capsys.readouterr().out == ""


def test_options_end_where_code_begins():
    options = timing.leading_options("-n 5 --x=3 -o -a['-n 7'] + 1", {"-n", "--x"}, {"-o"})
    assert options == ({"-n": "5", "--x": "3", "-o": ""}, "-a['-n 7'] + 1")


def test_gpu_timeit_is_cupys(capsys):
    shell = Shell(a=cp.ones(10))
    profiler.load_ipython_extension(shell)
    shell.magics["gpu_timeit"]("-n 4 -w 1 --max-duration 5 a.sum()")
    shell.magics["gpu_timeit"]("-n 2", "b = a + 1\nb * 2")
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2
    assert all(line.startswith("run") and "GPU-0:" in line for line in out)


def test_ipython_loads_the_magics(capsys):
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = interactive.InteractiveShell.instance()
    shell.run_cell("import cuprum as cp\n%load_ext cuprum\na = cp.ones(10)\n%cptimeit -n 2 -r 1 a + 1")
    assert "1 run, 2 loops each" in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_for_terminals_and_long_work(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    shown, hidden = Terminal(), io.StringIO()
    for stream in (shown, hidden):
        with Progress("load", 4 << 20, stream=stream) as progress:
            file = CountedFile(io.BytesIO(bytes(4 << 20)), progress)
            while file.read(1 << 20):
                pass
    assert "load:  50% |############            | 2/4 MB" in shown.getvalue()
    assert shown.getvalue().endswith("\r")
    assert hidden.getvalue() == ""


def test_files_with_progress_are_the_same(tmp_path, monkeypatch):
    from cuprum._creation import to_host
    from cuprum._io import files

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(files, "_PROGRESS_MIN_BYTES", 100)
    monkeypatch.setattr(to_host, "_PROGRESS_MIN_BYTES", 800)
    a = cp.arange(600.0).reshape(20, 30)
    cp.save(tmp_path / "a", a)
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), a.get())
    np.testing.assert_array_equal(cp.asnumpy(cp.load(str(tmp_path / "a.npy"))), a.get())
    np.testing.assert_array_equal(cp.asnumpy(a.T), a.get().T)
    cp.savez(tmp_path / "b.npz", x=a)
    np.testing.assert_array_equal(cp.load(tmp_path / "b.npz")["x"].get(), a.get())


def test_every_ufunc_has_help_of_its_own():
    text = pydoc.render_doc(cp.arctan2, renderer=pydoc.plaintext)
    assert "arctan2(x1, x2, /, out=None" in text
    assert "ordinate `x1` and abscissa `x2`" in text
    assert "Computed in float16, bfloat16, float32, float64." in text
    assert "units in the last place" in text
    assert cp.ufunc.__doc__.startswith("A function that works element by element")
    texts = set()
    for name in dir(cp):
        value = getattr(cp, name)
        if isinstance(value, cp.ufunc):
            assert f"{value.__name__}(" in value.__doc__
            assert ">>>" in value.__doc__, name
            texts.add(value.__doc__)
    assert len(texts) > 80


def test_rounding_a_single_number_is_pythons():
    for value in (3.14159, -2.5, 7.0):
        a, n = cp.asarray([value]).sum(), np.float64(value)
        assert (round(a), type(round(a))) == (round(n), int)
        assert float(round(a, 2)) == round(n, 2)
    assert round(cp.arange(16)[15], -1) == round(np.int64(15), -1)
    for refused in (cp.ones(3), cp.ones(3, dtype=complex)[0]):
        with pytest.raises(TypeError, match="doesn't define __round__"):
            round(refused)


def test_single_elements_have_the_hash_of_their_number():
    a = cp.array([1.5, 2.0])
    assert {a[0]: "x"}[1.5] == "x"
    assert hash(cp.arange(5)[3]) == hash(3)
    for array in (a, a.sum(), cp.array(3)):
        with pytest.raises(TypeError, match="unhashable type: 'cuprum.ndarray'"):
            hash(array)


def test_messages_say_what_to_write():
    host, ours = np.ones(3), cp.ones(3)
    with pytest.raises(TypeError, match=r"add: .*write cp\.asnumpy\(x\)"):
        host += ours
    with cp.cuda.strict(), pytest.raises(TypeError, match=r"arrays was called .*write cp\.asnumpy\(a\)"):
        np.broadcast_arrays(ours, None)
    only_there = np.frompyfunc(lambda x: x, 1, 1)
    with pytest.raises(TypeError, match=r"Cuprum has no such function: write cp\.asnumpy\(x\)"):
        only_there(ours)


def test_missing_modules_of_cupyx_say_what_there_is():
    compat.install()
    try:
        there = "has cusparse, distributed, jit, linalg, optimizing, profiler, scipy, signal"
        with pytest.raises(ModuleNotFoundError, match=rf"'cupyx\.cudnn'.*{there}"):
            __import__("cupyx.cudnn")
        import cupyx.scipy

        assert cupyx.scipy.get_array_module(cp.ones(1)).__name__ == "cuprum.compat.cupyx.scipy"
    finally:
        compat.uninstall()


def test_small_names_of_numpy():
    assert cp.__array_api_version__ == "2024.12"
    assert cp.random.default_rng(5).bit_generator._seed_seq.entropy == 5
