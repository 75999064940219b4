"""The live page in a real browser: its network, its machine and its checker do what dfst does."""

import base64
import copy
import gzip
import json
import random
import zlib
from pathlib import Path

import numpy as np
import pytest

from dfst.judging.checking import check_network
from dfst.names import find_certificate, find_policy
from dfst.prove import checker
from dfst.shipped import catalogue
from dfst.show.recording import differing_step, record_both
from dfst.teachers.find import find_task
from tests.show.conftest import IN_BROWSER

pytestmark = IN_BROWSER
MEASURED = Path(__file__).parents[2] / "results" / "gallery_networks.json"
BUDGET = 150_000
OPEN = "(words) => dfstLive.page.open(words)"
END = "dfstLive.page.seek(dfstLive.page.total), dfstLive.page.splits"
LIMIT = 1000
FLOATS = {"add10:raw": 300, "add2:raw": 300, "mult2:raw": 200, "add10:lasting": 100, "add2:lasting": 100}
DRAG = """(n) => {
    Object.assign(document.querySelector('#live-length'), {value: n}).dispatchEvent(new Event('input'));
    const { step, split, playing } = dfstLive.page;
    return [Math.sign(step - split), Boolean(playing)];
}"""
SUMMARY = """async ([name, problems, limit]) => {
    const live = dfstLive, task = live.tasks[name.split(":")[0]];
    const table = Array.from({length: 256}, (_, n) => {
        for (let i = 0; i < 8; i++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
        return n;
    });
    const network = await live.loadNetwork(...name.split(":"));
    return problems.map((operands) => {
        const run = live.rollOut(task, network, operands, limit);
        let crc = -1;
        run.seen.forEach((seen, i) => {
            for (const byte of [seen, run.written[i], run.moves[i]]) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
        });
        return [run.seen.length, run.outcome, (crc ^ -1) >>> 0, run.answer];
    });
}"""


def load(page, *paths):
    page.evaluate("(paths) => Promise.all(paths.map((path) => dfstLive.load(path)))", list(paths))


def problem(dice, task, longest):
    digits = find_task(task).machine.alphabet.classes["digit"]
    return ["".join(dice.choices(digits, k=dice.randint(1, longest))) for _ in range(2)]


def rollouts(page, name, problems, limit=LIMIT):
    """Those of a network in the page, which are those in Python step for step."""
    load(page, f"tasks/{name.partition(':')[0]}.js", f"weights/{name.replace(':', '-')}.js")
    model, found = find_policy(name), page.evaluate(SUMMARY, [name, problems, limit])
    for operands, shown in zip(problems, found, strict=True):
        result = model.run(*operands, step_limit=limit, record=True)
        trace = result.trace
        content = np.stack([trace.seen, trace.written, trace.moves], axis=1).astype(np.uint8).tobytes()
        expected = [result.steps, result.outcome.value.replace("_", " "), zlib.crc32(content), result.answer.text]
        assert shown == expected, (name, operands)
    return found


def test_network_and_python_agree_step_for_step_on_a_thousand_problems(show):
    page, dice, failed = show(), random.Random(1), 0
    for name, count in FLOATS.items():
        task = name.partition(":")[0]
        problems = [problem(dice, task, 7 if task == "mult2" else 20) for _ in range(count)]
        failed += sum(outcome != "halted" for _, outcome, _, _ in rollouts(page, name, problems))
    assert failed > 50  # the floats as they are trained fail on long numbers, and both say where


def test_rounded_networks_do_in_the_page_what_they_do_in_python_and_are_never_red(show):
    page, dice, failed = show(), random.Random(4), set()
    for name in [row.name for row in catalogue() if "rounded" in row.models]:
        proven = check_network(find_certificate(f"{name}:rounded"))
        lengths = (*range(1, 13), 30) if name in ("gcd", "collatz", "meander") else (*range(1, 30), 100)
        parts = [each.symbols for each in find_task(name).world.operands]
        problems = [["".join(dice.choices(each, k=length)) for each in parts] for length in lengths]
        rollouts(page, f"{name}:rounded", problems, 30000)
        page.evaluate(OPEN, words := {"task": name, "operands": problems[-1]})
        failed |= {name} if page.evaluate(END)[0] is not None else set()
        page.evaluate(OPEN, words | {"floats": "rounded"})
        assert f"rounded to {proven['bits']} bit" in page.inner_text("#live-arithmetic")
        assert f"length; dfst check {name}:rounded verifies it" in page.inner_text("#live-reach")
        assert [*page.evaluate(END), page.locator(".failed").count()] == [None, None, 0], name
        assert "float64" in proven["same_steps_in_any_order_of_summation"]
    assert {"add2", "gcd"} <= failed  # on the same problems, without rounding


def test_machines_and_python_agree_on_the_whole_catalogue(show):
    page = show()
    for row in catalogue():
        name = row.name
        load(page, f"tasks/{name}.js")
        example, shown = page.evaluate(
            """(name) => {
                const task = dfstLive.tasks[name];
                return [task.example, ["teacher", "learner"].map((who) => {
                    const machine = new dfstLive.Machine(task[who]);
                    const run = dfstLive.rollOut(task, machine, task.example, 1e5);
                    return [run.seen.length, run.outcome, run.answer];
                })];
            }""",
            name,
        )
        result = record_both(find_policy(f"{name}:machine"), find_task(name).machine, *example)
        expected = [[len(run), run.rollout.outcome.value.replace("_", " "), run.rollout.answer.text] for run in result]
        assert shown == expected[::-1], name


def plain(name):
    content = find_certificate(name).read_bytes()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def said_by_python(content):
    try:
        given = checker.parse(content)
    except checker.Rejected:
        return "unreadable"  # in other words than the browser's reader
    try:
        return checker.verify(given)
    except checker.Rejected as reason:
        return str(reason).partition(" (")[0]


def said_by_the_page(page, contents):
    return page.evaluate(
        """(all) => all.map((text) => {
            let read = null;
            try {
                read = dfstLive.parse(Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0)));
                return dfstLive.verify(read);
            } catch (error) {
                if (!(error instanceof dfstLive.Rejected)) throw error;
                return read === null ? "unreadable" : error.message.split(" (")[0];
            }
        })""",
        [base64.b64encode(content).decode() for content in contents],
    )


def test_the_checkers_agree_on_every_shipped_certificate(show):
    page = show()
    for row in catalogue():
        content = plain(row.name)
        assert said_by_the_page(page, [content]) == [said_by_python(content)], row.name


def mutant(dice, content):
    """A certificate with a fault: a value changed, taken away or doubled somewhere, or a byte; half are signed anew."""
    if dice.random() < 0.1:
        at = dice.randrange(len(content))
        return content[:at] + dice.choice([b"", b"0", b"]", b'"', b",", b"\xff", b"9", b".5"]) + content[at + 1 :]
    given = json.loads(content)
    for _ in range(dice.choice((1, 1, 2))):
        inside, place = given, dice.choice(list(given))
        while isinstance(inside[place], dict | list) and inside[place] and dice.random() < 0.93:
            inside = inside[place]
            place = dice.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        value = inside[place]
        others = [None, True, -1, 0, 1, 2, "s", [], {}, [[0, 0, 0]], 10**30]
        if type(value) is int:
            others = [value + 1, value - 1, value + 1, value - 1, *others]
        if isinstance(inside, list) and dice.random() < 0.3:
            inside[place : place + 1] = [] if dice.random() < 0.5 else [value, copy.deepcopy(value)]
        else:
            inside[place] = dice.choice(others)
    if dice.random() < 0.5 and isinstance(given, dict) and "digest" in given:
        given["digest"] = checker.sha256({key: value for key, value in given.items() if key != "digest"})
    return json.dumps(given).encode()


def test_the_checkers_agree_on_a_thousand_mutants(show):
    page, dice, accepted = show(), random.Random(2), 0
    sources = [content for row in catalogue() if len(content := plain(row.name)) < 4_000]
    mutants = [mutant(dice, dice.choice(sources)) for _ in range(1000)]
    expected = [said_by_python(content) for content in mutants]
    shown = said_by_the_page(page, mutants)
    assert [(i, one, two) for i, (one, two) in enumerate(zip(shown, expected, strict=True)) if one != two] == []
    reasons = {reason for reason in expected if isinstance(reason, str)}
    accepted = sum(isinstance(reason, dict) for reason in expected)
    assert len(reasons) > 30  # the mutants are of many kinds, and some prove as much as before
    assert accepted > 10


def test_where_the_floats_fail_the_machine_goes_on(show):
    operands = ("31415926535897932384", "27182818284590452353")
    both = record_both(find_policy("add10:raw"), find_task("add10").machine, *operands)
    step = differing_step(both)
    page = show(f"index.html#task=add10&in={operands[0]}&in={operands[1]}")
    assert f"first mistake at step {step:,} of" in page.inner_text("#live-verdict")
    assert "the right sum but did not stop" in page.inner_text("#live-verdict")
    page.click("#live-jump")
    assert page.evaluate("dfstLive.page.step") == step
    assert page.locator("#live-network.failed").count() == 1
    assert page.locator("#live-machine.failed").count() == 0
    assert "; the teacher writes" in page.inner_text("#live-network .live-act")
    page.wait_for_function(f"location.hash.includes('step={step}')")
    page.reload()
    page.wait_for_selector("#live.ready")
    assert page.evaluate("dfstLive.page.step") == step
    page.select_option("#live-floats", "lasting")
    page.wait_for_function("document.querySelector('#live-verdict').textContent.includes('at all')")
    assert "step" not in page.evaluate("location.hash") or page.evaluate("dfstLive.page.step") == 0


def test_a_changed_rule_breaks_something_and_the_page_shows_where(show):
    page = show("index.html#task=add10&in=58&in=67")
    page.click("#live-check")
    page.wait_for_selector("#live-proof.good")
    assert "18,847" in page.inner_text("#live-proof")
    page.select_option("#live-state", label="s22")
    page.get_by_label("seeing 5: writes").select_option(label="8")
    page.wait_for_selector("#live-breaks button")
    shown = page.inner_text("#live-breaks")
    assert "5 + 2" in shown
    page.click("#live-breaks button")
    page.wait_for_selector("#live-machine.failed")
    assert "; the teacher writes 7" in page.inner_text("#live-machine .live-act")
    page.click("#live-check")
    page.wait_for_selector("#live-proof.bad")
    assert "act differently" in page.inner_text("#live-proof")
    page.wait_for_function("location.hash.includes('edit=')")
    page.reload()
    page.wait_for_selector("#live.ready")
    assert page.locator("#live-machine.failed").count() == 1
    page.click("#live-undo")
    page.wait_for_selector("#live-undo", state="hidden")
    assert page.locator("#live-machine.failed").count() == 0


def test_a_task_of_the_gallery_shows_its_network_and_its_machine(show):
    page = show("index.html#task=reverse&in=abccc")
    assert page.inner_text("#live-verdict").startswith("abccc → cccba. The network acts like its teacher at all")
    page.fill("#live-inputs input", "abx")
    assert "“x”" in page.inner_text("#live-verdict")
    page.fill("#live-inputs input", "cab")
    assert "bac" in page.inner_text("#live-verdict")
    page.select_option("#live-task", "mult2")
    page.wait_for_function("document.querySelector('#live-verdict').textContent.includes('101 × 11 = 1111')")


def test_every_task_has_a_network_that_loads_on_demand_and_says_how_far_it_gets(show):
    page = show()
    assert [Path(name).name for name in show.files if "/weights/" in name] == ["add10-raw.js"]
    measured = {row["name"]: row for row in json.loads(MEASURED.read_text(encoding="utf-8"))["rows"]}
    for row in catalogue():
        page.select_option("#live-task", name := row.name)
        page.wait_for_function("(name) => dfstLive.page.task.name === name", arg=name)
        page.wait_for_function("document.querySelector('#live-verdict').textContent.includes('The network acts like')")
        assert page.evaluate("document.querySelectorAll('#live-hidden rect').length") > 0, name
        if name in measured:
            far, to = measured[name]["rlg"], measured[name]["measured_to"]
            said = f"up to at least {to} symbols, as far" if far >= to else f"up to {far} symbols."
            assert said in page.inner_text("#live-reach"), name
    assert "up to at least 2,450 symbols" in said_of(page, "add10", "lasting")
    assert "up to 16 symbols" in said_of(page, "add10", "raw")


def said_of(page, task, kind):
    page.evaluate(OPEN, {"task": task, "floats": kind})
    return page.inner_text("#live-reach")


def test_beyond_what_was_measured_networks_of_the_gallery_fail_in_the_page_as_in_python(show):
    page, dice = show(), random.Random(3)
    for name, length in {"decimal-to-binary": 9, "brackets": 60, "gcd": 60, "reverse": 40}.items():
        task = find_task(name)
        symbols = [each.symbols for each in task.world.operands]
        problems = [["".join(dice.choices(each, k=length)) for each in symbols] for _ in range(3)]
        right = [task.machine.run(*operands) for operands in problems]
        found = rollouts(page, f"{name}:raw", problems, 20000)
        assert [(end[0], end[3]) for end in found] != [(end.steps, end.answer.text) for end in right], name


def test_dragging_the_length_plays_to_the_first_mistake_and_stops_there(show):
    moving, quiet = show(still=False), show()
    assert quiet.evaluate(DRAG, 24) == [0, False]  # at once
    assert moving.evaluate(DRAG, 24) == [-1, True]
    moving.wait_for_function("dfstLive.page.playing === null")
    for page in (moving, quiet):
        assert page.evaluate("dfstLive.page.step === dfstLive.page.split && dfstLive.page.step < dfstLive.page.total")
        assert page.locator("#live-network.failed").count() == 1
    moving.click("#live-play")  # from there on to the end
    moving.wait_for_function("dfstLive.page.step > dfstLive.page.split")
    moving.evaluate(DRAG, 3)
    moving.wait_for_function("dfstLive.page.playing === null")
    assert moving.evaluate("dfstLive.page.step === dfstLive.page.total")  # no mistake: to the end


ENDINGS = {
    "still left the right sum": ("halted", "125", 0),
    "left 7": ("halted", "7", 0),
    "left nothing": ("halted", "", 0),
    "stopped, but what it left is no sum": ("halted", None, 0),
    "got stuck after 50 steps": ("stuck", None, 50),
    "wrote the right sum but did not stop": ("step limit", None, 52),
    "had not stopped after 20 steps": ("step limit", None, 20),
}


@pytest.mark.parametrize("said", ENDINGS)
def test_without_an_answer_the_page_says_what_happened(show, said):
    """The teacher's own rollout of 58 + 67, as if it had ended otherwise after so many steps."""
    outcome, answer, steps = ENDINGS[said]
    found = show("index.html#task=add10&in=58&in=67").evaluate(
        """([outcome, answer, steps]) => {
            const page = dfstLive.page, { taught } = page, cut = { ...taught, outcome, answer };
            for (const name of ["seen", "written", "moves"]) cut[name] = taught[name].slice(0, steps);
            page.runs[0] = cut;
            return page.ending(0);
        }""",
        [outcome, answer, steps],
    )
    assert found == f"it {said}"


@pytest.mark.parametrize(
    ("left", "differs"),
    [
        ("12345678901234567990123456788", "9 in place of 8 at symbol 18"),
        ("12345678900987654321123456788", "0987654321 in place of 1234567890 at symbol 11"),
    ],
)
def test_two_answers_that_are_shortened_alike_are_told_apart(show, left, differs):
    """Two sums of 29 digits that differ in the middle, as if the network had left the first."""
    page = show("index.html#task=add10&in=12345678901234567890123456787&in=1")
    page.evaluate("(answer) => Object.assign(dfstLive.page.runs[0], { outcome: 'halted', answer })", left)
    assert page.evaluate("dfstLive.page.ending(0)").endswith(f"(29 symbols) with {differs}")
    page.evaluate(END)
    shown = [page.inner_text(f"#live-{who} .live-act") for who in ("network", "machine")]
    assert differs in shown[0]
    assert "in place of" not in shown[1]


def test_the_style_of_the_boards_leaves_the_tables_of_a_page_alone(show):
    """Documentation marks the cells of a header row with the class "head"."""
    page = show()
    header = (
        '<table><thead><tr><th class="head">I want to …</th></tr></thead><tbody><tr><td>read</td></tr></tbody></table>'
    )
    page.evaluate("(html) => document.body.insertAdjacentHTML('beforeend', html)", header)
    assert page.evaluate("getComputedStyle(document.querySelector('th.head')).position") == "static"
    assert page.locator("th.head").bounding_box()["width"] > 60
    assert page.evaluate("getComputedStyle(document.querySelector('.viewport .head')).position") == "absolute"


def test_an_equation_only_where_one_holds(show):
    page = show()
    for task, operands, said in [
        ("increment", ["578"], "578 → 579."),
        ("subtract", ["10", "11"], "10 - 11 → 0."),
        ("gcd", ["||||", "||"], "|||| : || → ||."),
        ("mult2", ["11", "10"], "11 × 10 = 110."),
    ]:
        page.evaluate(OPEN, {"task": task, "operands": operands})
        assert page.inner_text("#live-verdict").startswith(said)


def test_the_table_of_rules_keeps_its_height(show):
    page = show("index.html#task=add10&in=58&in=67", viewport={"width": 1280, "height": 900})
    height = "document.querySelector('.live-rules').offsetHeight"
    heights = {page.evaluate(f"dfstLive.page.seek({step}), {height}") for step in range(53)}
    assert len(heights) == 1
    assert page.evaluate("new Set(dfstLive.page.runs[1].states).size") > 5  # of many different states


def test_everything_works_with_the_keyboard_alone(show):
    page = show()
    focused = "document.activeElement.id"

    def tab_to(name):
        for _ in range(60):
            if page.evaluate(focused) == name:
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none"
                return
            page.keyboard.press("Tab")
        pytest.fail(f"no way to {name}")

    page.keyboard.press("Tab")
    tab_to("live-task")
    tab_to("live-again")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("999")
    assert "999 + 67 = 1066" in page.inner_text("#live-verdict")
    page.focus("#live-task")
    tab_to("live-length")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#live-digits") == "4"
    tab_to("live-forth")
    page.keyboard.press("Enter")
    tab_to("live-scrub")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("dfstLive.page.step") == 2
    tab_to("live-check")
    page.keyboard.press("Enter")
    page.wait_for_selector("#live-proof.good")
    tab_to("live-state")


def test_it_plays_by_itself_only_where_motion_is_welcome(show):
    moving, quiet = show(still=False), show()
    moving.wait_for_function("dfstLive.page.step > 3")
    assert quiet.evaluate("[dfstLive.page.step, dfstLive.page.playing]") == [0, None]
    quiet.click("#live-play")
    quiet.wait_for_function("dfstLive.page.step > 3")


def test_it_fits_a_phone_and_the_budget(show, folder):
    page = show(viewport={"width": 390, "height": 844}, color_scheme="dark")
    for task, *operands in (("add10", "9" * 25, "1"), ("mult10", "580", "67"), ("meander", "||||||||")):
        page.evaluate(f"location.hash = '#task={task}&in={'&in='.join(operands)}'")
        page.wait_for_function("(text) => dfstLive.page.operands[0] === text", arg=operands[0])
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    show()
    assert "_static/live/data/weights/add10-raw.js" in show.files
    assert sum((folder / name).stat().st_size for name in show.files if not name.startswith("data:")) < BUDGET
