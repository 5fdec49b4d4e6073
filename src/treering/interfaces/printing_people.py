"""How people, grants and the quarantine look: text for people, one JSON document for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from rich.console import Console

from treering.interfaces.printing import print_json
from treering.memory.people import Access, Account, Duplicate
from treering.memory.quarantine import Entry

__all__ = ["print_access", "print_accounts", "print_duplicates", "print_links", "print_quarantine"]

RAW_CHARS = 160


def print_accounts(accounts: Sequence[Account], *, as_json: bool) -> None:
    """Every account, its names and how much it wrote."""
    if as_json:
        print_json(
            [
                {
                    **asdict(account),
                    "kind": account.kind.value,
                    "names": [{"name": name, "since": _time(since)} for name, since in account.names],
                }
                for account in accounts
            ]
        )
        return
    for account in accounts:
        others = [name for name, _ in account.names if name not in (account.name, account.id.partition("/")[2])]
        _line(
            f"{account.id}  {account.name}  ({account.kind.value}, {account.records:,} records)"
            + (f"  also {', '.join(others)}" if others else "")
            + (f"  = {', '.join(account.linked)}" if account.linked else "")
        )
    _line(f"{len(accounts):,} accounts", style="dim")


def print_duplicates(duplicates: Sequence[Duplicate], *, as_json: bool) -> None:
    """Accounts that may be one person's."""
    if as_json:
        print_json([asdict(one) for one in duplicates])
        return
    for one in duplicates:
        _line(f"{one.shared} {one.value}: {', '.join(one.accounts)}")
    _line(f"{len(duplicates):,} possible duplicates; --link FILE joins those that are one person's", style="dim")


def print_links(links: Sequence[tuple[str, str, datetime]], *, as_json: bool) -> None:
    """The links that were stated, in the form in which `--link` and `--unlink` read them."""
    if as_json:
        print_json([{"accounts": [one, other], "stated_at": _time(at)} for one, other, at in links])
        return
    for one, other, _ in links:
        _line(f"{one} = {other}")


def print_access(access: Access, *, as_json: bool) -> None:
    """Who may read a channel, and by whose word."""
    if as_json:
        decisions = [
            {"person": one.person, "decision": one.decision.value, "at": _time(one.at)} for one in access.decisions
        ]
        print_json({**asdict(access), "kind": access.kind.value, "decisions": decisions})
        return
    _line(f"{access.channel}  {access.name}  ({access.kind.value})", style="bold")
    if access.readers is None:
        _line("read by whoever asks")
    else:
        _line(f"read by {', '.join(access.readers) or 'the owner alone'}")
    if access.kept_out:
        _line(f"kept out: {', '.join(access.kept_out)}")
    listed = "not told" if access.listed is None else ", ".join(access.listed) or "nobody"
    _line(f"members as imported: {listed}", style="dim")
    for one in access.decisions:
        _line(f"{one.at:%Y-%m-%d %H:%M} UTC  {one.decision.value}: {one.person}", style="dim")


def print_quarantine(entries: Sequence[Entry], *, as_json: bool) -> None:
    """The originals that could not be read."""
    if as_json:
        print_json([{**asdict(entry), "first_seen": _time(entry.first_seen)} for entry in entries])
        return
    for entry in entries:
        _line(f"{entry.file}, {entry.position}: {entry.reason}  (first seen {entry.first_seen:%Y-%m-%d %H:%M} UTC)")
        raw = " ".join(entry.raw.split())
        if raw:
            _line(f"    {raw if len(raw) <= RAW_CHARS else raw[:RAW_CHARS] + '…'}", style="dim")
    _line(f"{len(entries):,} in quarantine", style="dim")


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _line(text: str, style: str | None = None) -> None:
    Console(soft_wrap=True, highlight=False, markup=False, emoji=False).print(text, style=style)
