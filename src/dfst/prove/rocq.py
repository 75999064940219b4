"""Has Rocq (formerly Coq) check a certificate: the verified checker computes, and the result is a theorem.

The statement, the checker and the proof that it is sound come with dfst (the folder proofs/ of the repository). They
are compiled once, into the user's cache. docs/proofs.md says what the theorem means.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfst.errors import DfstError
from dfst.prove import checker, rocq_file, rocq_theorem
from dfst.prove.certificate import load_certificate

LIBRARY = (
    *("Statement", "checker/Tree", "checker/Check", "checker/Shapes", "checker/Steps", "checker/Runs"),
    *("checker/Starts", "checker/Sound", "files/Json", "files/Agent", "files/Sha256", "files/Certified"),
    *("checker/Beside", "files/Safetensors", "network/Rows", "network/Closure", "network/Closed", "network/Trained"),
)
"""What a certificate and a network need, in the order in which it is compiled: nothing of the arithmetic."""

CLOSED = "Closed under the global context"
CHARACTERS, SECONDS = 2_000_000, 900.0
"""What Rocq is given to read, and how long it may take. The largest shipped certificate has 750,000 characters, for
which it needs about a minute and 0.8 GB (results/rocq.json)."""
WITHOUT = "Check it without Rocq, which checks the same claim."
STUCK = "Its theorem is only about teachers that are proven never to get stuck."
INSTALL = "Install it (Debian and Ubuntu: apt-get install coq; macOS: brew install coq; anywhere: opam install coq)."


class RocqMissing(DfstError):
    """Rocq is not installed, or does not run."""


@dataclass(frozen=True)
class RocqChecked:
    """A certificate of which Rocq has proven what it claims.

    ``together``: the scope is every input; otherwise up to where the teacher gets stuck. ``never_stuck``: the teacher
    is proven always to have a rule. ``network_sha256``: the weights of a network that is proven as well, its hidden
    state rounded to ``network_bits``; ``left_out`` says why one was not given to Rocq. ``seconds`` is the time for this
    certificate, ``prepared`` the time for compiling the checker and its proof before (0 if that had been done).
    """

    teacher_sha256: str
    learner_sha256: str
    together: bool
    never_stuck: bool
    members: int
    version: str
    seconds: float
    prepared: float
    network_sha256: str = ""
    network_bits: int = 0
    left_out: str = ""

    def explain(self) -> str:
        """The theorem in words, and what it is not about."""
        until = "" if self.together else ", up to where the teacher gets stuck"
        stuck = ", or both are stuck" if self.together else ""
        once = f", and {self.prepared:.1f} s once for the checker" if self.prepared else ""
        lines = [
            f"proven by Rocq {self.version}, without axioms: on every input of every length, after any number of "
            f"steps{until}, learner and teacher are on the same cell of the same grid, or both have halted "
            f"and left the same grid{stuck}.",
            f"teacher: the machine with SHA-256 {self.teacher_sha256}.",
            f"learner: the machine with SHA-256 {self.learner_sha256}.",
            *["proven as well: the teacher always has a rule."] * self.never_stuck,
            *[
                f"proven as well: the network with SHA-256 {self.network_sha256}, hidden state rounded to "
                f"{self.network_bits} bit{'s' * (self.network_bits != 1)}, does what the teacher does, on every input."
            ]
            * bool(self.network_sha256),
            *[f"not given to Rocq: the network itself. {self.left_out}"] * bool(self.left_out),
            "not part of the theorem: that the teacher ever halts, or that its answers are correct.",
            f"time: {self.seconds:.1f} s{once}.",
        ]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The same facts for a program."""
        return {"proven": True} | asdict(self)


def check_with_rocq(
    path: str | Path,
    *,
    network: tuple[bytes, int] | None = None,
    coqc: str | Path | None = None,
    cache: str | Path | None = None,
    seconds: float = SECONDS,
) -> RocqChecked:
    """Let Rocq prove what the certificate in ``path`` claims, in at most ``seconds`` seconds.

    Also that a ``network`` (its weights' file, bits) with rounded hidden state does what the teacher does, if the
    certificate shows that the teacher never gets stuck.

    Raises ``checker.Rejected`` with the reason if it proves nothing, :class:`RocqMissing` if there is no Rocq.
    ``coqc`` is the compiler (otherwise that on the PATH), ``cache`` the folder for what is compiled once.
    """
    given = load_certificate(path)
    report = checker.verify(given)  # so that what is exported is well formed, and a bad file gets its own sentence
    try:
        together, never = rocq_theorem.claim(given)
        left_out = "" if network is None or (together and never) else STUCK
        network = None if left_out else network
        written = rocq_theorem.theorem(given, network)
    except rocq_file.Refused as reason:
        raise DfstError(str(reason), where=str(path), do=WITHOUT) from None
    if len(written) > CHARACTERS:
        what = f"the certificate is too large for Rocq: {len(written)} characters to read; the limit is {CHARACTERS}"
        raise DfstError(what, where=str(path), do=WITHOUT)
    compiler = Compiler.found(coqc)
    began = time.monotonic()
    library = compiler.library(cache)
    ready = time.monotonic()
    with _scratch() as folder:
        file = Path(folder) / "Certificate.v"
        file.write_text(written, encoding="utf-8")
        try:
            done = compiler.run(file, library, seconds)
        except subprocess.TimeoutExpired:
            do = f"{WITHOUT} Or wait longer: check_with_rocq(path, seconds=3600) in Python."
            raise DfstError(f"Rocq did not finish within {seconds:g} seconds", where=str(path), do=do) from None
    if "while it is expected to have type" in done.stderr:
        raise checker.Rejected("the verified checker refuses what checker.py accepts; please report it")
    if done.returncode:
        do = "Check memory and disk, then try again."
        raise DfstError(f"Rocq failed ({_last(done.stderr)})", where=str(path), do=do)
    if done.stdout.count(CLOSED) != 1 + never + (network is not None):
        raise DfstError("Rocq did not say that the theorem is closed", where=str(path), do="Please report it.")
    return RocqChecked(
        teacher_sha256=report["teacher"],
        learner_sha256=report["learner"],
        together=together,
        never_stuck=never,
        members=report["members"],
        version=compiler.version,
        seconds=round(time.monotonic() - ready, 1),
        prepared=round(ready - began, 1),
        network_sha256="" if network is None else hashlib.sha256(network[0]).hexdigest(),
        network_bits=0 if network is None else network[1],
        left_out=left_out,
    )


@dataclass(frozen=True)
class Compiler:
    """Rocq's compiler."""

    path: str
    version: str

    @classmethod
    def found(cls, path: str | Path | None = None) -> Compiler:
        """The compiler in ``path``, or the one on the PATH."""
        name = str(path) if path is not None else shutil.which("coqc")
        if name is None:
            raise RocqMissing("Rocq's compiler coqc was not found", do=INSTALL)
        try:
            done = subprocess.run([name, "--print-version"], capture_output=True, text=True, timeout=60)
            return cls(name, done.stdout.split()[0])
        except (OSError, IndexError, subprocess.TimeoutExpired):
            raise RocqMissing("Rocq's compiler does not run", where=name, do=INSTALL) from None

    def run(self, file: Path, library: Path, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
        """Compile one file, in at most so many seconds."""
        words = [self.path, "-q", "-noglob", "-R", str(library), "Dfst", str(file)]
        return subprocess.run(words, capture_output=True, text=True, cwd=file.parent, timeout=seconds)

    def library(self, cache: str | Path | None = None, names: tuple[str, ...] = LIBRARY) -> Path:
        """The folder with the compiled checker and its proof; compiled if that was not done before."""
        sources = {name: (source_folder() / f"{name}.v").read_bytes() for name in names}
        digest = hashlib.sha256(b"".join([self.version.encode(), *sources.values()])).hexdigest()[:16]
        folder = Path(cache) if cache is not None else user_cache()
        ready = folder / f"rocq-{self.version}-{digest}"
        if ready.is_dir():
            return ready
        folder.mkdir(parents=True, exist_ok=True)
        with _scratch(folder) as scratch:
            work = Path(scratch)
            for name, content in sources.items():
                file = work / f"{name}.v"
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(content)
                done = self.run(file, work)
                if done.returncode:
                    do = f"Rocq 8.16 is known to work; this is {self.version}."
                    raise DfstError(f"Rocq does not compile {name}.v ({_last(done.stderr)})", do=do)
            try:
                work.rename(ready)
            except OSError:  # another process was faster
                if not ready.is_dir():
                    raise
        return ready


def source_folder() -> Path:
    """Where the Rocq sources are: beside this file if dfst was installed, otherwise in the repository."""
    packed = Path(__file__).parent / "proofs"
    return packed if packed.is_dir() else Path(__file__).parents[3] / "proofs"


def user_cache() -> Path:
    """The folder for what may be deleted at any time."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "dfst"


def _scratch(inside: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder that is gone afterwards, unless it was renamed."""
    return tempfile.TemporaryDirectory(prefix="dfst-rocq-", dir=inside, ignore_cleanup_errors=True)


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no message"
