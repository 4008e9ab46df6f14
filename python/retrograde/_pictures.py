"""How answers look in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._answers import Line, Position, Stats

_MOST = 60


def figure(position: Position, caption: str | None = None, width: int = 240) -> str:
    """A position: its picture where there is one, be it of text, and its verdict."""
    words = escape(caption if caption is not None else f"{position.state}: {position.verdict}")
    picture, size = position.svg(), f"width:{width}px"
    if picture is None:
        drawing, size = position._drawing(), "vertical-align:top"
        if drawing is None:
            return f"<p>{words}</p>"
        picture = f'<pre style="line-height:1.2">{escape(drawing)}</pre>'
    return (
        f'<figure style="display:inline-block;margin:4px;{size}">{picture}'
        f'<figcaption style="font-size:12px">{words}</figcaption></figure>'
    )


def strip(line: Line) -> str:
    """Best play: the positions side by side, or its moves where the game has no pictures."""
    if line.start.svg() is None and line.start._drawing() is None:
        return f"<p>{escape(repr(line)[1:-1])}</p>"
    shown = [figure(line.start, line.start.verdict, 140)]
    for ply, move in enumerate(line.moves[:_MOST], 1):
        shown.append(figure(move.position, f"{ply}. {move.move}", 140))
    if len(line.moves) > _MOST:
        shown.append(f"<p>and {len(line.moves) - _MOST} plies more</p>")
    return "<div>" + "".join(shown) + "</div>"


def histogram(stats: Stats) -> str:
    """The counts, and bars for the distances."""
    most = max((one.won + one.lost for one in stats.distances), default=0)
    bars = "".join(
        f"<tr><td>{one.plies}</td><td>{one.won:,}</td><td>{one.lost:,}</td><td>"
        f'<div style="background:#4878a8;height:10px;width:{200 * (one.won + one.lost) // most}px">'
        "</div></td></tr>"
        for one in stats.distances
        if most
    )
    head = "<tr><th>plies</th><th>won</th><th>lost</th><th></th></tr>"
    return f"<p>{escape(stats._in_words())}</p><table>{head}{bars}</table>"
