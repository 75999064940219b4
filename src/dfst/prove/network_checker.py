"""Checks a proof about a network: python -I network_checker.py CERTIFICATE NETWORK WEIGHTS.

The claim: run with its hidden state rounded to so many bits, the network acts like the certificate's teacher on every
input of every length (up to where the teacher gets stuck, if the certificate does not exclude that). CERTIFICATE is
checked by checker.py, which has to be beside this file; its members cover every step of every rollout. NETWORK
(network.json) says what is claimed, WEIGHTS is the safetensors file. This file follows every step of the certificate
with every hidden vector that the network can have there, in whole numbers, and needs nothing but Python's standard
library. docs/certificates.md defines the words. Exit status: 0 verified, 1 rejected, 2 wrong usage.
"""

import argparse
import hashlib
import importlib
import math
import struct
import sys
import types
from pathlib import Path

FORMAT, KEYS = "dfst-network/1", {"format", "certificate", "weights", "bits", "scope", "pairs", "vectors", "digest"}
MAX_BITS, MAX_NUMBERS = 16, 2 * 10**6  # numbers in the weights
MAX_PAIRS, MEMBER_PAIRS = 15 * 10**5, 10**4  # pairs (member, vector), and for each member
MAX_WORK, STEP_WORK = 15 * 10**7, 10  # products of two numbers; a step of a pair takes as long as so many
DIFFERENT = "it states another number of pairs or of vectors"
UNITS = {"float64": (2.0**-53, 1023), "float32": (2.0**-24, 127)}  # rounding unit, largest exponent


def _load_checker():
    if __package__:  # a part of dfst
        return importlib.import_module(".checker", __package__)
    beside = Path(__file__).with_name("checker.py")
    if not beside.is_file():
        sys.exit(f"{Path(__file__).name} needs checker.py beside it: copy both files.")
    module = types.ModuleType("checker")
    exec(compile(beside.read_bytes(), beside, "exec"), vars(module))  # an import would take what __pycache__ holds
    return module


checker = _load_checker()
Rejected, need = checker.Rejected, checker.need


def read_weights(content, given):
    """(A, B, C, h0, the largest weight, the header's bits); tensors as whole numbers, times a power of two."""
    length = int.from_bytes(content[:8], "little")
    header, body = checker.parse(content[8 : 8 + length]), content[8 + length :]
    about = checker.entries(header, {"__metadata__", "A", "B", "C", "h0"}, "the weights' header")["__metadata__"]
    text = str(checker.entries(about, {"dfst"}, "the weights' metadata")["dfst"])
    about = checker.parse(text.encode(errors="surrogatepass"))
    need(type(about) is dict, "the weights' metadata is not an object")
    for key in checker.WORLD:
        same = checker.sha256(about.get(key)) == checker.sha256(given[key])
        need(same, f"the weights have another world: their header differs from the certificate in {key}")
    k = len(given["symbols"])
    (d,) = checker.items(header["h0"].get("shape") if type(header["h0"]) is dict else None, "the shape of h0", 1)
    checker.whole(d, 1, 10**4, "the hidden dimension")
    need(k * d * (d + k + 5) + d <= MAX_NUMBERS, f"the weights are more than {MAX_NUMBERS:,} numbers, its limit")
    found, largest = [], 0.0
    for name, shape in (("A", [k, d, d]), ("B", [k, k, d]), ("C", [k, 5, d]), ("h0", [d])):
        tensor = checker.entries(header[name], {"dtype", "shape", "data_offsets"}, name)
        need(tensor["dtype"] == "F32" and tensor["shape"] == shape, f"{name} is not float32 of {shape}")
        begin, end = (
            checker.whole(n, 0, len(body), "an offset") for n in checker.items(tensor["data_offsets"], "offsets", 2)
        )
        need(end - begin == 4 * math.prod(shape), f"{name} has a wrong size")
        floats = struct.unpack(f"<{math.prod(shape)}f", body[begin:end])
        need(all(map(math.isfinite, floats)), f"{name} holds a number that is not finite")
        largest = max(largest, *map(abs, floats))
        flat = [int(math.ldexp(f, 149)) for f in floats]  # exact: every float32 is a multiple of 2^-149
        shift = min(((n & -n).bit_length() - 1 for n in flat if n), default=0)
        flat = [n >> shift for n in flat]
        for size in reversed(shape[1:]):
            flat = [flat[i : i + size] for i in range(0, len(flat), size)]
        found.append(flat)
    return (*found, largest, about.get("bits"))


def steps_of(given):
    """For each member its steps as (symbol seen, symbol written, move, members that it leads to)."""
    (_, empty, _, _), k = checker.read_world(given), len(given["symbols"])
    tables = [checker.read_machine(given[what], k, what)[1] for what in ("teacher", "learner")]
    low, high = given["rows"]
    blank = (empty,) * (high - low + 1)
    found = []
    members = checker.read_members(given, len(blank), tuple(map(len, tables)))
    for (q, _, row, left, column, right), hints in zip(members, given["steps"], strict=True):
        hint, steps = iter(hints), []
        for seen in range(k) if row is None else [n for n in range(k) if column[row] >> n & 1]:
            if tables[0][q][seen] is not None:
                after, written, move = tables[0][q][seen]
                config = (after, 0, row, left, column, right)
                ways = () if move == checker.S else checker.after(config, written, move, blank)
                steps.append((seen, written, move, tuple(next(hint) for _ in ways)))
        found.append(steps)
    return found


def product(matrix, vector):
    """The matrix times the vector, and the largest sum of the sizes of what is added up."""
    terms = [[a * v for a, v in zip(row, vector, strict=True)] for row in matrix]
    return [sum(row) for row in terms], max(sum(map(abs, row)) for row in terms)


def rounded(numbers, top):
    """(the numbers scaled to a largest size of ``top`` and rounded, or None; the distance to the nearest tie)."""
    largest = max(map(abs, numbers))
    if not largest:
        return None, 0.0
    halves = [divmod(2 * top * n + largest, 2 * largest) for n in numbers]
    nearest = min(min(rest, 2 * largest - rest) for _, rest in halves)
    return tuple(whole for whole, _ in halves) if nearest else None, nearest / (2 * largest)


def leader(scores):
    """(the place of the highest score, how far it is ahead of the second)."""
    *_, second, best = sorted([-math.inf, *scores])
    return scores.index(best), best - second


def close(weights, top, starts, steps, stated=None):
    """(pairs, vectors, margins): follow every step of the certificate with every vector; rejects what is not alike.

    No further than to the numbers of pairs and of vectors that are ``stated``: small files must not make long work.
    """
    A, B, C, h0 = weights
    first, tie = rounded(h0, top)
    need(first is not None, "h0 cannot be rounded")
    pairs, acts, work = {(start, first) for start in starts}, {}, 0
    lead, slack, level = 1.0, tie / (8 * top), list(pairs)
    most, vectors = stated or (MAX_PAIRS, MAX_PAIRS)
    while level:
        further = []
        for member, vector in level:
            need(len(pairs) <= most and len(acts) <= vectors * len(A), DIFFERENT)
            for seen, written, move, following in steps[member]:
                new = (vector, seen) not in acts
                work += STEP_WORK + new * len(h0) * (len(h0) + len(B[0]) + 5)
                need(work <= MAX_WORK, "checking it would take too long")
                if new:
                    (symbols, s), (moves, m), (numbers, size) = (product(t[seen], vector) for t in (B, C, A))
                    (symbol, ahead), (going, leading) = leader(symbols), leader(moves)
                    need(ahead and leading, f"in member {member} two scores of the network tie")
                    after = None
                    if going != checker.S:
                        after, nearest = rounded(numbers, top)
                        tie = min(tie, nearest)
                        slack = min(slack, nearest * max(map(abs, numbers)) / (8 * top * size) if size else 0.0)
                    lead = min(lead, ahead / max(map(abs, symbols)), leading / max(map(abs, moves)))
                    slack = min(slack, ahead / (2 * s), leading / (2 * m))
                    acts[vector, seen] = symbol, going, after
                symbol, going, after = acts[vector, seen]
                alike, halts = (symbol, going) == (written, move), move == checker.S
                need(alike, f"in member {member} the network and the teacher act differently")
                need(halts or after is not None, f"in member {member} the next hidden state cannot be rounded")
                for place in following:
                    if (place, after) not in pairs:
                        pairs.add((place, after))
                        further.append((place, after))
        level = further
    return len(pairs), len({vector for _, vector in pairs}), (tie, lead, slack)


def verify(certificate, network, weights):
    """What the three files prove, as a dictionary; raises :class:`Rejected` if they do not."""
    given = checker.parse(checker.unzipped(certificate))
    report = checker.verify(given)
    stated = checker.entries(checker.parse(network), KEYS, "the network's file")
    need(stated["format"] == FORMAT, f"its format is not {FORMAT}")
    digest = checker.sha256({k: v for k, v in stated.items() if k != "digest"})
    need(stated["digest"] == digest, "its digest does not fit")
    need(stated["certificate"] == given["digest"], "it names another certificate")
    need(stated["weights"] == hashlib.sha256(weights).hexdigest(), "it names other weights: the SHA-256 differs")
    scope = checker.CLAIM[not report["teacher_never_stuck"]]  # the learner may be stuck with it, a network is not
    need(stated["scope"] == scope, "it claims what the certificate does not prove")
    bits = checker.whole(stated["bits"], 1, MAX_BITS, "the number of bits")
    *tensors, largest, said = read_weights(weights, given)
    need(type(said) is int and said == bits, "the weights' header does not name this number of bits")
    most = min(MAX_PAIRS, MEMBER_PAIRS * report["members"])
    counts = tuple(checker.whole(stated[what], 1, most, f"the number of {what}") for what in ("pairs", "vectors"))
    pairs, vectors, (tie, lead, slack) = close(tensors, 1 << bits, given["starts"], steps_of(given), counts)
    need((pairs, vectors) == counts, DIFFERENT)
    d, safe = len(tensors[3]), []
    for name, (unit, exponent) in UNITS.items():
        # Nothing overflows; nor does anything underflow, as all terms are multiples of the smallest float32.
        inside = largest * d * 4**bits < 2.0**exponent
        safe += [name] if inside and 2 * d * unit < slack * (1 - d * unit) else []
    return {
        "scope": scope,
        "teacher": report["teacher"],
        "weights": stated["weights"],
        "bits": bits,
        "pairs": pairs,
        "vectors": vectors,
        "nearest_rounding_tie": tie,
        "smallest_lead_of_a_score": lead,
        "same_steps_in_any_order_of_summation": safe,
    }


def main(arguments=None):
    """Check the files that the command line names; returns the exit status."""
    parser = argparse.ArgumentParser(
        description="Check a proof that a network with rounded hidden state acts like a teacher."
    )
    files = {"certificate": "certificate.json", "network": "network.json", "weights": "rounded.safetensors"}
    for name, usual in files.items():
        parser.add_argument(name, help=f"the file {usual}, as dfst certify writes it")
    contents = []
    for path in vars(parser.parse_args(arguments)).values():
        try:
            with open(path, "rb") as file:
                contents.append(file.read(checker.MAX_BYTES + 1))
        except (OSError, ValueError) as error:
            parser.error(f"a file cannot be read: {error}")
    try:
        need(all(len(content) <= checker.MAX_BYTES for content in contents), "a file is too large")
        report = verify(*contents)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    scope, bits = report.pop("scope"), report.pop("bits")
    rounding = f"rounded to {bits} bit{'s' * (bits != 1)}"
    print(f"verified: {scope} the network, its hidden state {rounding}, acts like the teacher")
    for key, value in report.items():
        print(f"{key.replace('_', ' ')}: {(', '.join(value) or 'not proven') if type(value) is list else value}")
    print(
        "not claimed: anything about the network without rounding, that the teacher is correct, or that it ever halts"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
