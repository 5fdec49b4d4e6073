"""Draws one tree of each forest as it grows over the sample workspace: `python docs/drawing/forests.py` writes them.

A tree is drawn from the root down; every box spans the leaves below it, which stand in their order, each in the colour
of its channel. One record is marked in all three, for that is the point: it is kept once and hangs in several trees.
Nothing here comes from vectors, so the pictures are the same on every machine.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from treering import Memory
from treering.forest.kinds import View
from treering.memory.around import branch
from treering.memory.browsing import Browser
from treering.model.browsing import Node, ShownRecord
from treering.sample import workspace

FIGURES = Path(__file__).parent.parent / "figures"
MARKED = "C0ENG/1764857424.224476"
QUOTED = "Approved for release, on the 9th together with v2.4.0"  # a part of what it says
TREES = ((View.CHANNEL, "engineering"), (View.ACTOR, "Greta Lindqvist"), (View.ARTIFACT, "DOC-042"))
CHANNELS = ("documents", "engineering", "general", "others")

WIDTH, MARGIN, ROW, GAP = 960.0, 16.0, 38.0, 6.0  # units of the drawing
LETTER = 6.6  # width of a letter, on average
STYLE = """
  text { font: 12px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #24292f; }
  .paper { fill: #ffffff; } .title { font-size: 15px; font-weight: 600; } .faint { fill: #57606a; }
  .box { fill: #f0f2f5; stroke: #8c959f; } .mark { fill: none; stroke: #cf222e; stroke-width: 2; }
  .said { fill: #cf222e; font-weight: 600; }
  .c0 { fill: #0969da; } .c1 { fill: #1a7f37; } .c2 { fill: #9a6700; } .c3 { fill: #8250df; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .paper { fill: #1e2129; } .faint { fill: #9aa4af; }
    .box { fill: #2b303b; stroke: #6e7681; } .mark { stroke: #ff7b72; } .said { fill: #ff7b72; }
    .c0 { fill: #58a6ff; } .c1 { fill: #3fb950; } .c2 { fill: #d29922; } .c3 { fill: #bc8cff; }
  }
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place: the row, counted from the root, and the leaves below it, [first, last)."""

    label: str
    row: int
    first: int
    last: int


def laid_out(node: Node, row: int = 0, first: int = 0) -> tuple[list[Box], list[ShownRecord]]:
    """The boxes of a node and all nodes below it, and the records below it in the order of the tree."""
    boxes, records = [Box(_called(node), row, first, first + node.leaves)], list(node.records)
    for child in node.children:
        more, below = laid_out(child, row + 1, first + len(records))
        boxes += more
        records += below
    return boxes, records


def _called(node: Node) -> str:
    """The place that a node stands for, else its days."""
    if node.first and node.last and node.label.startswith(f"{node.first:%Y-%m-%d}"):
        return f"{_day(node.first)} to {_day(node.last)}"
    return node.label


def _day(at: datetime) -> str:
    return f"{at.day} {at:%b}"


def drawn(title: str, node: Node) -> str:
    """The picture of a tree, as SVG."""
    boxes, records = laid_out(node)
    step = (WIDTH - 2 * MARGIN) / len(records)
    rows = 1 + max(box.row for box in boxes)
    base = 44 + rows * (ROW + GAP)  # where the leaves stand
    height = base + 92
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH:.0f}" height="{height:.0f}" rx="8"/>',
        f'<text class="title" x="{MARGIN:.0f}" y="28">{escape(title)}</text>',
        *(_box(box, step) for box in boxes),
        *(_leaf(place, record, step, base) for place, record in enumerate(records)),
        *_mark(records, step, base),
        *_legend(records, base + 76),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(box: Box, step: float) -> str:
    x, y = MARGIN + box.first * step, 44 + box.row * (ROW + GAP)
    width = (box.last - box.first) * step - 2
    shown = [_clipped(box.label, width), _clipped(f"{box.last - box.first} leaves", width)]
    lines = "".join(
        f'<text class="{kind}" x="{x + 6:.1f}" y="{y + 16 + 15 * number:.1f}">{escape(text)}</text>'
        for number, (text, kind) in enumerate(zip(shown, ("label", "faint"), strict=True))
        if text
    )
    told = f"<title>{escape(box.label)}</title>"
    return f'<g>{told}<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{ROW}" rx="4"/>{lines}</g>'


def _leaf(place: int, shown: ShownRecord, step: float, base: float) -> str:
    said = " ".join(shown.record.text.split())
    told = f"{shown.record.valid_from:%Y-%m-%d} {shown.channel_name}, {shown.record.author_name}: {said}"
    x = MARGIN + (place + 0.5) * step - 1
    return (
        f'<circle class="{_colour(shown)}" cx="{x:.1f}" cy="{base + 10:.1f}" r="{min(5, step / 2 - 1):.1f}">'
        f"<title>{escape(_clipped(told, 900))}</title></circle>"
    )


def _mark(records: list[ShownRecord], step: float, base: float) -> Iterator[str]:
    for place, shown in enumerate(records):
        if shown.record.source_id == MARKED:
            x = MARGIN + (place + 0.5) * step - 1
            assert QUOTED in shown.record.text, "the sample workspace says something else now"
            said = f"{_day(shown.record.valid_from)} {shown.record.valid_from:%Y}, {shown.record.author_name}: {QUOTED}"
            yield f'<circle class="mark" cx="{x:.1f}" cy="{base + 10:.1f}" r="9"/>'
            side = "end" if x > WIDTH / 2 else "start"
            yield f'<text class="said" x="{x:.1f}" y="{base + 40:.1f}" text-anchor="{side}">'
            yield f"{escape(said)}</text>"


def _legend(records: list[ShownRecord], y: float) -> Iterator[str]:
    x = MARGIN
    for colour in sorted({_colour(shown) for shown in records}):
        name = CHANNELS[int(colour[1:])]
        yield f'<circle class="{colour}" cx="{x + 5:.1f}" cy="{y - 4:.1f}" r="5"/>'
        yield f'<text class="faint" x="{x + 15:.1f}" y="{y:.1f}">{escape(name)}</text>'
        x += 36 + LETTER * len(name)


def _colour(shown: ShownRecord) -> str:
    known = shown.channel_name if shown.channel_name in CHANNELS else CHANNELS[-1]
    return f"c{CHANNELS.index(known)}"


def _clipped(text: str, width: float) -> str:
    """As much of a text as fits; nothing where not even a word does."""
    letters = int((width - 8) / LETTER)
    if len(text) <= letters:
        return text
    return f"{text[: letters - 1].rstrip()}…" if letters > 5 else ""


def figures(browser: Browser) -> Iterator[tuple[str, str]]:
    """The name and the content of each picture."""
    for view, name in TREES:
        node = branch(browser, browser.tree(view, name), "", depth=4)
        yield f"forest-{view.value}.svg", drawn(f"The {view.value} tree of {name}", node)


def main() -> None:
    """Grow the forests over the sample and write the pictures."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "sample.treering") as memory:
        memory.add(workspace(), encoder="none")
        with memory.browsing() as browser:
            for name, content in figures(browser):
                (FIGURES / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
