"""What the pages of the documentation hold: commands, Python and what it prints, and code within sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "ROOT", "Block", "Command", "blocks", "commands", "inline", "mentions", "page_name", "programs"]

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = ("bash", "console", "sh", "")
INDENTED = re.compile(r" {4,}\S")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code; `language` is empty where a page names none."""

    line: int  # of its first line of code, from 1
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command, as a reader would copy it."""

    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"


def page_name(path: Path) -> str:
    """What a page is called in a report."""
    return path.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[Block]:
    """The fenced and the indented blocks of a page, in order."""
    found: list[Block] = []
    held: list[str] = []
    language: str | None = None  # of the fence that is open
    begun, before = 0, ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = re.match(r"\s*```(\w*)", line)
        if language is not None:
            if fence:
                found.append(Block(begun, language, "\n".join(held)))
                language, held = None, []
            else:
                held.append(line)
        elif fence:
            language, begun = fence[1], number + 1
        elif INDENTED.match(line) and (held or not before.strip()):
            begun = begun if held else number
            held.append(line.strip())
        elif held:
            found.append(Block(begun, "", "\n".join(held)))
            held = []
        before = line
    assert language is None, "a fence is open at the end of the page"
    return found


def commands(name: str, text: str) -> list[Command]:
    """The commands of a page's blocks, and the imports that stand within its sentences, in order."""
    found = []
    for block, before in _with_the_one_before(blocks(text)):
        if block.language not in SHELL or (not block.language and before == "python"):
            continue  # what Python printed
        whole, line = "", block.line
        for number, part in enumerate(block.text.splitlines(), block.line):
            line = line if whole else number
            whole += part.rstrip("\\").strip() + " "
            if not part.endswith("\\"):
                bare = re.sub(r"(^|\s)#\s.*", "", whole).strip()
                found += [Command(name, line, bare)] if bare else []
                whole = ""
    imports = [(line, code) for line, code in inline(text) if code.startswith("treering add acme.treering ")]
    found += [Command(name, line, code) for line, code in imports]
    return sorted(found, key=lambda command: command.line)


def programs(text: str) -> list[tuple[str, str | None]]:
    """The Python of a page, each with what it says that it prints, if it does."""
    found: list[tuple[str, str | None]] = []
    for block, before in _with_the_one_before(blocks(text)):
        if block.language == "python":
            found.append((block.text, None))
        elif before == "python" and block.language in ("", "text"):
            found[-1] = (found[-1][0], block.text)
    return found


def inline(text: str) -> Iterator[tuple[int, str]]:
    """Code within sentences, with its line; a block of code is none."""
    lines = text.splitlines()
    for block in blocks(text):
        for number in range(block.line - 1, block.line - 1 + len(block.text.splitlines())):
            lines[number] = ""
    prose = "\n".join(line for line in lines)
    for code in re.finditer(r"(?<!`)`([^`]+)`(?!`)", prose):
        yield prose.count("\n", 0, code.start()) + 1, " ".join(code[1].split())


def mentions(name: str, text: str) -> list[Command]:
    """Everything on a page that is spelled as a call of Treering, whether it can be run or not."""
    spelled = [Command(name, line, code) for line, code in inline(text) if code.startswith("treering ")]
    return [*spelled, *(command for command in commands(name, text) if command.text.startswith("treering "))]


def _with_the_one_before(found: list[Block]) -> Iterator[tuple[Block, str]]:
    before = ""
    for block in found:
        yield block, before
        before = block.language
