"""Learning protocols from their logs: python -m experiments.logs OUT.json MODELS KIND:NOISE:UNKNOWN:SEED...

MODELS is a folder with Mealy machines as .dot files, at any depth, such as a copy of the Automata Wiki's; the ones that
are measured are those of NAMES that it holds. KIND is walks (random conversations; nothing sees the reference, which
only judges) or telling (every transition, then words that tell the states apart, and the reference stops the training).
NOISE and UNKNOWN are the percentages of outputs that are replaced by others, or by ?. A row is about one method: the
network; the machine extracted from it (extraction); RPNI on the same log (merging); and what dfst learn takes, which
tries merging first (both). ``held_out`` is the share of 1,000 further walks that are answered right to the end. Seeds
other than 0 are for logs from which the network of seed 0 learned within a minute.
"""

import hashlib
import random
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from experiments.measuring import add_rows, asked
from experiments.measuring import kept as measured

import dfst
from dfst.exchange.merging import merge_traces
from dfst.judging.certification import MACHINE
from dfst.prove.compare import SMALL
from dfst.runs.folder_files import NOISY_TRACES
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.logs import in_words_of, traces_of_conversations
from dfst.traces.traces import UNKNOWN, Traces
from dfst.until_proven import merging
from dfst.until_proven.held_out import HeldOut, answered, keep_back
from dfst.until_proven.looking import Limit
from dfst.world.conversation import turns_of
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine

NAMES = [
    "4_learnresult_SecureCode_Aut_fix",
    "QUICprotocolwithout0RTT",
    "coffeemachine",
    "4_learnresult_MAESTRO_fix",
    "miTLS_0.1.3_server_regular",
    "QUICprotocolwith0RTT",
    "OpenSSL_1.0.2_server_regular",
    "learnresult3",
    "learnresult_fix",
    "learnresult5",
    "m183",
    "mosquitto__single_client",
    "hbmqtt__non_clean",
    "NSS_3.17.4_client_full",
    "learnresult_new_Rand_500_10-15_MC_fix",
    "TCP_FreeBSD_Client",
    "mbedtls_all_cert_none",
    "TCP_Windows8_Client",
    "scandium_latest_psk",
    "TCP_Linux_Client",
    "OpenSSL_1.0.1g_server_regular",
    "mosquitto__two_client",
    "GnuTLS_3.3.8_server_full",
    "DropBear",
    "mosquitto__two_client_will_retain",
    "etinydtls_psk",
    "learnresult_old_500_10-15_fix",
    "m54",
    "OpenSSH",
    "model2",
    "TCP_Linux_Server",
    "BitVise",
]

METHODS = ("network", "extraction", "merging", "both")
COLUMNS = ("model", "kind", "noise", "unknown", "seed", "method")
ITERATIONS, SECONDS = 20_000, 300.0
"""Of one training; and after so many seconds it ends, whatever it has found."""

QUICK = 60
"""Within so many seconds a log is learned from for which seed 0 is not enough."""

LENGTHS, FRESH = (10, 30), 1000
"""Inputs of a walk; walks to judge by."""

Word = tuple[str, ...]


class Mealy:
    """A reference as a dictionary, so that nothing that is measured makes the data."""

    def __init__(self, machine: GridMachine) -> None:
        self.start = machine.states[machine.start]
        self.turns: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
        for turn in turns_of(machine):
            self.turns[turn.state][turn.input] = turn.output, turn.next

    def answers(self, state: str, word: Word) -> list[tuple[str, str]]:
        """(input, output) as far as there are rules."""
        talk = []
        for read in word:
            if read not in self.turns[state]:
                break
            said, state = self.turns[state][read]
            talk.append((read, said))
        return talk

    def walk(self, state: str, length: int, rng: random.Random) -> Word:
        """Random inputs that are answered."""
        word = []
        for _ in range(length):
            if not self.turns[state]:
                break
            word.append(rng.choice(sorted(self.turns[state])))
            state = self.turns[state][word[-1]][1]
        return tuple(word)

    def access(self) -> dict[str, Word]:
        """A shortest word to every state."""
        words: dict[str, Word] = {self.start: ()}
        for state in (todo := [self.start]):
            for read, (_, after) in sorted(self.turns[state].items()):
                if after not in words:
                    words[after] = (*words[state], read)
                    todo.append(after)
        return words

    def tell_apart(self) -> dict[str, list[Word]]:
        """For every state words that tell it from all others: blocks of states are split until each has one."""
        words: dict[str, list[Word]] = defaultdict(list)
        blocks = [sorted(self.access())]
        while blocks:
            block = blocks.pop()
            word = next((w for other in block[1:] if (w := self._difference(block[0], other)) is not None), None)
            if word is None:
                continue
            parts = defaultdict(list)
            for state in block:
                words[state].append(word)
                parts[tuple(self.answers(state, word))].append(state)
            blocks += parts.values()
        return words

    def _difference(self, one: str, other: str) -> Word | None:
        """A shortest word that two states answer differently."""
        seen = {(one, other)}
        todo: list[tuple[str, str, Word]] = [(one, other, ())]
        for p, q, word in todo:
            for read in sorted({*self.turns[p], *self.turns[q]}):
                (a, after_p), (b, after_q) = (self.turns[s].get(read, ("", "")) for s in (p, q))
                if a != b:
                    return (*word, read)
                if (after_p, after_q) not in seen:
                    seen.add((after_p, after_q))
                    todo.append((after_p, after_q, (*word, read)))
        return None


def telling(mealy: Mealy, seed: int) -> list[Word]:
    """Every transition, followed by the words that tell apart where it leads, and once by random inputs."""
    rng, apart, words = random.Random(seed), mealy.tell_apart(), {}
    for state, access in mealy.access().items():
        words |= dict.fromkeys((*access, *word) for word in apart[state])
        for read, (_, after) in sorted(mealy.turns[state].items()):
            reached = (*access, read)
            words |= dict.fromkeys((*reached, *word) for word in apart[after])
            words[(*reached, *mealy.walk(after, rng.randint(3, 10), rng))] = None
    return [word for word in words if word]


def walks(mealy: Mealy, number: int, seed: int) -> list[Word]:
    """Random conversations."""
    rng = random.Random(seed)
    return [mealy.walk(mealy.start, rng.randint(*LENGTHS), rng) for _ in range(number)]


def log_of(mealy: Mealy, machine: GridMachine, words: list[Word]) -> Traces:
    """The conversations, in the reference's symbols."""
    return in_words_of(machine, traces_of_conversations(mealy.answers(mealy.start, word) for word in words))


def spoiled(right: Traces, noise: int, unknown: int, seed: int) -> Traces:
    """The log with percentages of its outputs replaced."""
    rng, written = random.Random(seed), right.written.copy()
    ends = {*(right.offsets[1:] - 1).tolist()}
    steps = [step for step in range(len(written)) if step not in ends]
    outputs = sorted({int(written[step]) for step in steps})
    for step in rng.sample(steps, round(noise * len(steps) / 100)):
        written[step] = rng.choice([w for w in outputs if w != written[step]])
    written[rng.sample(steps, round(unknown * len(steps) / 100))] = UNKNOWN
    return replace(right, written=written)


def data(path: Path, kind: str, noise: int, unknown: int, seed: int) -> tuple[dict, Task, Traces, Traces]:
    """What every row says of a log; the reference; the log as it should be, and as it is."""
    reference = dfst.task(str(path))
    machine, mealy = reference.machine, Mealy(reference.machine)
    rules = sum(map(len, mealy.turns.values()))
    words = telling(mealy, seed) if kind == "telling" else walks(mealy, min(4000, max(300, 6 * rules)), seed)
    right = log_of(mealy, machine, words)
    common = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "states": len(machine.states),
        "rules": rules,
        "conversations": len(right),
        "steps": len(right.seen),
    }
    return common, reference, right, spoiled(right, noise, unknown, seed)


@lru_cache(maxsize=1)
def cell(path: Path, kind: str, noise: int, unknown: int, seed: int) -> dict[str, dict]:
    """All methods on one log."""
    common, reference, right, log = data(path, kind, noise, unknown, seed)
    machine, mealy = reference.machine, Mealy(reference.machine)
    fresh = log_of(mealy, machine, walks(mealy, FRESH, seed + 1000))
    rows, chosen = {}, _choice(log, reference, kind)
    began = time.process_time()
    try:
        merged = merge_traces(log, machine.layout, "rpni", seconds=SECONDS)
        rows["merging"] = judged(machine, merged, fresh) | {"seconds": round(time.process_time() - began, 1)}
    except dfst.DfstError as error:
        rows["merging"] = {"verdict": "none", "why": error.what.split(",")[0][:80]}
    rows |= network(log, right, fresh, reference, kind, noise, seed)
    both = "merging" if noise == 0 and chosen(rows) else "extraction"
    rows["both"] = rows[both] | {"chosen": both}
    return {method: common | found for method, found in rows.items()}


def _choice(log: Traces, reference: Task, kind: str):
    """Whether dfst learn takes what state merging found, given the rows of all methods."""
    if kind == "telling":
        return lambda rows: rows["merging"]["verdict"] == "exact"
    kept = keep_back(log)

    def take(rows: dict) -> bool:
        if kept is None:
            return False
        found = merging.MergedLog.of(kept.learn, None, kept, Limit(SECONDS), lambda text: None)
        extracted = rows["extraction"].get("kept", -1)
        return found is not None and (found.enough or found.right > extracted)

    return take


def network(
    log: Traces, right: Traces, fresh: Traces, reference: Task, kind: str, noise: int, seed: int
) -> dict[str, dict]:
    """What dfst learn makes of a log without the library of state merging: the network, and its machine."""
    began, machine = time.process_time(), reference.machine
    teacher = reference if kind == "telling" else None
    kept, truth = (None, None) if teacher is not None else (keep_back(log), keep_back(right))
    with tempfile.TemporaryDirectory() as folder, patch.object(merging, "can_merge", lambda: False):
        out = Path(folder) / "run"
        options = dfst.Options(iterations=ITERATIONS, seed=seed, out=out)
        try:
            learned = dfst.learn(log, options, teacher=teacher, noisy=noise > 0, seconds=SECONDS)
            run = dfst.RunFolder.open(out)
            used, model = run.traces(), run.model() if run.model_path.exists() else run.start()
            found = load_machine(out / MACHINE) if (out / MACHINE).exists() else run.explains()[0]
        except (dfst.DfstError, OSError, IndexError) as error:
            why = error.what if isinstance(error, dfst.DfstError) else type(error).__name__
            failed = {"verdict": "none", "why": why}
            return {"network": failed, "extraction": failed}
        facts = {"seconds": round(time.process_time() - began, 1), "iterations": learned.iterations}
        facts |= {"hidden_dim": model.hidden_dim}
        if noise:
            meant = right if truth is None else truth.learn
            was = load_traces(out / NOISY_TRACES).written
            wrong, changed, now = was != meant.written, was != used.written, used.written == meant.written
            facts |= {
                "wrong": int(wrong.sum()),
                "corrected": int((wrong & now).sum()),
                "missed": int((wrong & ~now).sum()),
                "changed": int((changed & ~wrong).sum()),
            }
    extracted = facts | judged(machine, found, fresh)
    if kept is not None:
        extracted["kept"] = answered(found, kept.choose)
    told = HeldOut.of(found, model, fresh)
    return {"network": facts | {"held_out": round((told.network or 0) / told.number, 4)}, "extraction": extracted}


def judged(reference: GridMachine, machine: GridMachine, fresh: Traces) -> dict:
    """Its states, the verdict of the reference, and the share of fresh walks that it answers right to the end."""
    verdict = dfst.compare(reference, machine, limit=SMALL, seconds=60)
    share = float(np.round(answered(machine, fresh) / len(fresh), 4))
    return {"found": len(machine.states), "verdict": verdict.conclusion.value, "held_out": share}


def logs_asked_for(folder: str, which: tuple[str, ...]) -> tuple[dict[str, Path], list[tuple]]:
    """The models by name, and all logs that are asked for, those of small models first."""
    models = {path.stem: path for path in sorted(Path(folder).rglob("*.dot"))}
    kinds = [(kind, *map(int, numbers)) for kind, *numbers in (text.split(":") for text in which)]
    return models, [(name, *rest) for rest in kinds for name in NAMES if name in models]


def quick(out: str) -> set[tuple]:
    """The logs, without their seed, that deserve other seeds, as far as it is known."""
    first = [row for row in measured(out, {"rows": []})["rows"] if row["method"] == "network" and row["seed"] == 0]
    return {tuple(row[name] for name in COLUMNS[:4]) for row in first if row.get("seconds", QUICK) < QUICK}


def main(out: str, folder: str, *which: str) -> None:
    """Measure what is asked for, by all methods."""
    models, logs = logs_asked_for(folder, which)
    keys = ((*log, method) for log in logs if log[-1] == 0 or log[:-1] in quick(out) for method in METHODS)

    def row(*key: Any) -> dict:
        name, *rest, method = key
        return dict(zip(COLUMNS, key, strict=True)) | cell(models[name], *rest)[method]

    add_rows(out, COLUMNS, keys, row, quiet=("sha256", "rules", "conversations", "hidden_dim"))


if __name__ == "__main__":
    main(*asked())
