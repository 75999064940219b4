"""What is public and where it lives; written by docs/stub.py."""

from dfst.exchange.tables import from_pandas as from_pandas
from dfst.exchange.tables import to_pandas as to_pandas
from dfst.exchange.tables import from_io_traces as from_io_traces
from dfst.exchange.tables import to_io_traces as to_io_traces
from dfst.traces.logs import from_csv as from_csv
from dfst.traces.logs import to_csv as to_csv
from dfst.exchange.xes import from_xes as from_xes
from dfst.exchange.mealy import from_mealy as from_mealy
from dfst.exchange.mealy import to_mealy as to_mealy
from dfst.exchange.sul import to_sul as to_sul
from dfst.exchange.sul import PolicySUL as PolicySUL
from dfst.exchange.sul import ProblemOracle as ProblemOracle
from dfst.exchange.merging import merge as merge

__all__: list[str]
_CONTENTS: dict[str, list[str]]
