"""dfst draw: pictures of machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from dfst.cli.app import LOOK, app

draw_app = App(name="draw", help="Draw machines.", group=LOOK)
app.command(draw_app)


@draw_app.command
def machine(
    policy: str, *, out: Path = Path("machine.svg"), states: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Draw a machine as a graph of states.

    Parameters
    ----------
    policy
        A name such as add10 or teacher:add10, a machine file, or a certified run folder.
    out
        The picture: .svg, .png or .pdf.
    states
        Draw every state of a large machine, not only its phases.

    """
    from dfst.own import named
    from dfst.show.machine_drawing import draw_machine

    drawn = named(policy).machine()
    nodes = draw_machine(drawn, out, by_phase=False if states else None)
    print(f"wrote {out}: {len(drawn.states)} states in {nodes} nodes")
