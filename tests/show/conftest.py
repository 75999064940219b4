"""A real browser, and pages in it that are watched: nothing may be logged, fail or pop up."""

import os
import shutil

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
