"""The threads that an agent's server stores for one user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Optional, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from ._reconnect import AgentError


class _Listed(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore"
    )


class LastMessage(_Listed):
    """The last message of a thread, as a list shows it."""

    id: str
    role: str
    text: str


class ThreadEntry(_Listed):
    """A thread of the user, as the server lists it."""

    thread_id: str
    title: Optional[str] = None
    """The title, if the thread has one."""
    archived: bool = False
    """True if the thread is put away: a list leaves it out unless it asks for archived threads."""
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Facts that the page or the server keeps with the thread."""
    last_message: Optional[LastMessage] = None
    created_at: int
    """The time of the first run, in milliseconds since 1970."""
    updated_at: int
    """The time of the last change, in milliseconds since 1970."""
    running: bool = False
    open_interrupts: list[str] = Field(default_factory=list)
    last_run_id: Optional[str] = None
    unreadable: bool = False
    """True for a thread that a newer server has written: it can only be deleted."""


class ThreadPage(_Listed):
    """A part of the list of threads."""

    threads: list[ThreadEntry]
    next: Optional[str] = None
    """The cursor of the next page; none on the last one."""


ListedT = TypeVar("ListedT", bound=_Listed)

Request = Callable[[str, list[str], Mapping[str, str], Optional[Mapping[str, Any]]], Awaitable[str]]
"""Sends a request below the address of an agent, with parameters and a body; returns the text of the answer."""


class ThreadList:
    """The threads that an agent's server stores for one user.

    The server must know who asks, and refuses a list otherwise (``identity_needed``). Each method
    raises ``RefusedError`` if the server refuses it.
    """

    def __init__(self, request: Request) -> None:
        self._request = request

    async def list(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        include_archived: bool = False,
    ) -> ThreadPage:
        """A part of the list, the last changed first: after the cursor of the page before, up to 100 threads."""
        query = {
            name: value
            for name, value in (
                ("after", after),
                ("limit", None if limit is None else str(limit)),
                ("includeArchived", "true" if include_archived else None),
            )
            if value is not None
        }
        return _read(ThreadPage, await self._request("GET", ["threads"], query, None))

    async def get(self, thread_id: str) -> ThreadEntry:
        """The entry of a thread."""
        text = await self._request("GET", ["threads", thread_id], {}, None)
        return _read(ThreadEntry, text)

    async def rename(self, thread_id: str, title: Optional[str]) -> ThreadEntry:
        """Gives a thread a title, or takes it away with ``None``."""
        return await self._change(thread_id, {"title": title})

    async def archive(self, thread_id: str) -> ThreadEntry:
        """Puts a thread away. It stays stored, and a new message goes on with it."""
        return await self._change(thread_id, {"archived": True})

    async def unarchive(self, thread_id: str) -> ThreadEntry:
        """Lists an archived thread again."""
        return await self._change(thread_id, {"archived": False})

    async def set_metadata(self, thread_id: str, metadata: Mapping[str, Any]) -> ThreadEntry:
        """Sets the members of the metadata that are given, and removes those that are ``None``."""
        return await self._change(thread_id, {"metadata": dict(metadata)})

    async def delete(self, thread_id: str) -> None:
        """Deletes a thread, and ends its run."""
        await self._request("DELETE", ["threads", thread_id], {}, None)

    async def _change(self, thread_id: str, change: Mapping[str, Any]) -> ThreadEntry:
        text = await self._request("PATCH", ["threads", thread_id], {}, change)
        return _read(ThreadEntry, text)


def _read(listed: type[ListedT], text: str) -> ListedT:
    try:
        return listed.model_validate_json(text)
    except ValidationError as error:
        raise AgentError(f"the server answered with something else: {error}") from error
