"""The client's copy of a thread: its state and its messages."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeGuard

from ag_ui.core import (
    ActivityDeltaEvent,
    ActivityMessage,
    ActivitySnapshotEvent,
    AssistantMessage,
    Event,
    FunctionCall,
    Message,
    MessagesSnapshotEvent,
    ReasoningMessage,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageStartEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
)
from pydantic import TypeAdapter


log = logging.getLogger(__name__)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """True if JSON is a list."""
    return isinstance(value, list)


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """True if JSON is an object."""
    return isinstance(value, dict)


def operations(patch: Sequence[Any]) -> list[dict[str, Any]]:
    """The operations of a JSON Patch, as JSON."""
    return [
        operation if is_object(operation) else operation.model_dump(mode="json", by_alias=True)
        for operation in patch
    ]


class PatchError(ValueError):
    """A patch that does not apply."""


def apply_patch(document: Any, patch: Sequence[Mapping[str, Any]]) -> Any:
    """The document after a JSON Patch (RFC 6902); the given one is not changed."""
    root = {"": copy.deepcopy(document)}
    for operation in patch:
        op, path = operation["op"], _pointer(operation["path"])
        if op == "test":
            if not _same(_get(root, path), operation["value"]):
                raise PatchError(f"test failed at {operation['path']}")
        elif op == "add":
            _add(root, path, copy.deepcopy(operation["value"]))
        elif op == "remove":
            _remove(root, path)
        elif op == "replace":
            _remove(root, path)
            _add(root, path, copy.deepcopy(operation["value"]))
        elif op in ("move", "copy"):
            source = _pointer(operation["from"])
            value = copy.deepcopy(_get(root, source))
            if op == "move":
                if path[: len(source)] == source and path != source:
                    raise PatchError("a value cannot move into itself")
                _remove(root, source)
            _add(root, path, value)
        else:
            raise PatchError(f"no such operation: {op}")
    return root.get("")


def _pointer(text: str) -> list[str]:
    # The document hangs below an empty name, so that its root has a parent too.
    if text and not text.startswith("/"):
        raise PatchError(f"not a JSON Pointer: {text}")
    return [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")]


def _index(items: list[Any], name: str, end: int) -> int:
    if not (name.isascii() and name.isdigit()) or int(name) > end:
        raise PatchError(f"no index {name} in a list of {len(items)}")
    return int(name)


def _get(value: Any, path: list[str]) -> Any:
    for name in path:
        if is_list(value):
            value = value[_index(value, name, len(value) - 1)]
        elif is_object(value) and name in value:
            value = value[name]
        else:
            raise PatchError(f"nothing at {name}")
    return value


def _add(root: Any, path: list[str], value: Any) -> None:
    parent, name = _get(root, path[:-1]), path[-1]
    if is_list(parent):
        index = len(parent) if name == "-" else _index(parent, name, len(parent))
        parent.insert(index, value)
    elif is_object(parent):
        parent[name] = value
    else:
        raise PatchError(f"nothing can be added at {name}")


def _remove(root: Any, path: list[str]) -> None:
    _get(root, path)
    parent, name = _get(root, path[:-1]), path[-1]
    if is_list(parent):
        del parent[int(name)]
    else:
        del parent[name]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_object(a) and is_object(b):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    return bool(a == b)


@dataclass(frozen=True)
class Activity:
    """An activity as the agent shows it now."""

    type: str
    content: Any


class History:
    """The messages of a thread, kept up to date from the events of its runs."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages: list[Message] = list(messages)
        self.activities: dict[str, Activity] = {}
        self._keep_activities(self.messages)
        self._chunk_message: Optional[str] = None
        self._chunk_call: Optional[str] = None
        self._chunk_reasoning: Optional[str] = None

    def call(self, call_id: str) -> Optional[ToolCall]:
        """The tool call of that id."""
        return next((call for call in self._calls() if call.id == call_id), None)

    def open_calls(self) -> list[ToolCall]:
        """The calls without an answer."""
        answered = {m.tool_call_id for m in self.messages if isinstance(m, ToolMessage)}
        return [call for call in self._calls() if call.id not in answered]

    def apply(self, event: Event) -> None:
        """Applies an event."""
        if isinstance(event, TextMessageStartEvent):
            self._text(event.message_id, event.role, "")
        elif isinstance(event, TextMessageContentEvent):
            self._text(event.message_id, None, event.delta)
        elif isinstance(event, TextMessageChunkEvent):
            self._chunk_message = event.message_id or self._chunk_message
            if self._chunk_message is not None:
                self._text(self._chunk_message, event.role, event.delta or "")
        elif isinstance(event, ToolCallStartEvent):
            self._start(event.tool_call_id, event.tool_call_name, event.parent_message_id)
        elif isinstance(event, ToolCallArgsEvent):
            self._arguments(event.tool_call_id, event.delta)
        elif isinstance(event, ToolCallChunkEvent):
            self._chunk_call = event.tool_call_id or self._chunk_call
            if self._chunk_call is not None:
                if event.tool_call_name is not None:
                    self._start(
                        self._chunk_call, event.tool_call_name, event.parent_message_id
                    )
                self._arguments(self._chunk_call, event.delta or "")
        elif isinstance(event, ToolCallResultEvent):
            self.answer(
                ToolMessage(
                    id=event.message_id,
                    tool_call_id=event.tool_call_id,
                    content=event.content,
                )
            )
        elif isinstance(event, ReasoningMessageStartEvent):
            self._reasoning(event.message_id, "")
        elif isinstance(event, ReasoningMessageContentEvent):
            self._reasoning(event.message_id, event.delta)
        elif isinstance(event, ReasoningMessageChunkEvent):
            self._chunk_reasoning = event.message_id or self._chunk_reasoning
            if self._chunk_reasoning is not None:
                self._reasoning(self._chunk_reasoning, event.delta or "")
        elif isinstance(event, MessagesSnapshotEvent):
            self._snapshot(event.messages)
            self._keep_activities(event.messages)
        elif isinstance(event, ActivitySnapshotEvent):
            if event.replace is not False or event.message_id not in self.activities:
                shown = Activity(event.activity_type, event.content)
                self.activities[event.message_id] = shown
        elif isinstance(event, ActivityDeltaEvent):
            self._change(event)

    def answer(self, message: ToolMessage) -> None:
        """Inserts an answer after the message with the call, and after earlier answers."""
        place = len(self.messages)
        for index, owner in enumerate(self.messages):
            if isinstance(owner, AssistantMessage) and any(
                call.id == message.tool_call_id for call in owner.tool_calls or []
            ):
                place = index + 1
                while place < len(self.messages) and isinstance(
                    self.messages[place], ToolMessage
                ):
                    place += 1
                break
        self.messages.insert(place, message)

    def _keep_activities(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if isinstance(message, ActivityMessage):
                self.activities[message.id] = Activity(
                    message.activity_type, message.content
                )

    def _change(self, event: ActivityDeltaEvent) -> None:
        shown = self.activities.get(event.message_id)
        if shown is None:
            return
        try:
            content = apply_patch(shown.content, operations(event.patch))
        except (PatchError, KeyError) as error:
            log.warning("a change of an activity does not apply: %s", error)
            return
        self.activities[event.message_id] = Activity(event.activity_type, content)

    def _calls(self) -> list[ToolCall]:
        assistants = (m for m in self.messages if isinstance(m, AssistantMessage))
        return [call for message in assistants for call in message.tool_calls or []]

    def _find(self, message_id: str) -> Optional[Message]:
        return next((m for m in self.messages if m.id == message_id), None)

    def _text(self, message_id: str, role: Optional[str], delta: str) -> None:
        message = self._find(message_id)
        if message is None:
            adapter: TypeAdapter[Message] = TypeAdapter(Message)
            data = {"id": message_id, "role": role or "assistant", "content": delta}
            self.messages.append(adapter.validate_python(data))
        elif message.role != "activity":
            old = message.content
            message.content = (old if isinstance(old, str) else "") + delta

    def _reasoning(self, message_id: str, delta: str) -> None:
        message = self._find(message_id)
        if message is None:
            self.messages.append(ReasoningMessage(id=message_id, content=delta))
        elif isinstance(message, ReasoningMessage):
            message.content += delta

    def _start(self, call_id: str, name: str, parent: Optional[str]) -> None:
        if self.call(call_id) is not None:
            return
        owner = self._find(parent) if parent else None
        if not isinstance(owner, AssistantMessage):
            owner = AssistantMessage(id=parent if parent and owner is None else call_id)
            self.messages.append(owner)
        call = ToolCall(id=call_id, function=FunctionCall(name=name, arguments=""))
        owner.tool_calls = [*(owner.tool_calls or []), call]

    def _arguments(self, call_id: str, delta: str) -> None:
        call = self.call(call_id)
        if call is not None:
            call.function.arguments += delta

    def _snapshot(self, messages: Sequence[Message]) -> None:
        sent = {message.id: message for message in messages}
        kinds = {message.role for message in messages}
        keeps = {"reasoning", "activity"} - kinds
        kept = [m for m in self.messages if m.id in sent or m.role in keeps]
        known = {message.id for message in kept}
        self.messages = [sent.get(message.id, message) for message in kept]
        self.messages.extend(m for m in messages if m.id not in known)
