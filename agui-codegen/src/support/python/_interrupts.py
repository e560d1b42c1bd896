"""Interrupts that stop a run, and the responses to them."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Optional, TypeVar, Union

from ag_ui.core import Event, Interrupt, ResumeEntry
from pydantic import TypeAdapter, ValidationError

from ._resume import cancelled, check_expiry, interrupts_of, is_expired
from ._support import AgentClient, ItemT, Problem, State, ToolsT, read_json
from ._thread import History

log = logging.getLogger(__name__)

PayloadT = TypeVar("PayloadT", covariant=True)
ResponseT = TypeVar("ResponseT", contravariant=True)

_PAYLOAD = "agui-rust/payload"
"""The member with the payload: the protocol has none for it."""


@dataclass(frozen=True)
class InterruptContract:
    """An interrupt as the agent declares it."""

    reason: str
    message: Optional[str]
    payload: TypeAdapter[Any]
    response: TypeAdapter[Any]


@dataclass(frozen=True)
class TypedInterrupt(Generic[PayloadT, ResponseT]):
    """An open interrupt. The next run sends an answer to each: ``client.input(resume=[…])``."""

    contract: ClassVar[InterruptContract]

    interrupt: Interrupt
    """The interrupt as received."""
    payload: PayloadT
    """The payload of the question."""

    @property
    def subagent_run_id(self) -> Optional[str]:
        """The run of the subagent that asks; without it, the agent itself asks."""
        return self.interrupt.subagent_run_id

    def resolve(self, response: ResponseT) -> ResumeEntry:
        """Answers the interrupt.

        Raises ``ExpiredError`` if it has expired, and ``ValueError`` for a response
        that the agent would not read.
        """
        check_expiry(self.interrupt)
        adapter = self.contract.response
        text = adapter.dump_json(response, warnings="error")
        # A model may have changed since its validation, and a number has no model.
        read_json(adapter, text)
        data = json.loads(text)
        if data is None:
            # A null response is an answer without a payload.
            return ResumeEntry(interrupt_id=self.interrupt.id, status="resolved")
        return ResumeEntry(interrupt_id=self.interrupt.id, status="resolved", payload=data)

    def cancel(self) -> ResumeEntry:
        """Cancels the interrupt."""
        return cancelled(self.interrupt)


class InterruptClient(AgentClient[ItemT, ToolsT]):
    """A client of an agent with interrupts."""

    interrupts: ClassVar[Mapping[str, tuple[type[TypedInterrupt[Any, Any]], str]]]
    """The class of each interrupt and the method that answers it, by reason."""

    async def _items(
        self, events: AsyncIterator[Event], history: History, state: State
    ) -> AsyncIterator[Union[Event, ItemT]]:
        async for item in super()._items(events, history, state):
            yield item
            for interrupt in interrupts_of(item):
                asked: Any = self._read(interrupt)
                if asked is not None:
                    yield asked

    async def _resume(
        self, pending: Sequence[Interrupt], tools: ToolsT
    ) -> Optional[list[ResumeEntry]]:
        entries = [await self._respond(interrupt, tools) for interrupt in pending]
        # During one answer, another interrupt may have expired.
        late = {interrupt.id for interrupt in pending if is_expired(interrupt)}
        return [
            entry.model_copy(update={"status": "cancelled", "payload": None})
            if entry.interrupt_id in late
            else entry
            for entry in entries
        ]

    def _read(self, interrupt: Interrupt) -> Union[TypedInterrupt[Any, Any], Problem, None]:
        """The typed interrupt, or its problem; ``None`` if it is not the agent's own."""
        known = self.interrupts.get(interrupt.reason)
        if known is None:
            return None
        kind, _ = known
        value = (interrupt.metadata or {}).get(_PAYLOAD)
        try:
            return kind(interrupt, read_json(kind.contract.payload, json.dumps(value)))
        except ValidationError as error:
            return Problem("interrupt", interrupt.reason, error, value)

    async def _respond(self, interrupt: Interrupt, tools: ToolsT) -> ResumeEntry:
        asked = self._read(interrupt)
        if not isinstance(asked, TypedInterrupt):
            log.warning("interrupt %s: cancelled: its payload has another type", interrupt.id)
            return cancelled(interrupt)
        _, handler = self.interrupts[interrupt.reason]
        try:
            return asked.resolve(await getattr(tools, handler)(asked))
        except Exception as error:  # any failure, lest it count as consent
            log.warning("interrupt %s: cancelled: %s", interrupt.id, error)
            return cancelled(interrupt)
