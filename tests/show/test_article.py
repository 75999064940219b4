"""The figures of the article in a real browser: each shows something, and what it says is what dfst computes."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dfst import recipe, sample
from dfst.act.weights import Weights
from dfst.names import find_policy
from dfst.teachers.find import find_task
from dfst.training.engine import TrainState
from dfst.training.fit import make_engine
from dfst.training.model import identity_model, loss
from dfst.training.recall import recall
from tests.show.conftest import IN_BROWSER, SCRIPT

pytestmark = IN_BROWSER


def test_the_page_descends_the_gradient_that_dfst_does(show):
    """Of a network that was trained for a while: its loss on all traces, and every number of the gradient."""
    page, traces = show(), sample(find_task("add2"))
    page.add_script_tag(url="_static/live/article.js")
    page.evaluate("dfstLive.load('training.js')")
    found = page.evaluate("""() => {
        const trainer = new dfstLive.Trainer(dfstLive.training, 1);
        for (let i = 0; i < 200; i++) trainer.step();
        const loss = trainer.differentiate(trainer.traces);
        return { loss, weights: [...trainer.weights], gradient: [...trainer.gradient], again: trainer.wrong() };
    }""")
    d, k = 12, 4

    def parts(numbers):
        matrices = np.array(numbers[d:]).reshape(k, d + k + 5, d)
        return Weights(*np.split(matrices, [d, d + k], axis=1), np.array(numbers[:d]))

    model = replace(identity_model(traces.world, d), weights=parts(found["weights"]).astype(np.float32))
    engine = make_engine("fused", TrainState.start(model), traces, recipe("quick", "add2"), seed=0, threads=1)
    assert found["loss"] == pytest.approx(loss(model, traces), rel=1e-4)
    for ours, theirs in zip(parts(found["gradient"]), engine.gradient()[1], strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4 * np.abs(theirs).max())
    assert found["again"] == recall(model, traces).wrong_steps


@pytest.fixture(scope="module")
def figures(folder):
    """The names of the article's figures, which stand on a page of their own."""
    text = (SCRIPT.parent / "article.md").read_text(encoding="utf-8")
    raw = "\n<p>on</p>\n".join(re.findall(r"```\{raw\} html\n(.*?)```", text, flags=re.S))
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><body>'
    (folder / "article.html").write_text(f"{head}{raw}", encoding="utf-8")
    return re.findall(r'data-figure="(\w+)"', text)


def endings(seed):
    """What Python says of the sums of the article: how many of each ending, and the digits of the shortest."""
    teacher, network = find_task("add10").machine, find_policy("add10:raw")
    found, shortest = dict.fromkeys(("endless", "unfinished", "wrong", "stuck", "right"), 0), None
    for length in (length for length in range(1, 31) for _ in range(8)):
        numbers = [(seed := seed * 48271 % 2147483647) for _ in range(2 * length)]
        digits = "".join(str(int(number / 2147483647 * 10)) for number in numbers)
        operands = (digits[:length], digits[length:])
        taught = teacher.run(*operands)
        if network.run(*operands, beside=teacher).divergence is None:
            continue
        shortest = shortest or length
        run = network.run(*operands, step_limit=2 * taught.steps + 100)
        match run.outcome.value, run.answer.text == taught.answer.text:
            case "halted", right:
                found["right" if right else "wrong"] += 1
            case "stuck", _:
                found["stuck"] += 1
            case _:
                rows = network.run(*operands, step_limit=taught.steps).answer.cells.split("\n")
                written = rows[-1].strip("_").lstrip("0")
                found["endless" if written == taught.answer.text else "unfinished"] += 1
    return found, shortest


def test_the_article_says_what_becomes_of_sums_that_are_too_long(figures, show):
    page = show("article.html", ready="body.figures-ready")
    said = "document.querySelector('[data-figure=guess] .fig-said')"
    done = f"{said}.textContent.includes('such sums')"
    page.locator("[data-figure=guess] + p").scroll_into_view_if_needed()  # who reads on sees it, too
    page.wait_for_function(done)
    for seed in (1, 2):
        page.evaluate(f"let seed = {seed}; Math.random = () => (seed = seed * 48271 % 2147483647) / 2147483647; null")
        page.evaluate(f"{said}.textContent = ''")
        page.get_by_role("button", name="Show").click()
        page.wait_for_function(done)
        counts, shortest = endings(seed)
        text = page.evaluate(f"{said}.textContent")
        assert f"has {shortest} digits. Of {sum(counts.values())} such sums" in text
        listed = re.findall(r"(\d+) (?:were|stopped|got)", text)
        assert [int(count) for count in listed] == list(counts.values())
        marks = "document.querySelectorAll('[data-figure=guess] svg .%s').length"
        astray = counts["endless"], sum(counts.values()) - counts["endless"]
        assert tuple(page.evaluate(marks % kind) for kind in ("endless", "bad")) == astray


def test_every_figure_of_the_article_shows_something(figures, show):
    page = show("article.html", ready="body.figures-ready", viewport={"width": 390, "height": 844})
    said = {name: page.locator(f"[data-figure={name}] .fig-said") for name in figures}
    assert list(said) == ["trace", "training", "guess", "eigenvalues", "drift", "swap", "shapes", "check"]
    assert "125" in said["trace"].inner_text()
    assert "recorded run" in said["training"].inner_text()
    page.get_by_role("button", name="Train it here").click()
    page.wait_for_function("document.querySelector('[data-figure=training] .fig-said').textContent.includes('digits')")
    found = re.search(r"4,000, .* s: 0 of the .* right up to (\d+) digits", said["training"].inner_text())
    assert found is not None
    assert int(found[1]) >= 3
    page.get_by_role("button", name="Show").click()
    page.wait_for_function(
        "document.querySelector('[data-figure=guess] .fig-said').textContent.includes('did not stop')"
    )
    assert "4 of 8 eigenvalues have size 1" in said["eigenvalues"].inner_text()
    assert "fails from 29 digits on; the lasting one does not fail" in said["drift"].inner_text()
    assert "one state" in said["swap"].inner_text()
    page.get_by_role("button", name="Two states, close").click()
    assert "two states" in said["swap"].inner_text()
    assert "16 shapes" in said["shapes"].inner_text()
    page.get_by_role("button", name="From the start").click()
    assert "2 shapes" in said["shapes"].inner_text()
    page.get_by_role("button", name="Check it here").click()
    page.wait_for_function("document.querySelector('[data-figure=check] .fig-said').textContent.includes('18,847')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
