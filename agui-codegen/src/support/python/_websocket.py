"""Runs over one WebSocket of a server of agui-runtime, in the place of requests."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any, Optional, Union
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from ._thread import is_object

log = logging.getLogger(__name__)

_SUBPROTOCOL = Subprotocol("agui-runtime.v1")
"""The name of the frames, which the server accepts in the handshake."""

_PATH = "/agui/ws"
"""The path of a socket, below that of its server."""

_WINDOW = 64
"""The events that the server may send ahead of the reader of a run."""

_OF_HTTP = {
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "user-agent",
}
"""The headers of a request that frames do not have."""

_CLOSED_IN_ORDER = {1000, 1001}
"""The codes of a socket that the server closes without reading further frames."""


class _Run:
    """One run on a connection: the beginning of its answer, and the pieces of its stream."""

    def __init__(self) -> None:
        self.pieces = asyncio.Queue[Union[bytes, httpx.TransportError, None]]()
        self.answer: asyncio.Future[Optional[httpx.Response]]
        self.answer = asyncio.get_running_loop().create_future()

    def answered(self, response: Optional[httpx.Response]) -> None:
        if not self.answer.done():
            self.answer.set_result(response)

    def lost(self, error: httpx.TransportError) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
        self.pieces.put_nowait(error)


def _origin(scheme: str, host: Optional[str], port: Optional[int]) -> tuple[bool, str, int]:
    """The server of an address: whether it is encrypted, its host and its port."""
    is_secure = scheme in ("https", "wss")
    return is_secure, (host or "").lower(), port or (443 if is_secure else 80)


class WebSocketTransport(httpx.AsyncBaseTransport):
    """Sends runs over one WebSocket, whose address ends with ``/agui/ws``; other requests go over HTTP.

    Give it to the clients of that server, on asyncio::

        async with httpx.AsyncClient(transport=WebSocketTransport("wss://…/agui/ws")) as http:
            chef = ChefClient("https://…/chef", client=http)

    The socket is made with the first run, and again after it was lost. A run that is read slowly stops no other run.
    ``headers`` are those of the handshake. Needs the package ``websockets``.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Optional[Mapping[str, str]] = None,
        http: Optional[httpx.AsyncBaseTransport] = None,
    ) -> None:
        parts = urlsplit(url)
        if not parts.path.endswith(_PATH):
            raise ValueError(f"expected an address of a WebSocket that ends with {_PATH}, found {url}")
        self._url = url
        self._server = parts.path.removesuffix(_PATH)
        self._origin = _origin(parts.scheme, parts.hostname, parts.port)
        self._headers = dict(headers or {})
        self._http = http or httpx.AsyncHTTPTransport()
        self._link: Optional[_Link] = None
        self._connecting = asyncio.Lock()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request; one that starts a run goes over the socket."""
        path = self._path(request)
        if path is None:
            return await self._http.handle_async_request(request)
        frame = {
            "type": "run",
            "path": path,
            "headers": {name: value for name, value in request.headers.items() if name not in _OF_HTTP},
            "lastEventId": request.headers.get("last-event-id"),
            "window": _WINDOW,
            "input": json.loads(await request.aread()),
        }
        while True:
            link, is_new = await self._connected()
            response = await link.open(frame)
            if response is not None:
                return response
            # It was closed before the server read the frame, so the run has not begun.
            if is_new:
                raise httpx.RemoteProtocolError("the server closed the WebSocket at once")

    async def aclose(self) -> None:
        """Closes the socket and the connections."""
        if self._link is not None:
            await self._link.close()
        await self._http.aclose()

    def _path(self, request: httpx.Request) -> Optional[str]:
        """The path of the agent at its server, if the request starts or continues a run there."""
        is_stream = "text/event-stream" in request.headers.get("accept", "")
        path = request.url.raw_path.decode().split("?")[0]
        if request.method != "POST" or not is_stream or not path.startswith(self._server):
            return None
        url = request.url
        if _origin(url.scheme, url.host, url.port) != self._origin:
            return None
        rest = path.removeprefix(self._server) or "/"
        return rest if rest.startswith("/") else None

    async def _connected(self) -> tuple[_Link, bool]:
        async with self._connecting:
            if self._link is not None and self._link.is_open:
                return self._link, False
            try:
                socket = await connect(
                    self._url,
                    subprotocols=[_SUBPROTOCOL],
                    additional_headers=self._headers,
                    max_size=None,
                    compression=None,
                    proxy=None,
                )
            except InvalidStatus as error:
                status = error.response.status_code
                raise httpx.RemoteProtocolError(f"the WebSocket was refused with status {status}") from error
            except (OSError, WebSocketException) as error:
                raise httpx.ConnectError(f"the WebSocket cannot be opened: {error!r}") from error
            self._link = _Link(socket)
            return self._link, True


class _Link:
    """One connection, and the runs on it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.is_open = True
        self._socket = socket
        self._runs: dict[str, _Run] = {}
        self._next = 0
        self._reading = asyncio.create_task(self._read())

    async def open(self, frame: Mapping[str, Any]) -> Optional[httpx.Response]:
        """Sends a run; ``None`` if the server closed the socket before it read the frame."""
        if not self.is_open:
            return None
        id, run = str(self._next), _Run()
        self._next += 1
        self._runs[id] = run
        try:
            await self.send({**frame, "id": id})
            response = await run.answer
        except BaseException:
            await self.leave(id)
            raise
        return response

    async def send(self, frame: Mapping[str, Any]) -> None:
        """Sends a frame; the runs learn of a lost connection from the reader."""
        try:
            await self._socket.send(json.dumps({k: v for k, v in frame.items() if v is not None}))
        except ConnectionClosed as error:
            log.debug("a frame was not sent: %r", error)

    async def leave(self, id: str) -> None:
        """Leaves a run that goes on."""
        if self._runs.pop(id, None) is not None and self.is_open:
            await self.send({"type": "cancel", "id": id})

    async def give(self, id: str, more: int) -> None:
        """Lets the server send further events of a run."""
        if id in self._runs and self.is_open:
            await self.send({"type": "window", "id": id, "more": more})

    async def close(self) -> None:
        """Closes the connection."""
        await self._socket.close()
        await self._reading

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                frame: Any = json.loads(message)
                if is_object(frame):
                    self._take(frame)
        except (ConnectionClosed, ValueError) as error:
            log.debug("the WebSocket was lost: %r", error)
        finally:
            self.is_open = False
            code = self._socket.close_code
            lost = httpx.ReadError(f"the WebSocket was closed with code {code} before the run ended")
            for run in self._runs.values():
                if code in _CLOSED_IN_ORDER:
                    run.answered(None)
                run.lost(lost)
            self._runs.clear()

    def _take(self, frame: dict[str, Any]) -> None:
        run = self._runs.get(frame["id"])
        if run is None:
            return
        kind = frame["type"]
        if kind == "open":
            stream = _Stream(self, frame["id"], run)
            run.answered(httpx.Response(frame["status"], headers=frame.get("headers"), stream=stream))
        elif kind == "event":
            place = frame.get("eventId")
            line = f"id: {place}\n" if isinstance(place, str) else ""
            run.pieces.put_nowait(f"{line}data: {json.dumps(frame['event'])}\n\n".encode())
        elif kind == "end":
            del self._runs[frame["id"]]
            self._end(run, frame)

    @staticmethod
    def _end(run: _Run, frame: dict[str, Any]) -> None:
        error, body = frame.get("error"), frame.get("body")
        if "status" in frame:
            text = body if isinstance(body, str) or body is None else json.dumps(body)
            run.answered(
                httpx.Response(frame["status"], headers=frame.get("headers"), content=(text or "").encode())
            )
        elif is_object(error):
            run.lost(httpx.ReadError(f"{error.get('code')}: {error.get('message')}"))
        else:
            run.pieces.put_nowait(None)


class _Stream(httpx.AsyncByteStream):
    """The events of a run. Closing it leaves the run."""

    def __init__(self, link: _Link, id: str, run: _Run) -> None:
        self._link, self._id, self._run = link, id, run

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        while True:
            piece = await self._run.pieces.get()
            if piece is None:
                return
            if isinstance(piece, httpx.TransportError):
                raise piece
            yield piece
            read += 1
            if read >= _WINDOW // 2:
                await self._link.give(self._id, read)
                read = 0

    async def aclose(self) -> None:
        await self._link.leave(self._id)
