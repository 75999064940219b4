"""Traces as parquet, opened by those who know nothing of dfst: the same steps, without a key to read them by."""

import pytest

from dfst import record, sample
from dfst.errors import FileFormatError
from dfst.teachers.find import find_task
from dfst.traces.files import load_traces
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import MOVE_NAMES, Move

pytest.importorskip("pyarrow")


def words():
    """Traces over symbols of several characters, one of which looks like a number and one like markup."""
    alphabet = Alphabet(("007", "<b>", "blank"), "blank", {"any": ("007", "<b>")})
    rules = [Rule("go", x, x, Move.R, "go") for x in ("007", "<b>")] + [Rule("go", "blank", "007", Move.S, HALT)]
    layout = Layout(("any+",), answer_class="any")
    machine = GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start="go")
    return record(machine, [("007 <b>",), ("<b>",)])


TRACES = {"add2": lambda: sample(find_task("add2")), "mult2": lambda: sample(find_task("mult2")), "words": words}


def steps(traces):
    """Every row of the table, as plain lists."""
    symbols = traces.alphabet.symbols
    return [
        {
            "input": list(traces.problems[i]) if traces.problems else [],
            "x": [symbols[n] for n in trace.seen],
            "s": [symbols[n] for n in trace.written],
            "m": [MOVE_NAMES[n] for n in trace.moves],
        }
        for i, trace in enumerate(traces)
    ]


def with_pandas(path):
    frame = pytest.importorskip("pandas").read_parquet(path)
    return [{name: list(value) for name, value in row.items()} for row in frame.to_dict("records")]


def with_polars(path):
    return pytest.importorskip("polars").read_parquet(path).to_dicts()


@pytest.mark.parametrize("traces", TRACES)
@pytest.mark.parametrize("reader", [with_pandas, with_polars])
@pytest.mark.filterwarnings("default")  # of the readers
def test_others_find_the_same_steps(reader, traces, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    made = TRACES[traces]()
    made.save(tmp_path / "traces.parquet")
    assert reader(tmp_path / "traces.parquet") == steps(made)
    assert load_traces(tmp_path / "traces.parquet") == made


def test_a_table_that_others_wrote_needs_our_header(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "traces.parquet"
    sample(find_task("add2")).save(path)
    polars.read_parquet(path).write_parquet(path)
    with pytest.raises(FileFormatError, match="not a trace file of format 1"):
        load_traces(path)
