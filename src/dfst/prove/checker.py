"""Checks a certificate: python -I checker.py CERTIFICATE [--teacher FILE] [--weights FILE] [--machine FILE].

A certificate claims that two machines on a grid, a teacher and a learner, act alike on every input of every length. It
lists abstract configurations; this file checks that they hold every start, that every step from any of them leads into
one of them again, and that in each of them both machines do the same: by induction they always do. How the list was
found does not matter; docs/certificates.md defines the words and says why. Nothing but Python's standard library
is needed, and no code of the prover. Exit status: 0 verified, 1 rejected, 2 wrong usage.
"""

import argparse
import hashlib
import json
import math
import sys
import zlib

FORMAT = "dfst-certificate/1"
MAX_BYTES, MAX_LISTS, MAX_SYMBOLS, MAX_STARTS = 2**28, 2**22, 250, 100
MAX_INPUT, MAX_WORK, SMALL_WORK, STEP_WORK = 10**6, 5 * 10**8, 10**7, 1000  # cells: of the input; see spend
HEX, (U, D, L, R, S) = {*"0123456789abcdef"}, range(5)
CLAIM = {False: "on every input", True: "on every input, up to where the teacher gets stuck"}
WORLD, MACHINE = ("symbols", "blank", "classes", "layout"), ("start", "table")
PROOF = ("rows", "sets", "columns", "halves", "starts", "members", "steps", "claim", "hashes", "digest")
KEYS = {*WORLD, *PROOF, "format", "moves", "halting", "teacher", "learner"}


class Rejected(Exception):
    """The certificate does not prove what it claims; the message says why."""


def need(condition, sentence):
    """Reject with ``sentence`` unless ``condition`` holds."""
    if not condition:
        raise Rejected(sentence)


def spend(known, cells):
    """Count the cells looked at, and ten for each look: MAX_WORK at most, and much less for a file of few steps."""
    known["work"], limit = known.get("work", 0) + cells + 10, known.get("limit", MAX_WORK)
    need(known["work"] <= limit, f"checking it would take too long (more than {limit} cells to look at)")


def unzipped(content):
    """``content``, unpacked if it is a gzip file: at most to a hundred times its size, as no real certificate is."""
    if content[:2] != b"\x1f\x8b":
        return content
    limit, stream = min(MAX_BYTES, 100 * len(content)), zlib.decompressobj(31)
    try:
        plain = stream.decompress(content, limit + 1)
    except zlib.error:
        raise Rejected("its gzip data is damaged") from None
    need(len(plain) <= limit, f"unpacked, the file is larger than {limit} bytes")
    need(stream.eof and not stream.unused_data, "its gzip data is cut short, or something follows it")
    return plain


def parse(content):
    """The JSON value of ``content``: UTF-8, without fractions, constants such as NaN, and keys that are given twice."""
    need(len(content) <= MAX_BYTES and sum(map(content.count, b"[{")) <= MAX_LISTS, "the file is too large")
    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=lambda pairs: need(len(dict(pairs)) == len(pairs), "a key comes twice") or dict(pairs),
            parse_float=lambda text: need(False, f"{text[:20]} is not a whole number"),
            parse_constant=lambda text: need(False, f"{text} is not a number"),
        )
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Rejected(f"it is not JSON text{place}") from None


def sha256(value):
    """The hash of a JSON value in its canonical form: sorted keys, no spaces, ASCII only."""
    try:
        return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    except RecursionError:
        raise Rejected("it is nested too deeply") from None


def items(value, what, length=None):
    """``value``, if it is a list (of that length)."""
    need(type(value) is list and length in (None, len(value)), f"{what} is not a list of the right length")
    return value


def whole(value, low, high, what):
    """``value``, if it is a whole number from low to high."""
    need(type(value) is int and low <= value <= high, f"{what} is not a whole number from {low} to {high}")
    return value


def entries(value, keys, what):
    """``value``, if it is an object with exactly these keys."""
    wrong = [ascii(key)[:50] for key in sorted(set(keys) ^ value.keys() if type(value) is dict else keys)[:3]]
    need(type(value) is dict and not wrong, f"{what} has not the keys it should (look at {', '.join(wrong)})")
    return value


def pick(table, number, what):
    """The entry of ``table`` with that number."""
    return table[whole(number, 0, len(table) - 1, f"the number of {what}")]


def texts(value, what):
    """``value``, if it is a list of strings."""
    need(all(type(text) is str for text in items(value, what)), f"{what} holds what is not a string")
    return value


def read_world(given):
    """(parts of the input as (set of symbols, many), blank as a set, head x, head y); a set is an integer's bits."""
    symbols, classes, blank = texts(given["symbols"], "the alphabet"), given["classes"], given["blank"]
    layout = entries(given["layout"], {"parts", "head", "answer_row", "answer_class", "leading"}, "the layout")
    need(len(symbols) <= MAX_SYMBOLS, f"the alphabet has more than {MAX_SYMBOLS} symbols")
    need(len(set(symbols)) == len(symbols) and blank in symbols, "a symbol comes twice, or the blank never")
    need(type(classes) is dict, "the classes are not an object")
    bits, masks, parts = {symbol: 1 << n for n, symbol in enumerate(symbols)}, {}, []
    for name, members in classes.items():
        need(texts(members, "a class"), "a class is empty")
        need(bits.keys() >= set(members), "a class holds something that is not a symbol")
        masks[name] = sum(bits[symbol] for symbol in set(members))
    for part in texts(layout["parts"], "the input"):
        name = part[:-1] if part.endswith("+") else part
        need(part in bits or name in masks, "an input part is neither a symbol nor a class")
        parts.append((bits[part], False) if part in bits else (masks[name], part != name))
        need(not parts[-1][0] & bits[blank], "an input part may be blank")
    need(parts, "the input is empty")
    x, y = (whole(n, -1000, 1000, "a coordinate of the start cell") for n in items(layout["head"], "the start cell", 2))
    whole(layout["answer_row"], -1000, 1000, "the answer's row")
    (name,) = texts([layout["answer_class"]], "the answer's class")
    need(blank not in classes.get(name, [blank]), "the answer's class is none of the classes, or holds the blank")
    need(layout["leading"] in [None, *classes[name]], "the leading symbol is not in the answer's class")
    return parts, bits[blank], x, y


def read_machine(value, k, what):
    """(start, table) of a machine: table[state][symbol] is None or [next state (-1: halted), written symbol, move]."""
    table = items(entries(value, {*MACHINE, "name", "states"}, f"the {what}")["table"], f"the {what}'s table")
    for entry in [entry for row in table for entry in items(row, f"a row of the {what}'s table", k)]:
        if entry is not None:
            items(entry, f"an entry of the {what}'s table", 3)
            whole(entry[0], -1, len(table) - 1, f"a next state of the {what}")
            whole(entry[1], 0, k - 1, f"a symbol that the {what} writes")
            whole(entry[2], U, S, f"a move of the {what}")
            need((entry[2] == S) == (entry[0] == -1), f"the {what} stays without halting, or halts without staying")
    names = texts([value["name"], *items(value["states"], f"the {what}'s states")], f"the {what}'s names")
    need(len(names) in (1, 1 + len(table)), f"the {what} has more or fewer names of states than states")
    return whole(value["start"], 0, len(table) - 1, f"the {what}'s start"), table


def read_members(given, height, counts):
    """The members as (teacher state, learner state, row, left half, column, right half); row None means any grid."""
    sets, columns, halves, members = [], [], [], []
    for listed in items(given["sets"], "the sets"):
        need(items(listed, "a set"), "a set is empty")
        sets.append(sum({1 << whole(x, 0, len(given["symbols"]) - 1, "a symbol of a set") for x in listed}))
    for column in items(given["columns"], "the columns"):
        columns.append(tuple(pick(sets, number, "a set") for number in items(column, "a column", height)))
    for half in items(given["halves"], "the halves"):
        runs = [items(run, "a run", 2) for run in items(half, "a half")]
        halves.append(tuple((pick(columns, run[0], "a column"), whole(run[1], 0, 1, "a run's flag")) for run in runs))
    for member in items(given["members"], "the members"):
        need(len(items(member, "a member")) in (2, 6), "a member has neither 2 nor 6 numbers")
        pair = [whole(q, 0, count - 1, "a member's state") for q, count in zip(member[:2], counts, strict=True)]
        shape = [None] * 4
        if len(member) == 6:
            shape = [whole(member[2], 0, height - 1, "a member's row"), pick(halves, member[3], "a half")]
            shape += [pick(columns, member[4], "a column"), pick(halves, member[5], "a half")]
        members.append((*pair, *shape))
    return members


def inside(small, large):
    """Whether each cell of the column ``small`` is a subset of that cell of the column ``large``."""
    return all(one | other == other for one, other in zip(small, large, strict=True))


def half_inside(small, large, blank, known):
    """Whether the runs of ``small`` can be laid in order onto runs of ``large`` that hold them, hitting every one.

    A place (i, hit): run i of ``large`` is next, or has been hit and may be again; beyond the last are only blanks.
    """
    spend(known, len(blank) * (len(small) + len(large)))  # to find them among the known ones
    if (small, large) not in known:
        places = {(0, False)}
        for column, many in small:
            reached = {i for i, _ in places} | {i + 1 for i, hit in places if hit}
            spend(known, len(blank) * len(reached))
            places = {(i, False) for i in reached if i == len(large) and column == blank}
            for i in [i for i in reached if i < len(large) and inside(column, large[i][0])]:
                places |= {(i, True)} if large[i][1] else set() if many else {(i + 1, False)}
        spend(known, len(blank) * len(large) * len(places))
        known[small, large] = any(all(inside(blank, run[0]) for run in large[i + hit :]) for i, hit in places)
    return known[small, large]


def covers(config, member, blank, known):
    """Whether ``member`` holds every concrete configuration that ``config`` holds."""
    spend(known, len(blank))
    if member[2] is None or config[:3] != member[:3] or not inside(config[4], member[4]):
        return member[2] is None and config[:2] == member[:2]
    return all(half_inside(config[side], member[side], blank, known) for side in (3, 5))


def pop(half, blank):
    """The nearest column and what is left, in every way: a run of one or more goes on, or ends with this column."""
    column, many = half[0] if half else (blank, False)
    return [(column, half), (column, half[1:])] if many else [(column, half[1:])]


def starts(parts, x, row, blank, known=None):
    """(left half, column under the head, right half) of all inputs together, with the head in column x."""
    need(len(parts) * len(blank) <= MAX_INPUT, f"the input's parts times the rows are more than {MAX_INPUT} cells")
    known = {} if known is None else known
    right = ((blank, False),) * -x + tuple(((*blank[:row], mask, *blank[row + 1 :]), many) for mask, many in parts)
    found = [((), *way) for way in pop(right, blank)]
    for passed in range(x):
        need(len(found) <= MAX_STARTS, "the start cell is too far inside the input")
        spend(known, 2 * len(found) * (passed + len(parts)) * len(blank))  # to tell them apart
        ways = ((left, column, way) for left, column, right in found for way in pop(right, blank))
        found = list(dict.fromkeys((((column, False), *left), *way) for left, column, way in ways))
    return found


def after(config, written, move, blank):
    """The configurations after writing and moving, in a fixed order; ``config`` has the new states already."""
    q, s, row, left, column, right = config
    if row is None:
        return [config]
    column = (*column[:row], 1 << written, *column[row + 1 :])
    if move == R:
        return [(q, s, row, ((column, False), *left), ahead, rest) for ahead, rest in pop(right, blank)]
    if move == L:
        return [(q, s, row, rest, ahead, ((column, False), *right)) for ahead, rest in pop(left, blank)]
    row += 1 if move == U else -1
    need(0 <= row < len(column), "the head leaves the rows")
    return [(q, s, row, left, column, right)]


def verify(given):
    """What the JSON value ``given`` proves, as a dictionary; raises :class:`Rejected` if it does not."""
    entries(given, KEYS, "the certificate")
    rules = [given["format"], given["moves"], given["halting"]]
    need(rules == [FORMAT, [*"UDLRS"], "S"], f"its format is not {FORMAT}, or its moves or halting rule are not known")
    (parts, empty, x, y), k = read_world(given), len(given["symbols"])
    (q0, teacher), (s0, learner) = (read_machine(given[what], k, what) for what in ("teacher", "learner"))
    low, high = (whole(n, -5000, 5000, "a row") for n in items(given["rows"], "the rows", 2))
    need(low <= min(0, y) and max(0, y) <= high, "its rows leave out the input or the start cell")
    blank = (empty,) * (high - low + 1)
    members = read_members(given, len(blank), (len(teacher), len(learner)))
    steps = [items(hints, "the hints of a member") for hints in items(given["steps"], "the steps", len(members))]
    known = {"limit": min(MAX_WORK, SMALL_WORK)}
    hinted = [pick(members, n, "a start") for n in items(given["starts"], "the starts")]
    for start in starts(parts, x, -low, blank, known):
        found = any(covers((q0, s0, y - low, *start), member, blank, known) for member in hinted)
        need(found, "a start is not covered")
    stuck = apart = False
    for at, (member, listed) in enumerate(zip(members, steps, strict=True)):
        q, s, row, left, column, right = member
        hints = iter(listed)
        spend(known, k)
        for seen in range(k) if row is None else [n for n in range(k) if column[row] >> n & 1]:
            theirs, ours = teacher[q][seen], learner[s][seen]
            if theirs is None:
                stuck, apart = True, apart or ours is not None
            elif ours is None or ours[1:] != theirs[1:]:
                raise Rejected(f"in member {at} teacher and learner act differently")
            elif theirs[2] != S:
                for config in after((theirs[0], ours[0], row, left, column, right), theirs[1], theirs[2], blank):
                    covering = pick(members, next(hints, None), "the member that covers a step")
                    need(covers(config, covering, blank, known), f"a step from member {at} is not covered")
                    known["limit"] = min(MAX_WORK, known["limit"] + STEP_WORK)  # only for steps that were verified
        need(not [*hints], f"member {at} has more hints than steps")
    claim = {"scope": CLAIM[apart], "teacher_never_stuck": not stuck}
    need(sha256(given["claim"]) == sha256(claim), "it claims what it does not prove")
    stated = [*given["hashes"].values()] if type(given["hashes"]) is dict else [None]
    need(all(type(n) is str and len(n) == 64 and set(n) <= HEX for n in stated), "its hashes are not all SHA-256")
    need(given["digest"] == sha256({k: v for k, v in given.items() if k != "digest"}), "its digest does not fit")
    hashes = {what: sha256(core(given, given[what])) for what in ("teacher", "learner")}
    return {**claim, **hashes, "members": len(members)}


def core(world, machine):
    """What a machine's hash is taken of: alphabet, layout, start and table, but no names."""
    return {key: world.get(key) for key in WORLD} | {key: machine.get(key) for key in MACHINE}


def check_file(content, given, what):
    """Reject unless the file ``content`` is the one whose SHA-256 the certificate's ``hashes`` have under ``what``."""
    same = given["hashes"].get(what) == hashlib.sha256(content).hexdigest()
    need(same, f"its SHA-256 is not the one that the certificate has for {what} in its hashes")


def check_weights(content, given):
    """Reject unless the safetensors file has the learner's table as one-hot A (next states), B (symbols), C (moves).

    The world in its header must be the certificate's, too: where the input is written and how the answer is read.
    """
    length = int.from_bytes(content[:8], "little")
    header, body = parse(content[8 : 8 + length]), content[8 + length :]
    about = entries(header, {"__metadata__", "A", "B", "C", "h0"}, "the weights' header")["__metadata__"]
    about = parse(str(entries(about, {"dfst"}, "the weights' metadata")["dfst"]).encode(errors="surrogatepass"))
    for key in WORLD:
        same = type(about) is dict and sha256(about.get(key)) == sha256(given[key])
        need(same, f"the weights have another world: their header differs from the certificate in {key}")
    k, table = len(given["symbols"]), given["learner"]["table"]
    rules = [(q, x, *entry) for q, row in enumerate(table) for x, entry in enumerate(row) if entry]
    tensors = {name: entries(header[name], {"dtype", "shape", "data_offsets"}, name) for name in ("A", "B", "C", "h0")}
    d = whole(items(tensors["h0"]["shape"], "the shape of h0", 1)[0], len(table), 10**5, "the hidden dimension")
    wanted = {
        "A": ([k, d, d], [(x * d + following) * d + q for q, x, following, _, move in rules if move != S]),
        "B": ([k, k, d], [(x * k + written) * d + q for q, x, _, written, _ in rules]),
        "C": ([k, 5, d], [(x * 5 + move) * d + q for q, x, _, _, move in rules]),
        "h0": ([d], [given["learner"]["start"]]),
    }
    for name, (shape, ones) in wanted.items():
        need(tensors[name]["dtype"] == "F32" and tensors[name]["shape"] == shape, f"{name} is not float32 of {shape}")
        begin, end = (whole(n, 0, len(body), "an offset") for n in items(tensors[name]["data_offsets"], "offsets", 2))
        need(end - begin == 4 * math.prod(shape), f"{name} has a wrong size")
        expected = bytearray(end - begin)
        for place in ones:
            expected[4 * place : 4 * place + 4] = b"\x00\x00\x80\x3f"  # 1.0, little-endian
        need(body[begin:end] == expected, f"{name} of the weights says something else than the learner's table")
    if "one_hot" in given["hashes"]:
        check_file(content, given, "one_hot")


def main(arguments=None):
    """Check the files that the command line names; returns the exit status."""
    parser = argparse.ArgumentParser(description="Check a certificate that a learner acts like its teacher.")
    parser.add_argument("certificate")
    parser.add_argument("--teacher", help="a machine as JSON: is it the teacher that the certificate speaks of?")
    parser.add_argument("--weights", help="a safetensors file: does it say the same as the learner's table?")
    parser.add_argument("--machine", help="a machine file: has it the SHA-256 that the certificate states for it?")
    asked, files = {what: path for what, path in vars(parser.parse_args(arguments)).items() if path is not None}, {}
    for what, path in asked.items():
        if not path:
            parser.error(f"the name of the {what} file is empty: name a file, or leave the option out")
        try:
            with open(path, "rb") as file:
                files[what] = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            parser.error(f"a file cannot be read: {error}")
    try:
        given = parse(unzipped(files["certificate"]))
        report = verify(given)
        if "teacher" in files:
            other = parse(files["teacher"])
            same = type(other) is dict and sha256(core(other, other)) == report["teacher"]
            need(same, "it speaks of another teacher than the one given")
        if "weights" in files:
            check_weights(files["weights"], given)
        if "machine" in files:
            check_file(files["machine"], given, "machine")
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    lines = [f"{key}: {value}" for key, value in report.items()]
    lines += ["not claimed: that the teacher is correct, or that it ever halts"]
    only = " (only with the SHA-256 that the certificate states, which is not proven)"
    compared = [f"{what}{only if what == 'machine' else ''}" for what in files if what != "certificate"]
    lines += [f"compared: {', '.join(compared) or 'nothing'}"]
    print(f"verified: {report['scope']} the learner acts like the teacher", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
