"""The parts of extraction: trie, fold, swap test, regular successors."""

import random

import numpy as np
import pytest

from dfst import from_machine, record, sample
from dfst.extraction.fold import Fold, Step
from dfst.extraction.merge import Merged, merge
from dfst.extraction.regular import regularise
from dfst.extraction.swap import SwapTest
from dfst.extraction.swap_kernels import times
from dfst.extraction.trie import trie_of
from dfst.teachers.find import find_task
from dfst.traces.traces import Trace, Traces

ALPHABET = find_task("add2").machine.alphabet


def traces_of(*words):
    """Traces that see ``words``; every step writes what it saw and moves right, but the last halts."""
    traces = []
    for word in words:
        seen = np.array([int(c) for c in word], np.uint8)
        moves = np.full(len(seen), 3, np.uint8)
        moves[-1] = 4
        traces.append(Trace(seen, seen.copy(), moves))
    return Traces.of(ALPHABET, traces)


def path_to(trie, node):
    """The nodes from the first step to ``node``, the root left out."""
    return [*path_to(trie, int(trie.parent[node])), node] if node else []


def test_the_trie_holds_every_prefix_once():
    rng = random.Random(1)
    for _ in range(50):
        words = ["".join(rng.choices("012", k=rng.randint(1, 6))) + "3" for _ in range(rng.randint(1, 12))]
        trie = trie_of(traces_of(*words))
        prefixes = {word[:n] for word in words for n in range(len(word) + 1)}
        named = ["".join(str(trie.seen[n]) for n in path_to(trie, node)) for node in range(len(trie))]
        assert sorted(named) == sorted(prefixes)
        for node, name in enumerate(named):
            behind = [word for word in words if word.startswith(name)]
            assert trie.depth[node] == len(name)
            assert trie.height[node] == max(map(len, behind)) - len(name)
            assert words[trie.trace[node]].startswith(name)
            below = [n for n, other in enumerate(named) if other.startswith(name) and other != name]
            assert below == list(range(node + 1, trie.end[node]))
            if trie.height[node]:
                assert trie.parent[trie.tallest[node]] == node
                assert trie.height[trie.tallest[node]] == trie.height[node] - 1


def test_a_fold_that_clashes_changes_nothing():
    """0 halts in one trace and goes on in the other: the nodes after 1 and after 2 cannot be one."""
    traces = traces_of("1013", "20")
    fold = Fold(trie_of(traces))
    chosen = fold.tallest()
    assert chosen is not None
    state, edge = chosen
    before = fold.table()
    fold.open(fold.target(edge))
    other = next(e for e in fold.edges(0) if e != edge)
    table, witnesses = fold.table(), fold.witnesses(fold.root(1))
    assert (state, len(before)) == (0, 1)
    assert fold.join(1, other) is None
    assert fold.table() == table
    assert fold.witnesses(fold.root(1)) == witnesses
    assert fold.join(0, other) == 0  # nothing in common, so nothing clashes
    assert fold.table() != table


def test_a_fold_may_lead_through_the_edge_it_is_about():
    fold = Fold(trie_of(traces_of("00003")))
    chosen = fold.tallest()
    assert chosen is not None
    assert fold.join(0, chosen[1]) == 3
    assert {x: step.target for x, step in fold.table()[0].items()} == {0: 0, 3: None}


def test_products_are_summed_in_order_to_the_last_bit():
    rng = np.random.default_rng(3)
    for d, n in [(1, 1), (5, 9), (6, 6), (20, 17), (108, 108)]:
        for dtype in (np.float32, np.float64):
            h, matrix, out = rng.normal(size=d), rng.normal(size=(d, n)).astype(dtype), np.empty(n)
            times(matrix, h, out)
            expected = np.zeros(n)
            for j in range(d):
                expected = expected + h[j] * matrix[j].astype(np.float64)
            assert np.array_equal(out, expected)


def test_a_tie_is_no_opinion():
    traces = traces_of("00003")
    model = from_machine(find_task("add2").machine)
    for array in (model.A, model.B, model.C):
        array[:] = 0
    assert SwapTest(model, traces).one_way([2], [2]) is None


def test_hidden_states_are_those_of_the_model():
    teacher = find_task("mult2")
    traces = record(teacher.machine, [("101", "11"), ("1", "0")])
    test = SwapTest(from_machine(teacher.machine), traces)
    for node in range(0, len(test.trie), 17):
        state = teacher.machine.start
        for n in path_to(test.trie, node):
            state = int(teacher.machine.next_state[state, test.trie.seen[n]])
        if state >= 0:
            assert int(test.hidden(node).argmax()) == state


def test_poor_states_are_merged_only_with_something_in_common():
    step = Step(written=0, move=3, target=None, witness=1, height=1)
    test = SwapTest(from_machine(find_task("add2").machine), sample(find_task("add2")))
    merged = merge([{0: step}, {1: step}], test)
    assert merged.home == [0, 1]
    assert merged.merges == []


def test_symbols_treated_alike_lead_to_one_state_unless_the_swap_test_objects():
    """In state 0, seeing 1 and seeing 2 write back and move right; both successors see 0 and then 3, one also 3."""
    teacher = find_task("add2").machine
    traces = traces_of("103", "203", "13")
    test = SwapTest(from_machine(teacher), traces)
    test.one_way = lambda of, futures: 7
    node = {"".join(str(test.trie.seen[n]) for n in path_to(test.trie, i)): i for i in range(len(test.trie))}

    def step(prefix, x, target, move=3):
        return Step(x, move, target, node[prefix], int(test.trie.height[node[prefix]]))

    table = [
        {1: step("1", 1, 1), 2: step("2", 2, 2)},
        {0: step("10", 0, 3), 3: step("13", 3, None, move=4)},
        {0: step("20", 0, 3)},
        {3: step("103", 3, None, move=4)},
    ]
    merged, redirects = regularise(Merged(table, [0, 1, 2, 3], []), test)
    assert [merged.table[0][x].target for x in (1, 2)] == [1, 1]
    assert [(r.symbol, r.before, r.target, r.alike, r.tested) for r in redirects] == [(2, 2, 1, (1, 2), 7)]

    test.one_way = lambda of, futures: None
    merged, redirects = regularise(Merged(table, [0, 1, 2, 3], []), test)
    assert redirects == []
    assert [merged.table[0][x].target for x in (1, 2)] == [1, 2]


@pytest.mark.parametrize("task", ["add2", "mult2"])
def test_the_swap_test_knows_the_states_of_a_one_hot_model(task):
    teacher = find_task(task)
    traces = sample(teacher)
    test = SwapTest(from_machine(teacher.machine), traces)
    rng, trie = random.Random(2), test.trie
    label = np.zeros(len(trie), int)
    for n in range(1, len(trie)):
        label[n] = teacher.machine.next_state[label[trie.parent[n]], trie.seen[n]]
    inner = [n for n in range(1, len(trie)) if trie.height[trie.parent[n]] > 1]
    for _ in range(300):
        a, b = rng.sample(inner, 2)
        if label[trie.parent[a]] == label[trie.parent[b]]:
            assert test.two_way([a], [b]) is not None


@pytest.mark.parametrize("move", [3, 2])
def test_successors_that_know_the_same_rule_only_become_one_state(move):
    """After 1 comes 0, after 2 comes 1: neither knows what the other saw, and both write it back and go right."""
    one, other = traces_of("103", "213")
    other = other._replace(moves=np.array([3, move, 4], np.uint8))
    test = SwapTest(from_machine(find_task("add2").machine), Traces.of(ALPHABET, [one, other]))
    test.one_way = lambda of, futures: 7
    to = [{1: (3, 1), 2: (3, 2)}, {0: (3, 3)}, {1: (move, 3)}, {3: (4, None)}]
    table = [{x: Step(x, move, target, 1, 1) for x, (move, target) in row.items()} for row in to]
    merged, redirects = regularise(Merged(table, [0, 1, 2, 3], []), test)
    same = move == 3
    assert [(r.symbol, r.before, r.target, r.tested) for r in redirects] == [(2, 2, 1, 0)] * same
    assert merged.home == [0, 1, 1 if same else 2, 3]
    assert [set(row) for row in merged.table] == [{1, 2}, {0, 1} if same else {0}, set() if same else {1}, {3}]
