"""What people do wrong with logs and Mealy machines, with the sentence it gets; and files made to break a reader."""

import contextlib
import random
import warnings

import pytest

import dfst
from dfst.errors import DfstError, NoteWarning
from dfst.exchange.dot import parse_dot, to_dot
from dfst.traces.logs import LONGEST, conversations_of, traces_of_conversations
from tests.logs.protocols import door, walks
from tests.mistakes import call

HEAD = "case,input,output\n"
TWO_ANSWERS = f"{HEAD}1,push,on\n1,push,off\n2,push,on\n2,push,on\n"
REFERENCE = 'digraph { __start0 -> a; a -> a [label="push / on"]; }'
MISTAKES = {
    "empty.csv": ("", "the file is empty. Its first line names the columns: case,input,output."),
    "blank.csv": ("\n\n", "the file is empty. Its first line names the columns"),
    "head.csv": (HEAD, "there are no rows below the names of the columns. Write a row for every input."),
    "column.csv": ("case,input\n1,push\n", "there is no column 'output', but 'case input'. Its first line names"),
    "nameless.csv": ("1,push,on\n", "there is no column 'case', but '1 push on'. Its first line names"),
    "twice.csv": ("case,input,input,output\n", "there is more than one column 'input', but"),
    "short.csv": (f"{HEAD}1,push,on\n1,push\n", "line 3 has 2 columns, not 3. Quote a cell that holds a comma."),
    "long.csv": (f"{HEAD}1,push,on,off\n", "line 2 has 4 columns, not 3. Quote a cell"),
    "no-case.csv": (f"{HEAD},push,on\n", "line 2: the case is empty. Write what it was"),
    "no-input.csv": (f"{HEAD}1,,on\n", "line 2: the input is empty. Write what it was"),
    "no-output.csv": (f"{HEAD}1,push, \n", "line 2: the output is empty. Write what it was; for no answer at all"),
    "quote.csv": (HEAD + '1,"' + "push" * 50_000, "line 2 is not CSV (field larger than field limit"),
    "open.csv": (f'{HEAD}1,push,"on\n2,push,off\n', "line 3 is not CSV (unexpected end of data). Its first line"),
    "zero.csv": (f"{HEAD}1,push,on\0\n", "line 2 has a zero character, which no text has. The file may be damaged"),
    "names.csv": (
        HEAD + "".join(f"1,{'in' * 80}{i},on\n" for i in range(100)),
        "the names of inputs and outputs have 16,192 characters in all, which is too much. Shorten the longest, such",
    ),
    "many.csv": (
        HEAD + "".join(f"1,in{i},out{i}\n" for i in range(150)),
        "there are 300 different inputs and outputs, and at most 249 fit on a grid. Give one name",
    ),
    "apart.csv": (f"{HEAD}1,a b,on\n2,a␣b,on\n", "the inputs 'a b' and 'a␣b' cannot be told apart. Rename one"),
    "answers.csv": (
        TWO_ANSWERS,
        "case '1' and case '2' begin with the same 2 inputs, but the last of them, 'push', is answered 'off' in one "
        "and 'on' in the other. Correct one of them. Or let dfst learn --noisy",
    ),
    "lines.jsonl": ('[["push", "on"]\n', "line 1 is not JSON. A line is a list of [input, output] pairs"),
    "pair.jsonl": ('[["push", "on", "off"]]\n', "line 1: ['push', 'on', 'off'] (step 0) is no input and output."),
    "number.jsonl": ('[["push", "on"]]\n7\n', "line 2 is no conversation. A line is a list of"),
    "none.jsonl": ('[[null, "on"]]\n', "line 1: [None, 'on'] (step 0) is no input and output."),
    "unknown.jsonl": ('[["push", null]]\n', "no output is known. There is nothing to learn: give some of them."),
    "unknown.csv": (f"{HEAD}1,push,?\n2,push,?\n", "no output is known. There is nothing to learn"),
    "gap.csv": (f"{HEAD}1,push,on\n1,?,on\n", "line 3: the input is ?, which stands for what is not known. Cut the"),
    "gap.jsonl": ('[["?", "on"]]\n', "line 1: the input is ?, which stands for what is not known. Cut the"),
    "nothing.jsonl": ("[]\n[]\n", "there are no conversations. Give at least one input with its output."),
    "recording.csv": (
        HEAD + "7,push,on\n" + "8,push,on\n" * 20_000,
        "case '8' has 20,000 inputs, but only the first 1,000 inputs of a conversation are used: 19,000 of 20,001 are "
        "lost. Begin a new case wherever the system is reset, for each conversation begins in the start state. Or cut",
    ),
    "recording.jsonl": (f'[{", ".join(["""["push", "on"]"""] * 1100)}]\n', "case '1' has 1,100 inputs, but only the"),
    "stranger.csv": (f"{HEAD}1,pull,on\n", "the reference has no input 'pull', which the log has. Correct the name"),
    "answer.csv": (f"{HEAD}1,push,off\n", "the reference has no output 'off', which the log has. Correct the name"),
}
ARROW = 's -> t [label="b / y"]'
TWO = f"""digraph {{
__start0 -> s;
s -> s [label="a / x"]; {ARROW}
t -> s [label="a / z"] }}"""
GRAPHS = {
    "empty.dot": ("", "this is not a dot file with one graph. Its first word is digraph."),
    "start.dot": ('digraph { a -> a [label="x/y"] }', "0 start states are marked, not one. An arrow from __start0"),
    "starts.dot": ('digraph { __start0 -> a; __start0 -> b; a -> b [label="x/y"] }', "2 start states are marked"),
    "slash.dot": ('digraph { __start0 -> a; a -> a [label="push"] }', 'the label "push" has no slash. An arrow is'),
    "unlabelled.dot": (TWO.replace(ARROW, "s -> t"), "the arrow from 's' to 't' has no label. Give every arrow its"),
    "blank.dot": (TWO.replace(ARROW, 's -> t [label=" "]'), "the arrow from 's' to 't' has no label."),
    "started.dot": (TWO.replace("-> s;", '-> s [label="c / x"];'), "the arrow from '__start0' to 's' has a label."),
    "default.dot": (
        TWO.replace("__start0", 'edge [color=red, label="b / y"];\n__start0', 1).replace(ARROW, "s -> t"),
        "line 2 is about the labels of several arrows. Give every arrow its own label",
    ),
    "beside.dot": (TWO.replace("label", "xlabel", 1), "line 3: an arrow has the attribute xlabel. Give every"),
    "ends.dot": (TWO.replace(ARROW, f'{ARROW[:-1]}, headlabel="c / x"]'), "has the attribute headlabel."),
    "nowhere.dot": (
        'digraph { __start0 -> b; a -> a [label="x/y"] }',
        "there are no inputs in the start state 'b'. Give at least one, with its output.",
    ),
    "answers.dot": (
        'digraph { __start0 -> a; a -> a [label="x / 1\\nx / 2"] }',
        "(a, x) has a second rule; the first is above. Keep one of them.",
    ),
    "cut.dot": (REFERENCE[:-1], "the drawing is cut short. Its last character is }."),
    "group.dot": ("digraph { subgraph c {\n a -> b } }", "line 1 is neither a node nor an arrow. Write nodes and"),
    "grid.dot": (
        'digraph { __start0 -> a; a -> a [label="x/y R\\nz/z S"] }',
        "it draws a machine that moves on a grid, not",
    ),
    "many.dot": (
        "digraph { __start0 -> a;" + "".join(f'a -> a [label="i{i}/o{i}"];' for i in range(150)) + "}",
        "there are 300 different inputs and outputs, and at most 249 fit on a grid.",
    ),
}


@pytest.mark.parametrize("name", [*MISTAKES, *GRAPHS])
def test_a_mistake_gets_its_sentence(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    text, sentence = (MISTAKES | GRAPHS)[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "light.dot").write_text(REFERENCE, encoding="utf-8")
    words = ["learn", name] if name in GRAPHS else ["learn", name, "--teacher", "light.dot"]
    assert call(*words) in (1, 2)
    said = capsys.readouterr().err
    assert sentence in said.split("dfst: ", 1)[-1]
    assert "Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({name, "light.dot"})


def test_what_is_no_mistake_is_said():
    from dfst.exchange import from_csv

    with pytest.warns(NoteWarning, match="rows of different cases are mixed"):
        mixed = from_csv(f"{HEAD}1,push,on\n2,pull,off\n1,pull,off\n")
    assert mixed.problems == (("push pull",), ("pull",))
    with pytest.warns(NoteWarning, match="50 of 1,050 are lost"):
        assert traces_of_conversations([[("a", "b")] * 1050]).lengths.tolist() == [LONGEST + 1]


def test_empty_rows_say_nothing():
    from dfst.exchange import from_csv

    assert from_csv(f"\n\n{HEAD}1,push,on\n   \n,,\n1,pull,off\n").problems == (("push pull",),)


@pytest.mark.parametrize("name", ["␣", "␣a", "ε", "", "_xd800_", "\ud800", "_x41_", "halt", "_", "*", "a␣b", "a  b"])
def test_odd_names_come_back(name):
    read = conversations_of(traces_of_conversations([[(name, "on"), ("b", name)]]))
    assert conversations_of(dfst.exchange.from_csv(dfst.exchange.to_csv(traces_of_conversations(read[:])))) == read
    assert isinstance(read[0][0][0].encode(), bytes)


@pytest.mark.parametrize("form", ["csv", "jsonl", "dot"])
def test_changed_files_are_read_or_refused(tmp_path, form):
    log = traces_of_conversations(walks(door(), 5))
    rng, text = random.Random(form), to_dot(door())
    if form != "dot":
        text = dfst.exchange.to_csv(log) if form == "csv" else '[["a", "b"], ["c d", 7]]\n[["a", "b"]]\n'
    for _ in range(300):
        changed = list(text)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(changed))
            changed[at : at + rng.randint(0, 3)] = rng.choice(
                ['"', "\n", ",", "\0", "[", "{", "->", "<", "\\", "é", "/", ""]
            )
        with warnings.catch_warnings(), contextlib.suppress(DfstError):
            warnings.simplefilter("ignore", NoteWarning)
            if form == "dot":
                parse_dot("".join(changed))
            else:
                (tmp_path / f"log.{form}").write_text("".join(changed), encoding="utf-8")
                dfst.load(tmp_path / f"log.{form}")
