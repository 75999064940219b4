"""Nodes of a Ray cluster on loopback, and whatever else is started and killed beside them."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",  # or a busy machine would leave the workers no time
    "PYTHONDONTWRITEBYTECODE": "",  # or every process compiles all it imports, and a node gives up before it has begun
    # a node that is lost is seen within seconds, before a short sweep is over
    **{"RAY_health_check_initial_delay_ms": "1000", "RAY_health_check_period_ms": "1000"},
    "RAY_AUTH_MODE": "token",  # a cluster of our own, whatever Ray finds in the home folder
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}


@contextmanager
def node(words, folder, deadline):
    """A node, once it is up: two that start at once may take the same names."""
    # nodes of one machine have to choose their ports themselves, or they get in each other's way
    ports = ["--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0"]
    options = ["--node-ip-address=127.0.0.1", f"--object-store-memory={80 * 2**20}", "--block", "--disable-usage-stats"]
    while True:
        log = folder / f"node{len(list(folder.glob('node*')))}.log"
        command = [str(SCRIPTS / "ray"), "start", *words, *ports, *options]
        with started(["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command], log) as process:  # as in the background
            while process.poll() is None and "Ray runtime started" not in log.read_text():
                assert time.monotonic() < deadline, "it took too long"
                time.sleep(0.1)
            if process.poll() is None:
                yield process
                return
        # Ray gives up after half a minute, which a busy machine may need


@contextmanager
def started(words, log):
    """A process in a session of its own, which is ended with everything it has started."""
    with log.open("w") as sink:
        options = {"stdout": sink, "stderr": subprocess.STDOUT, "env": os.environ | ENVIRONMENT}
        process = subprocess.Popen(words, **options, start_new_session=True)
    try:
        yield process
    finally:
        send(signal.SIGKILL, [process.pid, *descendants(process.pid)])
        process.wait()


def send(number, processes):
    """Send a signal to those of the processes that there still are."""
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def descendants(pid):
    """Every process that ``pid`` has started, and those that these have started."""
    parents, found = {}, [pid]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    for parent in found:
        found += [child for child, above in parents.items() if above == parent]
    return found[1:]


def until(condition, deadline, process=None):
    """Wait for the condition, or for the end of the process that would bring it about."""
    while not condition() and (process is None or process.poll() is None):
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
