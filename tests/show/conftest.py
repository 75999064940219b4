"""A real browser, and pages in it that are watched: nothing may be logged, fail or pop up."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
CHROMIUM = os.environ.get("DFST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason=f"no browser found (looked for {', '.join(NAMES)}, and DFST_CHROMIUM)"),
]

PATIENCE = 300_000
"""Milliseconds until something has to be there, however busy the computer is."""

SCRIPT = Path(__file__).parents[2] / "docs" / "live.py"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright  # tests without a browser do without it

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser):
    """Opens an address, waits for ``ready``, and adds to ``asked`` every address that the page asks for."""
    problems, contexts = [], []

    def opened(address, ready, asked, **options):
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))

        def refuse(dialog):
            problems.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", refuse)
        page.goto(address)
        page.wait_for_selector(ready)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The page alone in a folder, as docs/live.py writes it."""
    spec = importlib.util.spec_from_file_location("live", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = tmp_path_factory.mktemp("live")
    module.stand_alone(path)
    return path


@pytest.fixture
def show(open_page, folder):
    """Opens the page; nothing may be loaded from elsewhere. ``show.files`` are those that the last one has loaded."""
    here, asked = folder.as_uri(), []

    def show_page(address="index.html", still=True, ready="#live.ready", **options):
        files: list[str] = []
        asked.append(files)
        page = open_page(
            f"{here}/{address}", ready, files, reduced_motion="reduce" if still else "no-preference", **options
        )
        vars(show_page)["files"] = [url.removeprefix(f"{here}/").partition("#")[0] for url in files]
        return page

    yield show_page
    assert [url for files in asked for url in files if not url.startswith((here, "data:"))] == []
