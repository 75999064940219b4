"""A small parquet file that would take gigabytes of memory is refused before anything of it is read."""

import json
import subprocess
import sys

import numpy as np
import pytest

import dfst
from dfst.traces import files

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
DO = "Save fewer traces in a file, or use .jsonl."


def write(path, input_=("1",), **columns):
    """A file of one trace; a column is a text and how often it is there."""
    table = {}
    for name, (text, count) in (
        {"input": (input_[0], 1), "x": ("1", 1), "s": ("1", 1), "m": ("S", 1)} | columns
    ).items():
        values = pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), pa.array([text]))
        table[name] = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), values)
    header = json.dumps({"format": 1, "task": "", "symbols": ["1", "_"], "blank": "_"})
    pq.write_table(pa.table(table).replace_schema_metadata({"dfst": header}), path, compression="zstd")
    return path


def test_many_values(tmp_path):
    path = write(tmp_path / "many.parquet", x=("1", 60_000_000))
    assert path.stat().st_size < 20_000
    with pytest.raises(dfst.errors.FileFormatError) as error:
        dfst.load(path)
    what = "it holds 60,000,000 values in a column; 50,000,000 are read at most"
    assert str(error.value) == f"{path}: {what}. {DO}"


def test_large_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_COLUMN_BYTES", 2**22)
    path = write(tmp_path / "large.parquet", input=("1" * 2**23, 1))
    assert path.stat().st_size < 20_000
    with pytest.raises(dfst.errors.FileFormatError) as error:
        dfst.load(path)
    assert str(error.value) == f"{path}: without compression it is 8 MiB; 4 MiB are read at most. {DO}"


def test_a_long_text_many_times_takes_its_memory_once(tmp_path):
    """300 kB, a hundred thousand times, would be 30 GB."""
    path = write(tmp_path / "long.parquet", input=("1" * 300_000, 100_000))
    assert path.stat().st_size < 20_000
    code = """if True:
        import resource, sys, dfst, pyarrow.parquet
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(len(dfst.load(sys.argv[1]).problems[0]))
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    count, megabytes = map(int, done.stdout.split())
    assert count == 100_000
    assert megabytes < 300
