"""Verbs for eyes: view writes a page, a film or a picture of a run; watch plays it on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from dfst.cli.app import app
from dfst.cli.inputs import read_operand
from dfst.cli.output import check_ending, note, status_line
from dfst.errors import InputError

if TYPE_CHECKING:
    from dfst.show.recording import Recording
    from dfst.study.agents import NamedAgent

Alone = Annotated[bool, Parameter(negative="", help="Show a learner without its teacher beside it.")]
Beside = Annotated[str | None, Parameter(help="The teacher to show beside it, by name or as a machine file.")]
Steps = Annotated[int | None, Parameter(help="Show at most so many steps; 5 million by default.")]


@app.command
def view(
    agent: str,
    *operands: str,
    out: Path | None = None,
    gif: Path | None = None,
    png: Path | None = None,
    step: int | None = None,
    alone: Alone = False,
    beside: Beside = None,
    steps: Steps = None,
) -> None:
    """Write a run as one page for a browser, to play, step, undo and search; or as a film or a picture for slides.

    A learner is shown beside its teacher, with the first step at which they differ.

    Parameters
    ----------
    agent
        A task (add10, reverse, a machine file), or a model: a run folder, a .safetensors file, add10:raw.
    operands
        The problem; @FILE reads an operand from a file.
    out
        What to write, by its ending: .html a page, .gif a film, .png a picture; view.html by default.
    gif
        Write an animated picture (extra plot); of a long run it shows some of the steps.
    png
        Write a picture of some moments of the run (extra plot).
    step
        With --png: this one moment.

    """
    from dfst.files import write_atomically
    from dfst.show.viewer import viewer_page

    if out is not None:
        check_ending(out, (".html", ".gif", ".png"), "Use .html for a page, .gif for a film, .png for a picture.")
        if {".gif": gif, ".png": png}.get(out.suffix) is not None:
            raise InputError(f"--out and --{out.suffix[1:]} both name a {out.suffix} file", do="Give one of them.")
        if out.suffix != ".html":
            gif, png, out = (out, png, None) if out.suffix == ".gif" else (gif, out, None)
    if step is not None and png is None:
        raise InputError("a step is chosen but no picture asked for", where="--step", do="Add --png FILE.png.")
    recordings = _record(agent, operands, alone, beside, steps)
    if png is not None:
        from dfst.show.slides import draw_moments

        _wrote(png, draw_moments(recordings, png, step=step))
    if gif is not None:
        from dfst.show.slides import draw_film

        _wrote(gif, draw_film(recordings, gif))
    if out is not None or (gif is None and png is None):
        out = out or Path("view.html")
        write_atomically(out, viewer_page(recordings).encode())
        _wrote(out, f"{len(recordings[0]):,} steps; {recordings[0].ending}")


@app.command
def watch(
    agent: str,
    *operands: str,
    speed: float = 5.0,
    alone: Alone = False,
    beside: Beside = None,
    steps: Steps = None,
) -> None:
    """Watch a run on the terminal, step by step; Ctrl-C ends it.

    Parameters
    ----------
    agent
        A task (add10, reverse, a machine file), or a model: a run folder, a .safetensors file, add10:raw.
    operands
        The problem; @FILE reads an operand from a file.
    speed
        Steps per second.

    """
    from dfst.show.terminal_film import play

    if not 0 < speed < float("inf"):
        raise InputError(f"{speed} steps per second are none", where="--speed", do="Give more than 0, such as 5.")
    play(_record(agent, operands, alone, beside, steps), speed)


def _record(
    text: str, operands: tuple[str, ...], alone: bool, beside: str | None, steps: int | None
) -> list[Recording]:
    """The run of the agent called ``text``; a model's beside its teacher's."""
    from dfst.learn.model import DFST
    from dfst.show.recording import VIEW_STEPS, record_both, record_run

    if alone and beside is not None:
        raise InputError("a learner cannot be alone and beside a teacher", where="--alone", do="Leave one out.")
    named, limit = _find(text), VIEW_STEPS if steps is None else steps
    teacher = None
    if beside is not None:
        teacher = named.expert(beside).machine
    elif isinstance(named.agent, DFST) and not alone:
        try:
            teacher = named.expert().machine
        except InputError as error:
            note(f"shown without a teacher: {error}")
    with status_line("running"):
        given = [read_operand(operand, named.agent) for operand in operands]
        if teacher is None:
            return [record_run(named.agent, *given, name=text, step_limit=limit)]
        return list(record_both(named.agent, teacher, *given, name=text, step_limit=limit))


def _find(text: str) -> NamedAgent:
    """A task's teacher (as in dfst run) or a model (as in dfst solve)."""
    from dfst.study.agents import NamedAgent, find_agent
    from dfst.teachers.find import find_task, is_own_name

    path, own = Path(text), is_own_name(text)
    if ":" in text if own else (path.is_dir() or path.suffix == ".safetensors" or (":" in text and not path.exists())):
        return find_agent(text)
    try:
        return NamedAgent(find_task(text).machine, text)
    except InputError as error:
        do = f"{error.do} Models are run folders, .safetensors files, or called like add10:raw."
        raise InputError(error.what, where=error.where, do=do) from None


def _wrote(path: Path, what: str) -> None:
    print(path)
    note(what)
