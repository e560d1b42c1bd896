"""The base class of the generated clients."""

from __future__ import annotations

import copy
import json
import logging
import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Optional, TypeVar, Union
from urllib.parse import unquote, urlencode

import httpx
from ag_ui.core import (
    PROTOCOL_VERSION,
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    Context,
    CustomEvent,
    Event,
    EventType,
    Interrupt,
    Message,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    Tool,
    ToolCall,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolMessage,
    UserMessage,
)
from pydantic import BaseModel, TypeAdapter, ValidationError

from ._reconnect import (
    AgentError,
    ConnectionStatus,
    Follower,
    Reconnect,
    RefusedError,
    below,
    refusal,
)
from ._resume import cancelled, check_resume, interrupts_of, restated
from ._thread import History, PatchError, apply_patch, is_list, is_object, operations
from ._thread_list import ThreadList

log = logging.getLogger(__name__)

ItemT = TypeVar("ItemT")
ToolsT = TypeVar("ToolsT")

_MANIFEST = "x-agui-manifest"
"""The header with the hash of the manifest that a side was built from."""

_ITEM = "agui-rust.tool_item"
_PROGRESS = "agui-rust.tool_progress"
"""The names of the custom events that report on a call."""

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_EVENT_TYPES = {event_type.value for event_type in EventType}


# The agent's declarations -------------------------------------------------------------


@dataclass(frozen=True)
class ToolContract:
    """A tool as the agent declares it."""

    name: str
    description: str
    frontend: bool
    parameters: TypeAdapter[Any]
    result: Optional[TypeAdapter[Any]]
    json_schema: dict[str, Any]
    title: Optional[str] = None
    """The name for people."""
    annotations: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Hints about its behaviour, as the Model Context Protocol names them."""

    def offer(self) -> Tool:
        """The offer of a tool that runs here, for the input of a run."""
        return Tool(
            name=self.name,
            description=self.description,
            parameters=copy.deepcopy(self.json_schema),
        )


@dataclass(frozen=True)
class ToolItems:
    """The classes of the items of one tool."""

    contract: ToolContract
    call: Callable[[str, Any], Any]
    result: Optional[Callable[[str, Any], Any]]
    handler: Optional[str]
    item: Optional[Callable[[str, Any], Any]] = None


@dataclass(frozen=True)
class Contract:
    """The declarations of an agent, for its client."""

    manifest: str
    state: Optional[TypeAdapter[Any]]
    state_input: Optional[TypeAdapter[Any]]
    state_item: Optional[Callable[[Any], Any]]
    events: Mapping[str, tuple[TypeAdapter[Any], Callable[[Any], Any]]]
    tools: Mapping[str, ToolItems]
    activities: Mapping[str, tuple[TypeAdapter[Any], Callable[[str, Any], Any]]] = field(
        default_factory=dict[str, tuple[TypeAdapter[Any], Callable[[str, Any], Any]]]
    )
    result: Optional[TypeAdapter[Any]] = None
    result_item: Optional[Callable[[Any], Any]] = None
    forwarded_props: Optional[TypeAdapter[Any]] = None


@dataclass(frozen=True)
class ToolFailed:
    """A tool that runs in the agent failed."""

    id: str
    name: str
    error: str


@dataclass(frozen=True)
class ToolProgress:
    """A tool that is still running reported how far it has come, in a unit of its own."""

    id: str
    name: str
    progress: float
    total: Optional[float] = None
    message: Optional[str] = None


class _Progress(BaseModel):
    progress: float
    total: Optional[float] = None
    message: Optional[str] = None


@dataclass(frozen=True)
class Problem:
    """A value does not have the declared type: most often, one side is older."""

    what: str
    name: str
    error: Exception
    value: Any


class ProtocolError(AgentError):
    """The agent sent data that is not an event of the protocol."""


def complete_schema(root: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON Schema, with the definitions that it needs."""
    needed: dict[str, Any] = {}
    due = [root]
    while due:
        value = due.pop()
        if is_list(value):
            due.extend(value)
        elif is_object(value):
            due.extend(value.values())
            reference = value.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                name = _decoded(reference[len("#/$defs/") :])
                if name in definitions and name not in needed:
                    needed[name] = definitions[name]
                    due.append(definitions[name])
    schema: dict[str, Any] = dict(root) if is_object(root) else {}
    if needed:
        schema["$defs"] = dict(sorted(needed.items()))
    return schema


def _decoded(name: str) -> str:
    return unquote(name).replace("~1", "/").replace("~0", "~")


# Reading and writing ------------------------------------------------------------------


def read_json(adapter: TypeAdapter[Any], text: Union[str, bytes]) -> Any:
    """A value from JSON as the agent reads it, and no other; raises ``ValidationError``.

    The models accept both spellings of a name; JSON has one.
    """
    return adapter.validate_json(text, strict=True, by_alias=True, by_name=False)


# Tool results as text -----------------------------------------------------------------


def write_content(adapter: Optional[TypeAdapter[Any]], value: Any) -> str:
    """A value as the content of a tool message: a string as it is, any other value as JSON."""
    data = None
    if adapter is not None:
        data = adapter.dump_python(value, mode="json", warnings="error")
    if isinstance(data, str):
        quoted = _is_json_string(data) or _failure(data) is not None
        return json.dumps(data) if quoted else data
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_content(adapter: Optional[TypeAdapter[Any]], content: str) -> Any:
    """The reverse of :func:`write_content`; raises ``ValidationError``."""
    if adapter is None:
        return None
    try:
        return read_json(adapter, content)
    except ValidationError:
        if _is_json_string(content):
            raise
        try:
            return read_json(adapter, json.dumps(content))
        except ValidationError:
            pass
        raise


def _is_json_string(text: str) -> bool:
    try:
        return isinstance(json.loads(text), str)
    except ValueError:
        return False


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.text for part in content if part.type == "text")


def _failure(content: str) -> Optional[str]:
    """The error of a failed tool, if the content is exactly ``{"error": "…"}``.

    An equal string result is sent quoted.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    error = value.get("error") if is_object(value) and len(value) == 1 else None
    return error if isinstance(error, str) else None


# The client ---------------------------------------------------------------------------


class AgentClient(Generic[ItemT, ToolsT]):
    """A client of one agent over HTTP.

    ``client`` is used as it is and never closed; without one, each run opens its own.

    If the server stores threads, a lost connection is made again, as often as ``reconnect``
    says, and the run continues after the last event that arrived. ``resumable`` says that
    the server is known to keep them: then a request without an answer is sent again too. By
    default this is known from the first event with an id.
    """

    contract: ClassVar[Contract]

    def __init__(
        self,
        url: str,
        *,
        headers: Optional[Mapping[str, str]] = None,
        client: Optional[httpx.AsyncClient] = None,
        timeout: Optional[float] = 60.0,
        reconnect: Optional[Reconnect] = None,
        resumable: bool = False,
    ) -> None:
        self.url = url
        self.headers = dict(headers or {})
        self.timeout = timeout
        self.reconnect = reconnect or Reconnect()
        self.resumable = resumable
        self._client = client
        self._told = False
        self._pending: dict[str, list[Interrupt]] = {}

    def pending_interrupts(self, thread_id: str) -> list[Interrupt]:
        """The interrupts that ended the last run of a thread.

        The next run sends an entry for each: one of :meth:`cancel` for interrupts without
        a response.
        """
        return list(self._pending.get(thread_id, ()))

    @staticmethod
    def cancel(interrupt: Interrupt) -> ResumeEntry:
        """Cancels an interrupt, also an undeclared one."""
        return cancelled(interrupt)

    def on_drift(self, client: str, agent: str) -> None:
        """The agent was built from another manifest than this client was generated from.

        Called once, and only if the agent sends its hash, which it does in development.
        """
        log.warning(
            "%s runs another version of the agent (%s) than this client was generated for "
            "(%s): generate it again",
            self.url,
            agent,
            client,
        )

    def on_connection(self, thread_id: str, status: ConnectionStatus) -> None:
        """The connection of a run of this thread changed: a method to override.

        ``reconnecting`` says that it was lost and is being made again.
        """

    def _compare(self, response: httpx.Response) -> None:
        agent = response.headers.get(_MANIFEST)
        if agent is not None and agent != self.contract.manifest and not self._told:
            self._told = True
            self.on_drift(self.contract.manifest, agent)

    def _input(
        self,
        messages: Sequence[Message],
        state: Any,
        *,
        thread_id: Optional[str],
        run_id: Optional[str],
        context: Sequence[Context],
        forwarded_props: Any,
    ) -> RunAgentInput:
        adapter = self.contract.state_input
        data = None
        if state is not None and adapter is not None:
            data = adapter.dump_python(state, mode="json", warnings="error")
        props, forwarded = forwarded_props, self.contract.forwarded_props
        if props is not None and forwarded is not None:
            props = forwarded.dump_python(props, mode="json", warnings="error")
        return RunAgentInput(
            thread_id=thread_id or str(uuid.uuid4()),
            run_id=run_id or str(uuid.uuid4()),
            protocol_version=PROTOCOL_VERSION,
            state=data,
            messages=list(messages),
            context=list(context),
            forwarded_props=props,
        )

    async def events(self, input: RunAgentInput) -> AsyncIterator[Event]:
        """The events of one run as they arrive.

        Raises ``AgentError`` if there is no stream, and ``ProtocolError`` for data that is
        not an event. An event of an unknown type is left out, with a warning.

        Sends nothing and raises ``UnansweredError`` if ``resume`` leaves out a pending
        interrupt of the thread, and ``ExpiredError`` if one has expired.
        """
        check_resume(self.pending_interrupts(input.thread_id), input.resume or ())
        if input.protocol_version is None:
            input = input.model_copy(update={"protocol_version": PROTOCOL_VERSION})
        async for event in self._follow(input, connects=False):
            yield event

    def _set_pending(self, thread_id: str, open: list[Interrupt]) -> None:
        if open:
            self._pending[thread_id] = open
        else:
            self._pending.pop(thread_id, None)

    def _request_headers(self, accept: str) -> dict[str, str]:
        return {"accept": accept, _MANIFEST: self.contract.manifest, **self.headers}

    async def _follow(self, input: RunAgentInput, *, connects: bool) -> AsyncIterator[Event]:
        headers = self._request_headers("text/event-stream")
        headers["content-type"] = "application/json"
        body = input.model_dump_json(by_alias=True)
        client = self._client or httpx.AsyncClient(timeout=self.timeout)

        @asynccontextmanager
        async def send(connect: bool, cursor: Optional[str]) -> AsyncGenerator[httpx.Response, None]:
            url = below(self.url, "connect") if connect else self.url
            place = {} if cursor is None else {"last-event-id": cursor}
            request = client.stream("POST", url, content=body, headers={**headers, **place})
            async with request as response:
                self._compare(response)
                yield response

        follower = Follower(
            send,
            run_id=input.run_id,
            connects=connects,
            resumable=self.resumable,
            reconnect=self.reconnect,
            tell=lambda status: self.on_connection(input.thread_id, status),
        )
        try:
            async for data in follower.records():
                self.resumable = follower.resumable
                event = _read_event(data)
                if connects and isinstance(event, RunStartedEvent):
                    # The thread says which interrupts are open.
                    self._pending.pop(input.thread_id, None)
                elif isinstance(event, RunFinishedEvent):
                    self._set_pending(input.thread_id, interrupts_of(event))
                elif isinstance(event, RunErrorEvent) and (open := restated(event)) is not None:
                    self._set_pending(input.thread_id, open)
                if event is not None:
                    yield event
        except RefusedError as error:
            closed = re.match(r"resume\[(\d+)\]", error.path or "")
            if error.code == "interrupt_not_open" and closed is not None:
                answer = (input.resume or [])[int(closed[1])]
                pending = self.pending_interrupts(input.thread_id)
                self._set_pending(
                    input.thread_id, [open for open in pending if open.id != answer.interrupt_id]
                )
            raise
        except httpx.HTTPError as error:
            raise AgentError(f"{self.url}: {error!r}") from error
        finally:
            if self._client is None:
                await client.aclose()

    async def run(self, input: RunAgentInput) -> AsyncIterator[Union[Event, ItemT]]:
        """One run: each event, followed by its typed item if it has one."""
        events, history, state = self.events(input), History(input.messages), State(input.state)
        async for item in self._items(events, history, state):
            yield item

    def connect(self, thread_id: str) -> Thread[ItemT]:
        """A thread from a server that stores it, after a restart or on another machine.

        Iterate over it: it yields the events and items of a run that goes on, or of the end
        of the last one, and nothing if the thread is empty. It ends with the run. Then
        ``messages`` and ``state`` are those of the thread, and :meth:`pending_interrupts`
        has its open interrupts.
        """
        input = self._input(
            [], None, thread_id=thread_id, run_id=None, context=(), forwarded_props=None
        )
        history, state = History([]), State(None)
        items = self._items(self._follow(input, connects=True), history, state)
        return Thread(items, history, state)

    async def stop(self, thread_id: str) -> bool:
        """Stops the run of a thread, wherever it is; false if none goes on.

        The run ends soon, as cancelled. Raises ``RefusedError`` if the server refuses.
        """
        try:
            body: Any = json.loads(await self._request("POST", ["stop", thread_id], {}, None))
        except ValueError as error:
            raise AgentError(f"{self.url}: {error!r}") from error
        return is_object(body) and body.get("stopped") is True

    async def steer(self, thread_id: str, text: str) -> str:
        """Says something while a run of the thread works, and returns the message's id.

        On a server with ``BusyThread::Steer`` the message joins that run before the model's
        next turn; readers of the run get it there, as text events with the role ``user``.
        A message that the run does not take starts the next run, and so does a message
        without a run: :meth:`connect` follows it.

        No response stays open: on a server with ``ClientLeaves::CancelAfter`` a run that the
        message starts is stopped, unless a client connects in time.

        Returns when the server has stored the message. Raises ``RefusedError`` if the server
        refuses it, for example with the code ``thread_busy``.
        """
        message = UserMessage(id=str(uuid.uuid4()), content=text)
        input = self._input(
            [message], None, thread_id=thread_id, run_id=None, context=(), forwarded_props=None
        )
        headers = self._request_headers("text/event-stream")
        headers["content-type"] = "application/json"
        client = self._client or httpx.AsyncClient(timeout=self.timeout)
        try:
            body = input.model_dump_json(by_alias=True)
            # The events come to the reader of the run.
            async with client.stream("POST", self.url, content=body, headers=headers) as response:
                if response.status_code >= 400:
                    raise refusal(response, (await response.aread()).decode(errors="replace"))
        except httpx.HTTPError as error:
            raise AgentError(f"{self.url}: {error!r}") from error
        finally:
            if self._client is None:
                await client.aclose()
        return message.id

    @property
    def threads(self) -> ThreadList:
        """The threads that the server stores for this user."""
        return ThreadList(self._request)

    async def _request(
        self,
        method: str,
        path: list[str],
        query: Mapping[str, str],
        body: Optional[Mapping[str, Any]],
    ) -> str:
        client = self._client or httpx.AsyncClient(timeout=self.timeout)
        try:
            url, headers = below(self.url, *path), self._request_headers("application/json")
            if query:
                url += ("&" if "?" in url else "?") + urlencode(query)
            response = await client.request(method, url, headers=headers, json=body)
            if response.status_code >= 400:
                raise refusal(response, response.text)
            return response.text
        except httpx.HTTPError as error:
            raise AgentError(f"{self.url}: {error!r}") from error
        finally:
            if self._client is None:
                await client.aclose()

    async def converse(
        self, input: RunAgentInput, tools: ToolsT
    ) -> AsyncIterator[Union[Event, ItemT]]:
        """Runs with the tools that run here, and again with their answers, until no call is due.

        If a run ends with interrupts and the agent declares none, the caller resumes it.
        """
        offers = [t.contract for t in self.contract.tools.values() if t.contract.frontend]
        names = {contract.name for contract in offers}
        others = [tool for tool in input.tools or [] if tool.name not in names]
        offered = [*others, *(contract.offer() for contract in offers)]
        history, state = History(input.messages), State(input.state)
        input = input.model_copy(update={"tools": offered})
        while True:
            failed, last = False, None
            async for item in self._items(self.events(input), history, state):
                failed = failed or isinstance(item, RunErrorEvent)
                last = item if isinstance(item, RunFinishedEvent) else last
                yield item
            pending = interrupts_of(last)
            resume = await self._resume(pending, tools) if pending and not failed else None
            # A call waits until its interrupt is answered.
            asked = {interrupt.tool_call_id for interrupt in pending}
            due = [
                call
                for call in history.open_calls()
                if call.function.name in names and call.id not in asked
            ]
            if failed or not (due or resume) or (pending and resume is None):
                return
            for call in due:
                # At the end, as a user interface adds it: the agent looks there for new answers.
                history.messages.append(await self._answer(call, tools))
            input = input.model_copy(
                update={
                    "run_id": str(uuid.uuid4()),
                    "messages": [m for m in history.messages if m.role != "activity"],
                    "state": state.value,
                    "resume": resume,
                }
            )

    async def _resume(
        self, pending: Sequence[Interrupt], tools: ToolsT
    ) -> Optional[list[ResumeEntry]]:
        """The answers to the interrupts of a run: none, if the agent declares none."""
        return None

    async def _items(
        self, events: AsyncIterator[Event], history: History, state: State
    ) -> AsyncIterator[Union[Event, ItemT]]:
        async for event in events:
            history.apply(event)
            yield event
            item = self._item(event, history, state)
            if item is not None:
                yield item

    def _item(self, event: Event, history: History, state: State) -> Any:
        contract = self.contract
        if isinstance(event, (StateSnapshotEvent, StateDeltaEvent)):
            problem = state.apply(event)
            if problem is not None:
                return problem
            if contract.state is None or contract.state_item is None:
                return None
            return _typed(contract.state, state.value, "state", "", contract.state_item)
        if isinstance(event, CustomEvent) and event.name in contract.events:
            adapter, make = contract.events[event.name]
            return _typed(adapter, event.value, "event", event.name, make)
        if isinstance(event, CustomEvent) and event.name in (_ITEM, _PROGRESS):
            value: Any = event.value
            call = history.call(str(value.get("toolCallId"))) if is_object(value) else None
            tool = contract.tools.get(call.function.name) if call is not None else None
            if call is None or tool is None:
                return None
            return _read_item(tool, call, value) if event.name == _ITEM else _progress(call, value)
        if isinstance(event, (ActivitySnapshotEvent, ActivityDeltaEvent)):
            shown = history.activities.get(event.message_id)
            if shown is None or shown.type not in contract.activities:
                return None
            content, make_activity = contract.activities[shown.type]
            message_id = event.message_id
            return _typed(
                content,
                shown.content,
                "activity",
                shown.type,
                lambda value: make_activity(message_id, value),
            )
        if isinstance(event, RunFinishedEvent) and contract.result is not None:
            if contract.result_item is None or not _has_result(event, history):
                return None
            return _typed(contract.result, event.result, "result", "", contract.result_item)
        if isinstance(event, (ToolCallEndEvent, ToolCallResultEvent)):
            call = history.call(event.tool_call_id)
            tool = contract.tools.get(call.function.name) if call is not None else None
            if call is None or tool is None:
                return None
            if isinstance(event, ToolCallEndEvent):
                return _read_call(tool, call)
            return _read_result(tool, call, _content_text(event.content))
        return None

    async def _answer(self, call: ToolCall, tools: ToolsT) -> ToolMessage:
        tool = self.contract.tools[call.function.name]
        message_id = f"{call.id}-answer"
        try:
            args = read_json(tool.contract.parameters, _arguments(call))
            result = await getattr(tools, tool.handler or "")(args)
            content = write_content(tool.contract.result, result)
            return ToolMessage(id=message_id, tool_call_id=call.id, content=content)
        except Exception as error:  # any failure, because the agent waits for an answer
            log.warning("tool %s: %s", tool.contract.name, error)
            content = json.dumps({"error": str(error)}, ensure_ascii=False)
            return ToolMessage(
                id=message_id, tool_call_id=call.id, content=content, error=str(error)
            )


class State:
    """The shared state of a thread."""

    def __init__(self, value: Any) -> None:
        self.value: Any = {} if value is None else value

    def apply(self, event: Union[StateSnapshotEvent, StateDeltaEvent]) -> Optional[Problem]:
        if isinstance(event, StateSnapshotEvent):
            self.value = event.snapshot
            return None
        patch = operations(event.delta)
        try:
            self.value = apply_patch(self.value, patch)
        except (PatchError, KeyError) as error:
            return Problem("patch", "", error, patch)
        return None


class Thread(Generic[ItemT]):
    """A thread that the server stores, up to date with the events that were iterated over."""

    def __init__(
        self, items: AsyncIterator[Union[Event, ItemT]], history: History, state: State
    ) -> None:
        self._items = items
        self._history = history
        self._state = state

    def __aiter__(self) -> AsyncIterator[Union[Event, ItemT]]:
        return self._items

    @property
    def messages(self) -> list[Message]:
        """The conversation."""
        return list(self._history.messages)

    @property
    def state(self) -> Any:
        """The shared state as JSON. The items of its changes have types."""
        return copy.deepcopy(self._state.value)


def _has_result(event: RunFinishedEvent, history: History) -> bool:
    """True if a run ended with its result. A result of null is left out, and so is every result while calls wait for answers."""
    if event.outcome is not None and event.outcome.type != "success":
        return False
    return event.result is not None or not history.open_calls()


def _arguments(call: ToolCall) -> str:
    # An empty string means no arguments.
    return call.function.arguments.strip() or "{}"


def _typed(
    adapter: TypeAdapter[Any],
    value: Any,
    what: str,
    name: str,
    make: Callable[[Any], Any],
) -> Any:
    try:
        return make(read_json(adapter, json.dumps(value)))
    except ValidationError as error:
        return Problem(what, name, error, value)


def _read_call(tool: ToolItems, call: ToolCall) -> Any:
    text = _arguments(call)
    try:
        return tool.call(call.id, read_json(tool.contract.parameters, text))
    except ValidationError as error:
        return Problem("arguments", tool.contract.name, error, text)


def _read_item(tool: ToolItems, call: ToolCall, value: Mapping[str, Any]) -> Any:
    if tool.item is None or tool.contract.result is None:
        return None
    try:
        # As the only item of the list that the result is.
        read = read_json(tool.contract.result, json.dumps([value.get("item")]))
        return tool.item(call.id, read[0])
    except ValidationError as error:
        return Problem("item", tool.contract.name, error, value)


def _progress(call: ToolCall, value: Mapping[str, Any]) -> Any:
    try:
        read = _Progress.model_validate(value)
    except ValidationError as error:
        return Problem("progress", call.function.name, error, value)
    return ToolProgress(call.id, call.function.name, read.progress, read.total, read.message)


def _read_result(tool: ToolItems, call: ToolCall, content: str) -> Any:
    if tool.result is None:
        return None
    failure = _failure(content)
    if failure is not None:
        return ToolFailed(call.id, tool.contract.name, failure)
    try:
        return tool.result(call.id, read_content(tool.contract.result, content))
    except ValidationError as error:
        return Problem("result", tool.contract.name, error, content)


def _read_event(data: str) -> Optional[Event]:
    try:
        return _EVENT.validate_json(data)
    except ValidationError as error:
        try:
            kind = json.loads(data)["type"]
        except (ValueError, TypeError, KeyError):
            raise ProtocolError(f"not an event: {data[:200]}") from error
        if kind in _EVENT_TYPES:
            raise ProtocolError(f"malformed {kind}: {error}") from error
        log.warning("an event of the unknown type %r is left out", kind)
        return None
