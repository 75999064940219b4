"""What is public and where it lives; written by docs/stub.py."""

from dfst import errors as errors
from dfst import exchange as exchange
from dfst.api import task as task
from dfst.api import sample as sample
from dfst.api import record as record
from dfst.api import load as load
from dfst.api import extract as extract
from dfst.api import compare as compare
from dfst.api import certify as certify
from dfst.api import check as check
from dfst.api import doctor as doctor
from dfst.api import solve as solve
from dfst.api import evaluate as evaluate
from dfst.api import measure_lengths as measure_lengths
from dfst.api import diff as diff
from dfst.api import view as view
from dfst.api import export as export
from dfst.api import fit as fit
from dfst.api import from_machine as from_machine
from dfst.api import reduce as reduce
from dfst.api import steady as steady
from dfst.api import rounded as rounded
from dfst.api import train as train
from dfst.api import learn as learn
from dfst.errors import DfstError as DfstError
from dfst.world.moves import Move as Move
from dfst.world.worlds import World as World
from dfst.world.machine import GridMachine as GridMachine
from dfst.world.policy import Policy as Policy
from dfst.world.rollout import Rollout as Rollout
from dfst.traces.traces import Traces as Traces
from dfst.traces.observe import Head as Head
from dfst.traces.observe import observe as observe
from dfst.teachers.sampling import Sampling as Sampling
from dfst.teachers.program import ProgramTask as ProgramTask
from dfst.teachers.program import teacher as teacher
from dfst.teachers.task import Task as Task
from dfst.act.weights import Weights as Weights
from dfst.training.model import DFST as DFST
from dfst.training.recipes import Recipe as Recipe
from dfst.training.recipes import recipe as recipe
from dfst.training.fit import History as History
from dfst.runs.options import Options as Options
from dfst.runs.run_folder import RunFolder as RunFolder
from dfst.act.own import policy as policy
from dfst.extraction.pipeline import Extraction as Extraction
from dfst.prove.certificate import Certificate as Certificate
from dfst.prove.verdict import Verdict as Verdict
from dfst.judging.certification import Certification as Certification
from dfst.judging.checking import Checked as Checked
from dfst.judging.difference import Difference as Difference
from dfst.judging.evaluation import Evaluation as Evaluation
from dfst.judging.lengths import Lengths as Lengths
from dfst.judging.tested import Tested as Tested
from dfst.until_proven.learned import Learned as Learned
from dfst.until_proven.train import Trained as Trained

__all__: list[str]
__version__: str
_CONTENTS: dict[str, list[str]]
