"""Changed networks and changed proofs, by the thousand: python -m tests.prove.network_mutants COUNT SEED [TASK...]

A mutant changes a weight, the bits, the certificate or network.json, and everything that names it is made to fit, as an
attacker would. Whatever the checker accepts is run in fractions on problems of up to 6 symbols beside its teacher: it
must never leave it.
"""

import hashlib
import json
import random
import sys
from collections import Counter

import numpy as np

import dfst
from dfst.act.weights import Weights
from dfst.judging.checking import CERTIFICATE_NAME
from dfst.judging.network import NETWORK
from dfst.names import find_certificate
from dfst.prove import checker, network_checker
from dfst.prove.certificate import load_certificate, machine_hash
from dfst.training.weights import model_bytes
from tests.fuzz.mutate import edited
from tests.prove.exact_network import ExactNetwork, parts, problems

MOST_PAIRS, MOST_PROBLEMS = {"add2": 500_000}, {"add2": 1000}
"""Of a changed network there may be millions of pairs: then it is rejected, here after 10,000. On so many problems,
evenly spread, an accepted one is run; of the other tasks on 100."""

TASKS = ("copy", "rule110", "collatz", "gcd", "meander", "increment", "halve")


def remembering(close):
    """The same function, which computes nothing twice: the attacker counts first what the checker counts then."""
    known = {}

    def remembered(*given):
        if (key := hashlib.sha256(repr(given).encode()).digest()) not in known:
            known.clear()
            try:
                known[key] = close(*given)
            except Exception as error:
                known[key] = error
        if isinstance(known[key], Exception):
            raise known[key]
        return known[key]

    return remembered


def fitting(stated, certificate, weights):
    """network.json made to fit: what the checker would count is counted by its own function."""
    stated = stated | {"certificate": certificate.get("digest"), "weights": hashlib.sha256(weights).hexdigest()}
    try:
        *tensors, _, _ = network_checker.read_weights(weights, certificate)
        steps = network_checker.steps_of(certificate)
        counted = network_checker.close(tensors, 1 << stated["bits"], certificate["starts"], steps)
        stated |= {"pairs": counted[0], "vectors": counted[1]}
    except Exception:
        pass  # the checker will say it
    stated.pop("digest", None)
    return stated | {"digest": checker.sha256(stated)}


def mutant(name, rng):
    """(what was changed, certificate, network.json, weights, the model) of a task."""
    path = find_certificate(f"{name}:rounded")
    certificate = load_certificate(path)
    stated = json.loads(path.with_name(CERTIFICATE_NAME.sub(NETWORK, path.name)).read_text())
    model, kind = (
        dfst.load(f"{name}:rounded"),
        rng.choice(("weight", "weight", "weight", "bits", "certificate", "stated")),
    )
    if kind == "weight":
        tensors = {each: getattr(model, each).copy() for each in ("A", "B", "C", "h0")}
        flat = tensors[rng.choice("AABC")].reshape(-1)
        flat[rng.randrange(len(flat))] += np.float32(rng.gauss(0, rng.choice((0.01, 0.1, 1, 3))))
        plain = dfst.DFST(model.world, Weights(**tensors), model.name)
        model = dfst.rounded(plain, model.bits)
    elif kind == "bits":
        plain = dfst.DFST(model.world, Weights(model.A, model.B, model.C, model.h0), model.name)
        model = dfst.rounded(plain, rng.choice([bits for bits in range(1, 9) if bits != model.bits]))
        stated["bits"] = model.bits
    elif kind == "certificate":
        key = rng.choice(sorted(set(certificate) - {"hashes", "digest"}))
        certificate[key] = edited(certificate[key], rng)
        certificate["digest"] = checker.sha256({key: each for key, each in certificate.items() if key != "digest"})
    weights = model_bytes(model)
    stated = fitting(stated, certificate, weights)
    if kind == "stated":
        key = rng.choice(["pairs", "vectors", "bits", "scope", "certificate", "weights"])
        stated[key] = {int: lambda n: n + rng.choice((-1, 1)), str: lambda text: text[::-1]}[type(stated[key])](
            stated[key]
        )
        stated["digest"] = checker.sha256({key: value for key, value in stated.items() if key != "digest"})
    return kind, certificate, stated, weights, model


def accepted(certificate, stated, weights, teacher):
    """Whether the checker accepts the three files, as a proof about this teacher."""
    try:
        files = (json.dumps(each).encode() for each in (certificate, stated))
        return network_checker.verify(*files, weights)["teacher"] == machine_hash(teacher)
    except network_checker.Rejected:
        return False


def attack(count, seed, tasks=TASKS):
    """How many mutants of each kind were rejected, how many accepted; any that is accepted and wrong ends it."""
    rng, found = random.Random(seed), Counter()
    for _ in range(count):
        name = rng.choice(tasks)
        network_checker.MAX_PAIRS = MOST_PAIRS.get(name, 10_000)
        kind, certificate, stated, weights, model = mutant(name, rng)
        teacher = dfst.task(name).machine
        is_accepted = accepted(certificate, stated, weights, teacher)
        found[kind, "accepted" if is_accepted else "rejected"] += 1
        if is_accepted:
            exact = ExactNetwork(model, stated["bits"])
            wrong = [
                problem
                for problem in problems(teacher, 6, MOST_PROBLEMS.get(name, 100))
                if parts(exact, teacher, problem)
            ]
            assert not wrong, (name, kind, wrong[:1])
    return found


if __name__ == "__main__":
    network_checker.close = remembering(network_checker.close)
    for (kind, what), number in sorted(attack(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or TASKS).items()):
        print(f"{kind} {what}: {number}")
