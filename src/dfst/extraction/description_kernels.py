"""The compiled part of the search for a short description: machines led along a log, and states made one."""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled


@compiled()
def described(following, start, log, which, sign, before, lost, table, factorials):
    """(bits of the rules, records not explained, records without a rule) with the outputs of most records.

    A rule says whether it leads elsewhere, where to, and its output, each in as many bits as it is rare among the
    rules. Conversations ``which`` are added to the records ``before`` (``sign`` 1) or taken from them (-1), of which
    ``lost`` have no rule. A ``log`` is what was seen, what was answered, and where conversations begin; ``factorials``
    are their logarithms.
    """
    seen, answers, first = log
    table[:] = before
    for i in which:
        q = start
        for t in range(first[i], first[i + 1]):
            if answers[t] >= 0:
                if q < 0:
                    lost += sign
                else:
                    table[q, seen[t], answers[t]] += sign
            if q >= 0:
                q = following[q, seen[t]]
    rules, stay, errors = 0, 0, lost
    states, led_to, said = np.zeros((3, max(len(following), table.shape[2])), np.int64)
    for q in range(table.shape[0]):
        for x in range(table.shape[1]):
            number, most, output = 0, 0, 0
            for y in range(table.shape[2]):
                number += table[q, x, y]
                if table[q, x, y] > most:
                    most, output = table[q, x, y], y
            errors += number - most
            if number > 0:
                rules += 1
                said[output] += 1
                states[q] = 1
                if following[q, x] == q or following[q, x] < 0:
                    stay += 1
                else:
                    led_to[following[q, x]] += 1
                    states[following[q, x]] = 1
    elsewhere, kinds, outputs = rules - stay, max(1, states.sum()) - 1, table.shape[2] - 1
    bits = factorials[rules + 1] - factorials[stay] - factorials[elsewhere]
    bits += factorials[elsewhere + kinds] - factorials[kinds] - factorials[led_to].sum()
    bits += factorials[rules + outputs] - factorials[outputs] - factorials[said].sum()
    return bits / np.log(2), errors, lost


@compiled()
def folded(following, a, b, start):
    """The machine with a and b made one, and whatever follows both on the same input."""
    following, became, waiting = following.copy(), np.arange(len(following)), [(a, b)]
    while len(waiting):
        kept, gone = waiting.pop()
        while became[kept] != kept:
            kept = became[kept]
        while became[gone] != gone:
            gone = became[gone]
        if kept == gone:
            continue
        became[gone] = kept
        for x in range(following.shape[1]):
            if following[kept, x] < 0:
                following[kept, x] = following[gone, x]
            elif following[gone, x] >= 0:
                waiting.append((following[kept, x], following[gone, x]))
    for q in range(len(following)):
        root = q
        while became[root] != root:
            root = became[root]
        became[q] = root
    for q in range(len(following)):
        for x in range(following.shape[1]):
            if following[q, x] >= 0:
                following[q, x] = became[following[q, x]]
    return following, became[start]


@compiled()
def led(following, start, seen, first, states):
    """Write the state before every step of the log; -1 where the machine has no rule any more."""
    for i in range(len(first) - 1):
        q = start
        for t in range(first[i], first[i + 1]):
            states[t] = q
            q = max(following[q, seen[t]], -1) if q >= 0 else -1
