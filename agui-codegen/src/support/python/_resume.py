"""The parts of resuming an interrupted run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Optional, cast

from ag_ui.core import (
    Interrupt,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
)

_DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:[Zz]|([+-])(\d{2}):(\d{2})))?",
    re.ASCII,
)


_OPEN = "agui-rust/openInterrupts"
"""The member of the metadata of RUN_ERROR that says which interrupts are open."""


class ResumeError(ValueError):
    """An interrupted run cannot be resumed with this input. Nothing was sent."""

    def __init__(self, message: str, interrupts: Sequence[Interrupt]) -> None:
        super().__init__(message)
        self.interrupts = list(interrupts)


class UnansweredError(ResumeError):
    """Open interrupts have no entry: leaving one out does not cancel it."""


class ExpiredError(ResumeError):
    """It is too late to resolve an interrupt; it can still be cancelled."""


def cancelled(interrupt: Interrupt) -> ResumeEntry:
    """Cancels an interrupt."""
    return ResumeEntry(interrupt_id=interrupt.id, status="cancelled")


def interrupts_of(event: object) -> list[Interrupt]:
    """The interrupts that ended a run."""
    if isinstance(event, RunFinishedEvent) and isinstance(
        event.outcome, RunFinishedInterruptOutcome
    ):
        return list(event.outcome.interrupts)
    return []


def restated(event: RunErrorEvent) -> Optional[list[Interrupt]]:
    """The interrupts that are open after a run that failed; ``None`` if the server does not say."""
    metadata = cast("Optional[dict[str, object]]", getattr(event, "metadata", None))
    found = (metadata or {}).get(_OPEN)
    if not isinstance(found, list):
        return None
    return [Interrupt.model_validate(interrupt) for interrupt in cast("list[object]", found)]


def is_expired(interrupt: Interrupt, now: Optional[datetime] = None) -> bool:
    """True if it is too late to resolve an interrupt.

    An interrupt without a valid date and offset never expires.
    """
    at = _read_date(interrupt.expires_at or "")
    return at is not None and at <= (now or datetime.now(timezone.utc))


def check_expiry(interrupt: Interrupt) -> None:
    """Raises ``ExpiredError`` if it is too late to resolve an interrupt."""
    if is_expired(interrupt):
        raise ExpiredError(
            f"the interrupt {interrupt.id} expired at {interrupt.expires_at} "
            "and can only be cancelled",
            [interrupt],
        )


def check_resume(pending: Sequence[Interrupt], resume: Sequence[ResumeEntry]) -> None:
    """Raises ``UnansweredError`` or ``ExpiredError`` if a run must not be sent.

    The agent checks entries beyond the pending interrupts.
    """
    entries = {entry.interrupt_id: entry for entry in reversed(resume)}
    missing = [interrupt for interrupt in pending if interrupt.id not in entries]
    if missing:
        ids = ", ".join(interrupt.id for interrupt in missing)
        raise UnansweredError(f"pending interrupts have no entry in resume: {ids}", missing)
    for interrupt in pending:
        if entries[interrupt.id].status != "cancelled":
            check_expiry(interrupt)


def _read_date(text: str) -> Optional[datetime]:
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    try:
        offset = timedelta()
        if sign is not None:
            clock = datetime(1, 1, 1, int(hours), int(minutes))
            offset = timedelta(hours=clock.hour, minutes=clock.minute)
        if int(second or 0) > 60:
            return None
        return datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            # A leap second is the one before it, as most clocks have it.
            min(int(second or 0), 59),
            int((fraction or "")[:6].ljust(6, "0")),
            timezone(-offset if sign == "-" else offset),
        )
    except ValueError:
        return None
