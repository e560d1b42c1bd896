"""Streams that continue over lost connections, if the server stores threads."""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Optional
from urllib.parse import quote, urlsplit, urlunsplit

import anyio
import httpx

from ._restate import ENDS, Delivered, SupersededError, event_of
from ._thread import is_object

log = logging.getLogger(__name__)

_LONGEST_ASKED = 60.0
"""The longest pause that a server may ask for, in seconds."""

_MAY_PASS = {408, 425, 429, 502, 503, 504}
"""The statuses after which the same request may succeed later."""


class AgentError(Exception):
    """The agent could not be reached, or did not answer with a stream of events."""


class RefusedError(AgentError):
    """The server refused to continue a stream, for a reason that another attempt does not change."""

    def __init__(
        self, message: str, status: int, code: Optional[str], path: Optional[str] = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.path = path


class ConnectionLostError(AgentError):
    """A connection was lost and could not be made again.

    The run may go on: ``connect`` finds it later, and the next run begins as always.
    """


ConnectionStatus = Literal["closed", "connecting", "open", "reconnecting"]
"""The connection of a run: none, being made, open, or lost and being made again."""


@dataclass(frozen=True)
class Reconnect:
    """Limits the attempts to make a lost connection again, with their times in seconds."""

    attempts: Optional[int] = None
    """The number of attempts since the last event; 0 for none. By default only ``give_up_after`` limits them."""
    first_pause: float = 0.25
    """The pause before the first attempt, which doubles with each further one."""
    longest_pause: float = 10.0
    """The longest pause."""
    give_up_after: float = 300.0
    """The longest time without a connection, at least until one attempt has failed."""


def below(url: str, *segments: str) -> str:
    """An address below that of an agent."""
    parts = urlsplit(url)
    path = "/".join([parts.path.rstrip("/"), *(quote(segment, safe="") for segment in segments)])
    return urlunsplit(parts._replace(path=path))


def refusal(response: httpx.Response, text: str) -> RefusedError:
    """The error of a refused request."""
    status = response.status_code
    try:
        body: Any = json.loads(text)
    except ValueError:
        body = None
    error = body.get("error") if is_object(body) else None
    code, path = (error.get("code"), error.get("path")) if is_object(error) else (None, None)
    message = f"{response.request.url}: {status}: {text}"
    return RefusedError(
        message,
        status,
        code if isinstance(code, str) else None,
        path if isinstance(path, str) else None,
    )


class Follower:
    """A run, or a thread, over successive connections.

    ``send`` makes a request: to connect or to run, with a cursor or without. ``tell`` is called after each
    change of the connection.
    """

    def __init__(
        self,
        send: Callable[[bool, Optional[str]], AbstractAsyncContextManager[httpx.Response]],
        *,
        run_id: str,
        connects: bool,
        resumable: bool,
        reconnect: Reconnect,
        tell: Callable[[ConnectionStatus], None],
    ) -> None:
        self.resumable = resumable
        """True if the server is known to store threads."""
        self._send = send
        self._ids = quote(run_id, safe="-_~").replace(".", "%2E") + "."
        self._connects = connects
        self._reconnect = reconnect
        self._tell = tell
        self._status: ConnectionStatus = "closed"
        self._lost_at = time.monotonic()
        self._cursor: Optional[str] = None
        self._attempts = 0
        self._has_delivered = False
        self._delivered = Delivered()
        self._prelude: Optional[list[str]] = None

    async def records(self) -> AsyncIterator[str]:
        """The data of each event, once and in order.

        Raises ``RefusedError``, ``ConnectionLostError``, and the errors of ``httpx``.
        """
        self._set("connecting")
        self._lost_at = time.monotonic()
        try:
            is_first = True
            while True:
                since, asked = time.monotonic(), 0.0
                lost: Exception = AgentError("the stream stopped before the run ended")
                try:
                    async with self._send(self._connects, self._cursor) as response:
                        status = response.status_code
                        if status == 204 and is_first and self._connects:
                            return
                        if status == 410 and self._cursor is not None:
                            self._restate()
                            continue
                        if status >= 400:
                            error = refusal(response, (await response.aread()).decode(errors="replace"))
                            if status not in _MAY_PASS or (is_first and not self.resumable):
                                raise error
                            lost, asked = error, _pause(response)
                        else:
                            is_first = False
                            self._set("open")
                            async for id, data in _server_sent(response.aiter_bytes()):
                                for record in self._take(id, data):
                                    self._has_delivered = True
                                    yield record
                            if self._delivered.is_over or not self._can_resume():
                                return
                except httpx.TransportError as error:
                    if self._delivered.is_over:
                        return
                    if not self._can_resume() or (is_first and not self.resumable):
                        raise
                    lost = error
                if self._status == "open":
                    is_new = time.monotonic() - since >= self._reconnect.longest_pause
                    if is_new or self._attempts == 0:
                        self._attempts, self._lost_at = 0, time.monotonic()
                await self._wait(lost, asked)
                if self._cursor is None and self._has_delivered:
                    self._restate()
        finally:
            self._set("closed")

    def _set(self, status: ConnectionStatus) -> None:
        if status != self._status:
            self._status = status
            self._tell(status)

    def _can_resume(self) -> bool:
        """True if another connection can continue: the client can name the last event, or has none."""
        is_known = (
            self._connects
            or self._cursor is not None
            or (self.resumable and not self._has_delivered)
        )
        return is_known and self._reconnect.attempts != 0

    def _restate(self) -> None:
        """Asks for the conversation as it is now: missed events are not kept, or cannot be named."""
        self._connects, self._cursor, self._prelude = True, None, []

    async def _wait(self, lost: Exception, asked: float) -> None:
        settings = self._reconnect
        is_last = settings.attempts is not None and self._attempts >= settings.attempts
        is_late = self._attempts > 0 and time.monotonic() - self._lost_at >= settings.give_up_after
        if is_last or is_late or asked > _LONGEST_ASKED:
            raise ConnectionLostError(
                f"the connection was lost, and {self._attempts} attempts to make it again failed: {lost!r}"
            ) from lost
        whole = min(settings.first_pause * 2.0 ** min(self._attempts, 30), settings.longest_pause)
        pause = max(asked, whole * random.uniform(0.5, 1))
        log.debug("the connection of a run was lost, next attempt in %.1f s: %r", pause, lost)
        self._attempts += 1
        self._set("reconnecting")
        await anyio.sleep(pause)

    def _take(self, id: Optional[str], data: str) -> list[str]:
        id = id if id is not None and self._is_accepted(id) else None
        if id is not None:
            self._attempts, self.resumable = 0, True
        is_followed = id is not None or self._cursor is not None or self._connects
        self._cursor = id if id is not None else self._cursor
        if self._prelude is None:
            if is_followed:
                self._delivered.note(data)
            return [data]
        self._prelude.append(data)
        if id is None and event_of(data).get("type") not in ENDS:
            return []
        try:
            joined, self._prelude = self._delivered.join(self._prelude), None
        except SupersededError as error:
            message = "the rest of the run is not kept any more, and another one has begun"
            raise RefusedError(message, 410, "run_superseded") from error
        return joined

    def _is_accepted(self, id: str) -> bool:
        """True for the cursor of an event: other servers number theirs too, and would start a second run."""
        if self._connects or self.resumable:
            return True
        return id.startswith(self._ids) and re.fullmatch("[0-9]+", id[len(self._ids) :]) is not None


def _pause(response: httpx.Response) -> float:
    """The pause that a response asks for."""
    value = response.headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


async def _server_sent(chunks: AsyncIterator[bytes]) -> AsyncIterator[tuple[Optional[str], str]]:
    """The id and the data of each server-sent event. Lines end at LF, CR LF or CR, and nowhere else."""
    buffer, data = b"", list[str]()
    id: Optional[str] = None
    async for chunk in chunks:
        buffer += chunk
        # A CR at the very end may be the first half of a CR LF.
        whole = buffer[:-1] if buffer.endswith(b"\r") else buffer
        rest = buffer[len(whole) :]
        lines = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        buffer = lines.pop() + rest
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" ").decode())
            elif line.startswith(b"id:"):
                id = line[3:].removeprefix(b" ").decode(errors="replace")
            elif not line:
                if data:
                    yield id, "\n".join(data)
                data, id = [], None
