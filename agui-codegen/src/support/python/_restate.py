"""Joining of two streams of one run: the second begins with the conversation as it is now."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Optional

from ._thread import is_object


class SupersededError(Exception):
    """The rest of a run is not kept any more, and another run of its thread has begun."""


ENDS = ("RUN_FINISHED", "RUN_ERROR")
"""The last events of runs."""

_SPANS: dict[str, tuple[tuple[str, ...], str]] = {
    "TEXT_MESSAGE_START": (("TEXT_MESSAGE_END",), "messageId"),
    "TOOL_CALL_START": (("TOOL_CALL_END",), "toolCallId"),
    "REASONING_START": (("REASONING_END",), "messageId"),
    "REASONING_MESSAGE_START": (("REASONING_MESSAGE_END",), "messageId"),
    "STEP_STARTED": (("STEP_FINISHED",), "stepName"),
    "SUBAGENT_STARTED": (("SUBAGENT_FINISHED", "SUBAGENT_ERROR"), "subagentRunId"),
}
"""The events that open spans, those that close them, and the members with their ids."""

_HAS_EFFECT = re.compile('_(START|END|STARTED|FINISHED|ERROR)"')

_Span = tuple[str, Any, Any]


def event_of(data: str) -> dict[str, Any]:
    """The event of a record, if it opens or closes something."""
    # Events in the middle of a span are not looked at, so they are not parsed.
    if _HAS_EFFECT.search(data) is None:
        return {}
    try:
        event: Any = json.loads(data)
    except ValueError:
        return {}
    return event if is_object(event) else {}


def _span(opening: str, event: dict[str, Any]) -> _Span:
    member = _SPANS[opening][1]
    # The steps of two subagents may have one name.
    owner = None if member == "subagentRunId" else event.get("subagentRunId")
    return opening, event.get(member), owner


def _opened(event: dict[str, Any]) -> Optional[_Span]:
    kind = event.get("type")
    return _span(kind, event) if isinstance(kind, str) and kind in _SPANS else None


def _closed(event: dict[str, Any]) -> Optional[_Span]:
    kind = event.get("type")
    openings = (opening for opening, (closing, _) in _SPANS.items() if kind in closing)
    opening = next(openings, None)
    return None if opening is None else _span(opening, event)


def _end(span: _Span) -> str:
    opening, id, owner = span
    closing, member = _SPANS[opening]
    event = {"type": closing[0], member: id}
    return json.dumps(event if owner is None else {**event, "subagentRunId": owner})


class Delivered:
    """The run as far as it was delivered."""

    def __init__(self) -> None:
        self.is_over = False
        self._run: Any = None
        self._open: list[_Span] = []

    def note(self, data: str) -> None:
        event = event_of(data)
        opened, closed = _opened(event), _closed(event)
        if opened is not None:
            self._open.append(opened)
        elif closed is not None:
            self._open = [span for span in self._open if span != closed]
        elif event.get("type") == "RUN_STARTED":
            self._run = event.get("runId")
        elif event.get("type") in ENDS:
            self.is_over = True

    def join(self, prelude: Iterable[str]) -> list[str]:
        """Joins a stream that begins again: the conversation as it is now, and its open spans.

        The result leads from what was delivered to that: no second beginning, the ends of
        the spans that are not open any more, the beginnings of those that are new.
        """
        records, last = list[str](), list[str]()
        opened: dict[_Span, str] = {}
        for data in prelude:
            event = event_of(data)
            span = _opened(event)
            if span is not None:
                opened[span] = data
            elif event.get("type") == "RUN_STARTED":
                if self._run is None:
                    self._run = event.get("runId")
                    records.append(data)
                elif self._run != event.get("runId"):
                    raise SupersededError()
            else:
                (last if event.get("type") in ENDS else records).append(data)
        ended = [_end(span) for span in reversed(self._open) if span not in opened]
        begun = [data for span, data in opened.items() if span not in self._open]
        self._open = list(opened)
        self.is_over = bool(last)
        return [*records, *ended, *begun, *last]
