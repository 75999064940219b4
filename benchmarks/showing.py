"""A benchmark as a command: --quick for a short one, --json for programs."""

import sys
from collections.abc import Callable
from typing import Any

from dfst.cli.output import note, print_json, show_rows


def show(measure: Callable[..., dict[str, Any]], rows: Callable[..., tuple[str, list[dict[str, Any]]]]) -> None:
    wanted = set(sys.argv[1:])
    if wanted - {"--quick", "--json"}:
        sys.exit("the options are --quick and --json")
    result = measure("--quick" in wanted, note)
    if "--json" in wanted:
        print_json(result)
    else:
        title, table = rows(result)
        show_rows(table, title=title)
