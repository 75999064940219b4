"""What is public and where it lives; written by docs/stub.py."""

from dfst.verbs import task as task
from dfst.verbs import sample as sample
from dfst.verbs import record as record
from dfst.verbs import load as load
from dfst.verbs import load_machine as load_machine
from dfst.verbs import load_model as load_model
from dfst.verbs import solve as solve
from dfst.verbs import rollout as rollout
from dfst.verbs import fit as fit
from dfst.verbs import extract as extract
from dfst.verbs import compare as compare
from dfst.verbs import certify as certify
from dfst.verbs import check as check
from dfst.verbs import evaluate as evaluate
from dfst.verbs import measure_lengths as measure_lengths
from dfst.verbs import diff as diff
from dfst.verbs import doctor as doctor
from dfst.errors import DfstError as DfstError
from dfst.errors import FileFormatError as FileFormatError
from dfst.errors import InputError as InputError
from dfst.errors import MachineError as MachineError
from dfst.errors import MissingExtraError as MissingExtraError
from dfst.errors import Mistake as Mistake
from dfst.errors import NameWarning as NameWarning
from dfst.world.alphabet import Alphabet as Alphabet
from dfst.world.moves import Move as Move
from dfst.world.grid import Grid as Grid
from dfst.world.layout import Answer as Answer
from dfst.world.layout import Layout as Layout
from dfst.world.machine import GridMachine as GridMachine
from dfst.world.machine import Rule as Rule
from dfst.world.outcome import Outcome as Outcome
from dfst.world.outcome import Run as Run
from dfst.world.machine_file import parse_machine as parse_machine
from dfst.world.machine_file import save_machine as save_machine
from dfst.traces.traces import Traces as Traces
from dfst.traces.files import load_traces as load_traces
from dfst.traces.files import save_traces as save_traces
from dfst.teachers.sampling import Sampling as Sampling
from dfst.teachers.task import Task as Task
from dfst.learn.model import DFST as DFST
from dfst.learn.one_hot import from_machine as from_machine
from dfst.learn.weights import save_model as save_model
from dfst.learn.recipes import Recipe as Recipe
from dfst.learn.recipes import recipe as recipe
from dfst.learn.fit import History as History
from dfst.learn.reduce import reduce as reduce
from dfst.learn.steady import steady as steady
from dfst.runs.run_folder import RunFolder as RunFolder
from dfst.act.rollout import Divergence as Divergence
from dfst.act.rollout import Rollout as Rollout
from dfst.extraction.pipeline import Extraction as Extraction
from dfst.prove.certificate import Certificate as Certificate
from dfst.prove.verdict import Verdict as Verdict
from dfst.study.certification import Certification as Certification
from dfst.study.checking import Checked as Checked
from dfst.study.difference import Difference as Difference
from dfst.study.doctor.finding import Finding as Finding
from dfst.study.evaluation import Evaluation as Evaluation
from dfst.study.lengths import Lengths as Lengths
from dfst.exchange.mealy import from_mealy as from_mealy
from dfst.exchange.mealy import to_mealy as to_mealy

__all__: list[str]
__version__: str
_CONTENTS: dict[str, list[str]]
