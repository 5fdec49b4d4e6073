"""Times that a file gives as the clocks on its maker's wall showed them, made into moments by the zone they were of.

The offset is that of the time itself, not of today. Where clocks went back, the hour that came twice is told apart by
the order of the file. Without a zone, UTC is assumed, and each record says so beside its time.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from treering.errors import UsageError
from treering.importers.moments import YEAR_MAX, YEAR_MIN, Moment
from treering.importers.narrowing import FieldError

__all__ = ["UTC_ASSUMED", "LocalTimes"]

UTC_ASSUMED = "times without a zone, read as UTC: say --zone to correct it"


class LocalTimes:
    """The local times of one file, in its order.

    Raises:
        UsageError: there is no zone of that name.
    """

    def __init__(self, zone: str | None) -> None:
        self._zone: tzinfo = UTC if zone is None else _zone(zone)
        self._basis = "UTC assumed" if zone is None else zone
        self._before: datetime | None = None
        self.assumed = False  # whether a time was read without knowing its zone

    def moment(self, local: datetime, raw: str) -> Moment:
        """The moment of a time without a zone; `raw` is how the source spells it.

        Raises:
            FieldError: it lies outside the years that a record may be of.
        """
        self.assumed = self.assumed or self._zone is UTC
        first = local.replace(tzinfo=self._zone, fold=0)
        second = local.replace(tzinfo=self._zone, fold=1)
        try:
            at, later = first.astimezone(UTC), second.astimezone(UTC)
        except OverflowError:
            raise FieldError(f"the time lies outside the years {YEAR_MIN} to {YEAR_MAX}: {raw[:60]!r}") from None
        if not YEAR_MIN <= at.year <= YEAR_MAX:
            raise FieldError(f"the time lies outside the years {YEAR_MIN} to {YEAR_MAX}: {raw[:60]!r}")
        repeated = later > at  # in a gap, where clocks went ahead, it is the other way round
        if repeated and self._before is not None and at < self._before <= later + timedelta(hours=1):
            at = later
        self._before = at
        return Moment(at, f"{raw} ({self._basis})")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(f"no zone is called {name[:60]!r}; give its IANA name, such as Europe/Berlin") from error
