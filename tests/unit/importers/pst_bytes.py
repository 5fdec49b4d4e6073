"""A small archive of Outlook's, made by the tests that need one: one folder with some mails. Follows MS-PST."""

import struct
import zlib
from collections.abc import Mapping, Sequence

PAGE, BLOCK_UNIT = 512, 64
STORE, ROOT_FOLDER, INBOX, FIRST_MAIL, NEXT = 0x21, 0x122, 0x8022, 0x200024, 0x20
TEXT, NUMBER = 0x1F, 0x03  # types of properties
NAME, COUNT = 0x3001, 0x3602
FOLDERS, MAILS = 0x0D, 0x0E  # kinds of tables


def pst(mails: Sequence[Mapping[int, str]], told: int | None = None) -> bytes:
    """An archive of these mails, each given by its text properties; its folder says to hold so many as `told`."""
    counted = {COUNT: len(mails) if told is None else told}
    nodes = [
        (STORE, 0, _properties({NAME: "mail"})),
        (ROOT_FOLDER, ROOT_FOLDER, _properties({NAME: "top"})),
        (INBOX, ROOT_FOLDER, _properties({NAME: "Inbox"}, counted)),
    ]
    ids = [FIRST_MAIL + NEXT * n for n in range(len(mails))]
    nodes += [(_beside(ROOT_FOLDER, FOLDERS), 0, _table([INBOX])), (_beside(INBOX, MAILS), 0, _table(ids))]
    nodes += [(id_, INBOX, _properties(mail)) for id_, mail in zip(ids, mails, strict=True)]
    nodes.sort()
    out = bytearray(PAGE * 4)
    blocks: list[bytes] = []
    entries: list[bytes] = []
    for number, (node, parent, content) in enumerate(nodes, start=1):
        block, at = number * 4, len(out)
        size = -(-(len(content) + 16) // BLOCK_UNIT) * BLOCK_UNIT
        out += content.ljust(size - 16, b"\0")
        out += struct.pack("<HHIQ", len(content), _mark(at, block), _sum(content), block)
        blocks.append(struct.pack("<QQHHI", block, at, len(content), 2, 0))
        entries.append(struct.pack("<QQQII", node, block, 0, parent, 0))
    out[2 * PAGE : 3 * PAGE] = _page(0x81, 32, entries, 2 * PAGE, 0x1001)
    out[3 * PAGE : 4 * PAGE] = _page(0x80, 24, blocks, 3 * PAGE, 0x1005)
    header = _header(len(out))
    return header + bytes(out[len(header) :])


def _header(length: int) -> bytes:
    root = struct.pack("<IQQQQQQQQBBH", 0, length, 0, 0, 0, 0x1001, 2 * PAGE, 0x1005, 3 * PAGE, 0, 0, 0)
    counters = struct.pack("<32I", *[0x400] * 32)
    body = struct.pack("<HHHBBIIQQI", 0x4D53, 23, 19, 1, 1, 0, 0, 0, 0x2000, 1) + counters + bytes(8) + root + bytes(4)
    body += b"\xff" * 256 + struct.pack("<BBHQ", 0x80, 0, 0, 0x4000)
    return b"!BDN" + struct.pack("<I", _sum(body[:471])) + body + struct.pack("<I", _sum(body[:516])) + bytes(36)


def _page(kind: int, size: int, entries: Sequence[bytes], at: int, id_: int) -> bytes:
    body = b"".join(entries).ljust(488, b"\0") + struct.pack("<BBBBI", len(entries), 488 // size, size, 0, 0)
    return body + struct.pack("<BBHIQ", kind, kind, _mark(at, id_), _sum(body), id_)


def _properties(texts: Mapping[int, str], numbers: Mapping[int, int] | None = None) -> bytes:
    """A block with the properties of a thing: a heap, of which the second piece lists the others."""
    rows, pieces = [], []
    for key, text in sorted(texts.items()):
        pieces.append(text.encode("utf-16-le"))
        rows.append(struct.pack("<HHI", key, TEXT, (len(pieces) + 2) << 5))
    rows += [struct.pack("<HHI", key, NUMBER, value) for key, value in (numbers or {}).items()]
    return _heap(0xBC, [struct.pack("<BBBBI", 0xB5, 2, 6, 0, 2 << 5), b"".join(sorted(rows)), *pieces])


def _table(ids: Sequence[int]) -> bytes:
    """A block with the table of what a folder holds: a row for each, of its id alone."""
    columns = struct.pack("<IHBBIHBB", 0x67F20003, 0, 4, 0, 0x67F30003, 4, 4, 1)
    info = struct.pack("<BB4HIII", 0x7C, 2, 8, 8, 8, 9, 2 << 5, 4 << 5, 0) + columns
    index = b"".join(struct.pack("<II", id_, row) for row, id_ in enumerate(ids))
    rows = b"".join(struct.pack("<IIB", id_, 0, 0xC0) for id_ in ids)
    return _heap(0x7C, [info, struct.pack("<BBBBI", 0xB5, 4, 4, 0, 3 << 5), index, rows])


def _beside(folder: int, kind: int) -> int:
    return folder & ~0x1F | kind


def _heap(kind: int, pieces: Sequence[bytes]) -> bytes:
    ends = [12]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    body = b"".join(pieces)
    body += bytes(-(12 + len(body)) % 2)
    table = struct.pack(f"<HH{len(ends)}H", len(pieces), 0, *ends)
    return struct.pack("<HBBII", 12 + len(body), 0xEC, kind, 1 << 5, 0) + body + table


def _mark(at: int, id_: int) -> int:
    mixed = (at ^ id_) & 0xFFFFFFFF
    return (mixed >> 16) ^ (mixed & 0xFFFF)


def _sum(content: bytes) -> int:
    return zlib.crc32(content, 0xFFFFFFFF) ^ 0xFFFFFFFF
