"""The measured counts of faults, for docs/reliability.md."""

from collections.abc import Iterable

from experiments.pages.page import load, made, markdown


def shown() -> dict[str, str]:
    """A row for each class of faults; a sentence on the cluster, and one on the worst of the small files."""
    found, fuzz, counts = load("faults"), load("fuzz"), load("cluster")["counts"]
    kills, crashes, failures = found["kills"], found["crashes"], found["failures"]
    inputs = [facts for kind in ("mutated", "guided") for facts in fuzz.get(kind, {}).values()]
    different = f"{len(kills['failed'])} resumes failed, {kills['different']} of {kills['runs']} runs"
    left = f"{sum(facts['finding'] for facts in inputs)} crashes, hangs or tracebacks left"
    lost = f"of {counts['trials']} trials {counts['lost']} lost, {counts['doubled']} doubled"
    rows = [
        ("SIGKILL at a random instant of a training run", kills["kills"], f"{different} with other weights"),
        (
            f"a crash of the disk, while saving {listed(crashes)}",
            sum(crashes.values()),
            "always the old state or the new one",
        ),
        (
            f"an operation fails: {listed(failures)}",
            sum(failures.values()),
            "a sentence each, then resumed to the same weights",
        ),
        *(
            (f"one bit flipped in a {name} of add2", facts["bits"], f"{facts['undetected']} not noticed at load")
            for name, facts in found["flips"].items()
        ),
        ("SIGKILL of a node of a cluster, and of a sweep's driver", counts["drivers"], lost),
        ("a file or a command line that is wrong", sum(facts["inputs"] for facts in inputs), left),
    ]
    lines = [{"fault": what, "tried": f"{count:,}", "outcome": outcome} for what, count, outcome in rows]
    cluster = f"Of {counts['trials']} trials, {counts['lost']} were lost and {counts['doubled']} doubled. Of "
    cluster += f"the {counts['interrupted']} that were under way at the kills, {counts['retried']} were tried again, "
    cluster += f"and {counts['interrupted_with_other_weights']} ended with other weights than undisturbed."
    files = fuzz["bombs"].values()
    slowest = max(facts["seconds"] for facts in files)
    most = max(facts["factor"] * facts["bytes"] for facts in files) / 2**20
    larger = sum((facts["factor"] - 10) * facts["bytes"] > 4 * 2**20 for facts in files)
    bombs = f"Of {len(files)} small files that were made to take long or much memory, the slowest took {slowest} "
    bombs += f"seconds and the largest {most:.0f} MiB; {larger} took more than ten times the file and 4 MiB."
    return {
        "faults": f"{markdown(lines, ('---', '---:', '---'))}\n\n{made(found['manifest'])}",
        "cluster": f"{cluster} {made(load('cluster')['manifest'])}",
        "bombs": f"{bombs} {made(fuzz.get('bombs_manifest') or fuzz['manifest'])}",
    }


def listed(names: Iterable[str]) -> str:
    """Such as "a model, checkpoints or a journal"."""
    *most, last = names
    return f"{', '.join(most)} or {last}"
