"""A saved picture as an HTML page, for where no widget can be."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from .snapshot import Snapshot

STATIC = Path(__file__).parent / "static"

#: The parts of the page of static/picture.html that differ; scripts/notebook/wheel.mjs writes them.
TITLE, ATTRIBUTES, SNAPSHOT = "@title@", ' data-attributes="@attributes@"', "@snapshot@"

#: The height of a token's row in the head view and of everything else, in pixels; the least that the controls need beside
#: the picture, and the most that a cell should have.
ROW, REST, CONTROLS, MOST = 24, 230, 640, 900


@cache
def _template() -> str:
    return (STATIC / "picture.html").read_text(encoding="utf-8")


def saved_page(snapshot: Snapshot, attributes: Mapping[str, str | bool]) -> str:
    """One HTML file that draws a snapshot, without engine and network.

    Args:
        snapshot: The tokens and the weights.
        attributes: The attributes of `<bert-scope>`. True writes one without a value; False and "" leave it out.
    """
    written = "".join(
        f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'
        for name, value in attributes.items()
        if value is not False and value != ""
    )
    heads = [int(head) for head in str(attributes.get("heads", "")).split(".") if head.isdigit()]
    # Nothing in the JSON ends the script that holds it.
    data = snapshot.json(int(attributes.get("layer", 0)), heads).replace("<", "\\u003c")
    title = html.escape(str(snapshot.about.get("text") or "bertscope"))
    parts = {TITLE: title, ATTRIBUTES: written, SNAPSHOT: data}
    # All at once: a text may hold a mark too.
    page = re.sub("|".join(map(re.escape, parts)), lambda mark: parts[mark[0]], _template())
    # JSON may have brought half of a pair, which no file can hold.
    return page.encode("utf-8", "replace").decode("utf-8")


def not_drawn(text: str) -> str:
    """What an exported notebook says in place of a live picture whose numbers Python does not have."""
    return f"<p>A live bertscope of {html.escape(repr(text))}: run the notebook to see it.</p>"


def framed(page: str, rows: int, *, has_controls: bool = False) -> str:
    """The page in a frame of its own, so that a notebook's styles and other scripts do not meet it."""
    height = min(MOST, max(REST + ROW * rows, CONTROLS if has_controls else 0))
    style = f"width: 100%; height: {height}px; border: 0; resize: vertical; overflow: hidden"
    return f'<iframe title="bertscope" sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(page)}"></iframe>'
