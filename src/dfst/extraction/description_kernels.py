"""The compiled part of the search for a short description: machines led along a log, and states made one."""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled


@compiled()
def described(following, start, log, which, sign, before, lost, table):
    """(rules, states, records not explained, records without a rule) with the outputs of most records.

    Conversations ``which`` are added to the records ``before`` (``sign`` 1) or taken from them (-1), of which ``lost``
    have no rule. A ``log`` is what was seen, what was answered, and where conversations begin.
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
    rules, states, errors = 0, 0, lost
    for q in range(table.shape[0]):
        used = rules
        for x in range(table.shape[1]):
            number, most = 0, 0
            for y in range(table.shape[2]):
                number += table[q, x, y]
                most = max(most, table[q, x, y])
            rules += number > 0
            errors += number - most
        states += rules > used
    return rules, states, errors, lost


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
