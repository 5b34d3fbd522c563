"""The profiler: what it hears, the lines that it names, its table, trace and page, and each
advice with a counterpart."""

import html.parser
import json
import os
import shutil
import subprocess
import threading

import numpy as np
import pytest

import cuprum as cp
from cuprum.compat import cupyx

HOST = np.linspace(0, 1, 300_000)


def kinds(p):
    return {event.kind for event in p.events}


@pytest.mark.fusion
def test_a_program_names_the_lines_that_it_was_fused_from():
    a = cp.asarray(HOST)
    with cp.profile() as p:
        b = a * 2
        c = b + 1
        total = float(c.sum())
    assert total == pytest.approx(float((HOST * 2 + 1).sum()))
    programs = [event for event in p.events if event.kind == "program"]
    assert [event.name for event in programs] == ["multiply add sum"]
    assert [line.text for line in programs[0].lines] == ["b = a * 2", "c = b + 1", "total = float(c.sum())"]
    assert {line.function for line in programs[0].lines} == {
        "test_a_program_names_the_lines_that_it_was_fused_from"
    }
    assert programs[0].elements == HOST.size
    assert programs[0].bytes >= HOST.nbytes


@pytest.mark.fusion
def test_plans_that_are_known_name_their_lines_too():
    a = cp.asarray(HOST)
    with cp.profile() as p:
        for _ in range(4):
            float((a + 3).sum())
    lines = [event.lines for event in p.events if event.kind == "program"]
    assert len(lines) == 4
    assert {line.text for found in lines for line in found} == {"float((a + 3).sum())"}


def test_calls_copies_waits_and_memory_are_heard():
    with cp.profile() as p:
        a = cp.asarray(HOST)
        b = cp.sort(a)
        cp.cuda.Device().synchronize()
        host = b.get()
    np.testing.assert_array_equal(host, HOST)
    assert {"call", "to_device", "to_host", "wait", "allocate"} <= kinds(p)
    sent = next(event for event in p.events if event.kind == "to_device")
    assert sent.bytes == HOST.nbytes
    assert sent.line.text == "a = cp.asarray(HOST)"
    back = next(event for event in p.events if event.kind == "to_host")
    assert (back.bytes, back.line.text) == (HOST.nbytes, "host = b.get()")
    assert next(event for event in p.events if event.kind == "call").line.text == "b = cp.sort(a)"
    assert max(used for _, used in p.memory) - p.memory[0][1] >= 2 * HOST.nbytes


def test_kernels_and_their_compilation_are_heard():
    comment = f"// {os.getpid()}"
    code = 'extern "C" __global__ void twice(double* x) { x[threadIdx.x] *= 2; } ' + comment
    a = cp.ones(32)
    with cp.profile() as p:
        kernel = cp.RawKernel(code, "twice")
        kernel((1,), (32,), (a,))
    assert {"kernel", "compile"} <= kinds(p)
    launched = next(event for event in p.events if event.kind == "kernel")
    assert (launched.name, launched.line.text, launched.elements) == (
        "twice",
        "kernel((1,), (32,), (a,))",
        32,
    )


@pytest.mark.fusion
def test_work_that_was_recorded_inside_counts_although_nobody_looked():
    a = cp.asarray(HOST)
    with cp.profile() as p:
        cp.sqrt(a)
    assert [event.name for event in p.events if event.kind == "program"] == ["sqrt"]


def test_nothing_is_heard_outside():
    a = cp.asarray(HOST)
    kept = a + 1
    with cp.profile() as p:
        pass
    float(kept.sum())
    assert not [event for event in p.events if event.kind in ("program", "call", "to_device")]
    assert p.advice == []


def test_profiles_are_not_nested_and_end_with_errors():
    with cp.profile(), pytest.raises(RuntimeError, match="cannot be nested"), cp.profile():
        pass
    with pytest.raises(ZeroDivisionError), cp.profile() as p:
        cp.asarray(HOST)
        raise ZeroDivisionError
    assert p.count("to_device") == 1
    with cp.profile() as p:
        cp.asarray(HOST)
    assert p.count("to_device") == 1


# The advice: each with a program that has the habit, and one that must not be told off.


def sends_twice():
    return [cp.asarray(HOST) + step for step in range(3)]


def sends_once():
    a, other = cp.asarray(HOST), np.empty_like(HOST)
    results = [a + 1]
    for step in range(3):
        other[:] = step
        results.append(cp.asarray(other))
    return results[:2]


def looks_at_each():
    a, total = cp.asarray(HOST), 0.0
    for step in range(25):
        total += float((a[step : step + 5000] * 2).sum())
    return total


def looks_once():
    a = cp.asarray(HOST)
    totals = cp.stack([(a[step : step + 5000] * 2).sum() for step in range(25)])
    return totals.get()


def decides_each():
    a = cp.asarray(HOST)
    for step in range(25):
        if a[step] > 2:
            return step
    return None


def small_steps():
    a = cp.zeros((600, 40))
    for row in range(600):
        a[row] = a[row] * 2.0 + 1.0
    return a


def one_step():
    a = cp.zeros((600, 40))
    a[...] = a * 2.0 + 1.0
    return a


def widens():
    a = cp.asarray(HOST.astype(np.float32))
    b = cp.asarray(HOST)
    return float((a * b).sum())


def stays_narrow():
    a = cp.asarray(HOST.astype(np.float32))
    b = cp.asarray(HOST)
    return float((a * 2.5).sum()) + float((b * 2.5).sum())


def strides():
    a = cp.asarray(np.ones((600, 600)))
    return [float((a[:, step::8] + 1).sum()) for step in range(4)]


def strides_not():
    a = cp.asarray(np.ones((600, 600)))
    return [float((a[step::8] + 1).sum()) for step in range(4)] + [
        float((a.T + 1).sum()),
        float((a[0] + a).sum()),
    ]


def sends_pageable():
    return [cp.asarray(HOST + step) for step in range(5)][:1]


def sends_page_locked():
    host = cupyx.empty_pinned(HOST.shape, dtype=HOST.dtype)
    for step in range(5):
        host[:] = HOST + step
        a = cp.asarray(host)
    return a


SCALE = 'extern "C" __global__ void scale(double* x) {{ x[threadIdx.x] *= {}; }}'


def compiles_each():
    a = cp.ones(32)
    for factor in range(4):
        kernel = cp.RawKernel(SCALE.format(f"{factor}.5 + {os.getpid()}"), "scale")
        kernel((1,), (32,), (a,))


def compiles_once():
    a = cp.ones(32)
    kernel = cp.RawKernel('extern "C" __global__ void by(double* x, double f) { x[threadIdx.x] *= f; }', "by")
    for factor in range(4):
        kernel((1,), (32,), (a, factor + 0.5))


def keeps_all():
    a, kept = cp.asarray(HOST), []
    for step in range(12):
        kept.append(cp.sort(a + step))
    return kept


def keeps_sums():
    a, kept = cp.asarray(HOST), []
    for step in range(12):
        kept.append(cp.sort(a + step).sum())
    return kept


ADVICE = {
    "sent again": (sends_twice, "return [cp.asarray(HOST) + step", sends_once),
    "single values": (looks_at_each, "total += float(", looks_once),
    "single values of if": (decides_each, "if a[step] > 2:", looks_once),
    "small work": (small_steps, "a[row] = a[row] * 2.0 + 1.0", one_step),
    "float64": (widens, "return float((a * b).sum())", stays_narrow),
    "strided": (strides, "return [float((a[:, step::8] + 1).sum())", strides_not),
    "pageable": (sends_pageable, "return [cp.asarray(HOST + step)", sends_page_locked),
    "compiled again": (compiles_each, "kernel((1,), (32,), (a,))", compiles_once),
    "kept alive": (keeps_all, "kept.append(cp.sort(a + step))", keeps_sums),
}


def profiled(program):
    with cp.cuda.strict(), cp.profile() as p:
        kept = program()
    del kept
    return p


@pytest.mark.fusion
@pytest.mark.parametrize("kind", ADVICE)
def test_a_habit_is_found_with_its_line(kind):
    program, text, _ = ADVICE[kind]
    found = [advice for advice in profiled(program).advice if kind.startswith(advice.kind)]
    assert found, kind
    assert any(advice.line.text.startswith(text) for advice in found), [advice.line for advice in found]
    assert all(advice.title.endswith(".") and advice.text for advice in found)
    assert not any("about" in advice.title for advice in found)


@pytest.mark.fusion
@pytest.mark.parametrize("kind", ADVICE)
def test_a_program_without_the_habit_is_left_alone(kind):
    p = profiled(ADVICE[kind][2])
    assert not [advice for advice in p.advice if kind.startswith(advice.kind)], p


@pytest.mark.no_gpu
def test_pageable_copies_do_not_matter_on_a_cpu():
    with cp.profile() as p:
        sends_pageable()
    assert "pageable" not in {advice.kind for advice in p.advice}


def test_the_table_and_the_totals():
    p = profiled(looks_at_each)
    text = str(p)
    assert text.startswith("profile of ")
    assert "costliest lines" in text
    assert "1. test_profile.py:" in text
    totals = {kind: (count, seconds) for kind, count, seconds, _ in p.totals()}
    assert totals["to_host"][0] == 25
    assert sum(seconds for _, seconds in totals.values()) <= p.seconds
    # A GPU works while the host goes on: each has its own time.
    at_once = 2 if cp.cuda.is_available() else 1
    assert sum(cost.nanoseconds for cost in p.lines) <= at_once * p.seconds * 1.001e9
    assert repr(p).startswith("<profile of")


def tracks(records):
    """The bars of each thread."""
    bars = [record for record in records if record["ph"] == "X"]
    places = {(bar["pid"], bar["tid"]) for bar in bars}
    return [[bar for bar in bars if (bar["pid"], bar["tid"]) == place] for place in places]


def is_nested(bars):
    """Whether no bar begins inside another and ends outside: a viewer cannot stack such."""
    ends = []
    for bar in sorted(bars, key=lambda bar: (bar["ts"], -bar["dur"])):
        end = bar["ts"] + bar["dur"]
        ends = [other for other in ends if other > bar["ts"] + 1e-6]
        if any(end > other + 1e-3 for other in ends):
            return False
        ends.append(end)
    return True


def test_the_trace_is_one_that_perfetto_opens(tmp_path):
    p = profiled(looks_at_each)
    p.save(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    records = trace["traceEvents"]
    assert {record["ph"] for record in records} == {"M", "X", "C"}
    for record in records:
        assert {"ph", "name", "pid", "tid"} <= set(record)
        if record["ph"] == "X":
            assert 0 <= record["ts"] <= p.seconds * 1e6
            assert record["dur"] >= 0
    assert all(is_nested(track) for track in tracks(records))
    lines = {line for record in records if record["ph"] == "X" for line in record["args"]["lines"]}
    assert any(line.startswith(__file__) for line in lines)


@pytest.mark.fusion
def test_a_function_within_a_line_is_that_line():
    a = cp.asarray(HOST)
    with cp.profile() as p:
        for work in (lambda: a * 2, lambda: a): float(work().sum())  # noqa: E701  # fmt: skip
    (cost,) = (cost for cost in p.lines if "work()" in cost.line.text)
    assert cost.names.keys() >= {"multiply sum", "to_host"}


@pytest.mark.parametrize("count, name", [(1, "copy to device"), (2, "copies to device")])
def test_one_copy_is_not_copies(count, name):
    from cuprum._profiler._table import kind_name

    assert kind_name("to_device", count) == name
    assert kind_name("kernel", 1) == "kernel"


class Page(html.parser.HTMLParser):
    """A page's elements by their ids, its text, and whether its tags are closed."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "line", "polyline", "polygon"})

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.outside, self.rows, self.advice = [], set(), [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids.add(named.get("id"))
        self.outside += [
            named[name] for name in ("src", "href") if not (named.get(name) or "data:").startswith("data:")
        ]
        self.rows += tag == "tr"
        if "data-kind" in named:
            self.advice.append(named["data-kind"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A page of a program with habits, and its profile."""
    path = tmp_path_factory.mktemp("page") / "out.html"
    with cp.profile() as p:
        looks_at_each()
        sends_twice()
        small_steps()
        name = "<script>alert(1)</script>"
        float(cp.asarray(HOST).sum())
        assert name
    p.report(path)
    return path, p


def test_the_page_is_whole_and_needs_nothing_else(written):
    path, p = written
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert page.outside == []
    assert {"advice", "timeline", "lines", "programs", "data"} <= page.ids
    assert page.advice == [advice.kind for advice in p.advice]
    assert "<code>if array:</code>" in text
    assert "<!--" not in text.replace("<!doctype", "")
    data = json.loads(text.split('type="application/json">')[1].split("</script>")[0])
    assert len(data["bars"]) > 25
    assert all(0 <= lane < len(data["lanes"]) for lane, *_ in data["bars"])


def test_texts_of_the_program_cannot_break_the_page(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import cuprum as cp\nt = float(cp.arange(100_000).sum())  # </script><b>&amp;\n")
    with cp.profile() as p:
        exec(compile(program.read_text(), str(program), "exec"), {})
    p.report(tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    assert "</script><b>" not in text
    assert "&lt;/script&gt;&lt;b&gt;&amp;amp;" in text
    assert Page(text).open == []


@pytest.mark.skipif(
    shutil.which("chromium") is None, reason="no browser here: the page's structure is tested above"
)
def test_a_browser_draws_the_page(written, tmp_path):
    path, _ = written
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command += [f"--user-data-dir={tmp_path}/user", "--enable-logging=stderr", "--virtual-time-budget=3000"]
    done = subprocess.run(
        [*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    assert 'data-drawn="' in done.stdout
    drawn = int(done.stdout.split('data-drawn="')[1].split('"')[0])
    assert drawn > 25
    assert "CONSOLE" not in done.stderr


@pytest.mark.no_gpu
@pytest.mark.fusion
def test_small_work_is_sampled_and_counts_for_all():
    a, b = cp.asarray(HOST[:10_000]), cp.zeros(10_000)
    steps = 20_000
    with cp.profile() as p:
        for _ in range(steps):
            cp.add(a * 2, 1, out=b)
            float(b[0])
    # One in 61 beyond the first ones, then one in 509: a count is off by as many for each kind of work.
    assert len([event for event in p.events if event.kind == "program"]) < steps / 10
    assert abs(p.count("program") - steps) <= 2 * 509
    assert abs(p.count("to_host") - steps) <= 2 * 509
    (line,) = (cost for cost in p.lines if "cp.add(a * 2, 1, out=b)" in cost.line.text)
    assert abs(line.count - steps) <= 2 * 509
    (advice,) = p.advice
    assert (advice.kind, advice.line.text) == ("single values", "float(b[0])")
    assert "is read about " in advice.title
    assert sum(cost.nanoseconds for cost in p.lines) <= p.seconds * 1e9


@pytest.mark.no_gpu
@pytest.mark.fusion
def test_large_work_among_small_work_is_all_reported():
    a, few = cp.asarray(HOST), cp.asarray(HOST[:10_000])
    with cp.profile() as p:
        for _ in range(50):
            for _ in range(100):
                few += 1
            float((a * 2).sum())
    large = [event for event in p.events if event.kind == "program" and event.elements == HOST.size]
    assert [event.weight for event in large] == [1] * 50
    # The time that a look at a value took is not counted again for the work that it waited for.
    assert sum(seconds for _, _, seconds, _ in p.totals()) <= p.seconds


@pytest.mark.fusion
def test_each_thread_has_its_own_times():
    def work():
        a = cp.asarray(HOST)
        for _ in range(20):
            float((a + 1).sum())

    threads = [threading.Thread(target=work) for _ in range(3)]
    with cp.profile() as p:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    programs = [event for event in p.events if event.kind == "program"]
    assert len(programs) == 60
    assert len({event.thread for event in programs}) == 3
    assert {line.text for event in programs for line in event.sources} == {"float((a + 1).sum())"}
    assert all(0 <= event.start and event.end <= p.seconds * 1e9 for event in p.events)
