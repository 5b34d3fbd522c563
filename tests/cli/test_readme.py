"""The README's Python block runs, at a smaller size."""

import pathlib
import re

import cuprum as cp

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def test_the_ten_lines_run(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert blocks, "the README has no Python block"
    namespace = {}
    exec(blocks[0].replace("10_000_000", "100_000"), namespace)
    printed = capsys.readouterr().out.split("\n")
    assert 0.7 < float(printed[0]) < 0.9
    assert isinstance(namespace["r"], cp.ndarray)
    assert float(namespace["r"].max()) == 1.0
