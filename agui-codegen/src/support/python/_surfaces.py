"""Components and functions of A2UI, as they travel."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Optional, TypeVar, Union

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ._model import Maybe, Model
from ._support import read_json
from ._thread import is_list, is_object

ComponentT = TypeVar("ComponentT")
FunctionsT = TypeVar("FunctionsT")
ArgumentsT = TypeVar("ArgumentsT")
ValueT = TypeVar("ValueT")


class Binding(Model):
    """A path in the data of a surface: the client draws the value there."""

    path: str


class FunctionCall(Model):
    """A call of a function. In a property, the client draws the value of the call."""

    call: str
    catalog_id: Maybe[str] = Field(
        default=None, validation_alias="catalogId", serialization_alias="catalogId"
    )
    args: dict[str, Any] = Field(default_factory=dict)


Bound = Union[Binding, FunctionCall]
"""A stand-in for the value of a property."""


class ChildTemplate(Model):
    """A component that is repeated for each element of a list in the data."""

    component_id: str = Field(
        validation_alias="componentId", serialization_alias="componentId"
    )
    path: str


ComponentList = Union[list[str], ChildTemplate]
"""Components inside of another one: their ids, or one for each element of a list."""


class ActionEvent(Model):
    """An event for the agent."""

    name: str
    context: dict[str, Any] = Field(default_factory=dict)


class SurfaceAction(Model):
    """The reaction to the user: an event, or a function call."""

    event: Maybe[ActionEvent] = None
    function_call: Maybe[FunctionCall] = Field(
        default=None, validation_alias="functionCall", serialization_alias="functionCall"
    )


class RendererCall(Model):
    """The agent's call of a function that the client has."""

    function_call_id: str = Field(
        validation_alias="functionCallId", serialization_alias="functionCallId"
    )
    call_function: FunctionCall = Field(
        validation_alias="callFunction", serialization_alias="callFunction"
    )


class FunctionError(Model):
    """The reason why a call has no value."""

    code: str
    message: str


class FunctionResponse(Model):
    """The answer to a call."""

    function_call_id: str = Field(
        validation_alias="functionCallId", serialization_alias="functionCallId"
    )
    value: Any = None
    error: Maybe[FunctionError] = None


class FunctionFailed(Exception):
    """The agent answered a call with an error."""

    def __init__(self, error: FunctionError) -> None:
        super().__init__(f"{error.message} ({error.code})")
        self.error = error


@dataclass(frozen=True)
class PageFunction:
    """A function that the client has: the method that runs, and the types."""

    method: str
    arguments: TypeAdapter[Any]
    value: Optional[TypeAdapter[Any]] = None


class Catalog(Generic[ComponentT, FunctionsT]):
    """A catalog: the components that a client draws, and the functions that it has."""

    def __init__(
        self,
        id: str,
        components: Optional[TypeAdapter[ComponentT]],
        functions: Mapping[str, PageFunction],
    ) -> None:
        self.id = id
        self.functions = functions
        self._components = components

    def components(self, surface: Any) -> dict[str, dict[str, ComponentT]]:
        """The components in the content of an activity, by surface and by id.

        A later component takes the place of an earlier one with its id. Components of
        other catalogs are left out; one that does not fit raises ``ValidationError``,
        and one without an id ``ValueError``. An operation without a surface's id is
        left out.
        """
        catalogs: dict[Any, Any] = {}
        found: dict[str, dict[str, ComponentT]] = {}
        for message in _messages(surface):
            for name in ("deleteSurface", "createSurface", "updateComponents"):
                operation: Any = message.get(name)
                if not is_object(operation):
                    continue
                surface_id: Any = operation.get("surfaceId")
                if not isinstance(surface_id, str):
                    continue
                if name == "deleteSurface":
                    catalogs.pop(surface_id, None)
                    found.pop(surface_id, None)
                elif name == "createSurface":
                    catalogs[surface_id] = operation.get("catalogId")
                    found.pop(surface_id, None)
                components: Any = operation.get("components")
                if not is_list(components):
                    continue
                drawn = [
                    self._component(component)
                    for component in components
                    if not is_object(component)
                    or component.get("catalogId", catalogs.get(surface_id))
                    in (None, self.id)
                ]
                if drawn:
                    found.setdefault(surface_id, {}).update(drawn)
        return found

    def _component(self, component: Any) -> tuple[str, ComponentT]:
        if self._components is None:
            raise ValueError(f"the catalog {self.id} has no components")
        drawn = read_json(self._components, json.dumps(component))
        id: Any = component.get("id") if is_object(component) else None
        if not isinstance(id, str):
            raise ValueError("a component has no id")
        return id, drawn

    def answer(self, functions: FunctionsT, call: RendererCall) -> dict[str, Any]:
        """Runs a function of the client, and returns the message with the answer.

        The next run forwards the message, as ``{"a2uiAction": message}``. A call that
        does not fit, and a function that raises, are answered with the reason.
        """
        called = call.call_function
        function = self.functions.get(called.call)
        if function is None or called.catalog_id not in (None, self.id):
            return _failed(
                call, "UNKNOWN_FUNCTION", f"This client has no function {called.call}."
            )
        try:
            arguments = read_json(function.arguments, json.dumps(called.args))
        except ValidationError as error:
            places = [
                f"{'.'.join(map(str, found['loc'])) or 'args'}: {found['msg']}"
                for found in error.errors()
            ]
            return _failed(
                call,
                "INVALID_ARGUMENTS",
                f"The arguments of {called.call} do not fit: {'; '.join(places)}",
            )
        try:
            value = getattr(functions, function.method)(arguments)
            if function.value is not None:
                value = json.loads(function.value.dump_json(value, warnings="error"))
        except Exception as error:
            return _failed(call, "EXECUTION_FAILED", str(error))
        return _answered(call, {"value": value})


class AgentFunction(Generic[ArgumentsT, ValueT]):
    """A function that the agent has."""

    def __init__(
        self,
        catalog_id: str,
        name: str,
        arguments: TypeAdapter[ArgumentsT],
        value: Optional[TypeAdapter[ValueT]],
    ) -> None:
        self.catalog_id = catalog_id
        self.name = name
        self._arguments = arguments
        self._value = value

    def call(
        self,
        surface_id: str,
        arguments: ArgumentsT,
        function_call_id: Optional[str] = None,
    ) -> dict[str, Any]:
        """The message that calls the function; the answer has the same id.

        The next run forwards the message, as ``{"a2uiAction": message}``.
        """
        args = json.loads(self._arguments.dump_json(arguments, warnings="error"))
        call = {"call": self.name, "catalogId": self.catalog_id, "args": args}
        return {
            "version": "v1.0",
            "callAgentFunction": {
                "surfaceId": surface_id,
                "functionCallId": function_call_id or str(uuid.uuid4()),
                "callFunction": call,
            },
        }

    def value(self, response: FunctionResponse) -> Optional[ValueT]:
        """The value in the agent's answer; ``None`` for a function without one.

        Raises ``FunctionFailed`` for an error, and ``ValidationError`` for a value that
        does not fit.
        """
        if response.error is not None:
            raise FunctionFailed(response.error)
        if self._value is None:
            return None
        value: ValueT = read_json(self._value, json.dumps(response.value))
        return value


def renderer_calls(surface: Any) -> list[RendererCall]:
    """The agent's calls of functions that the client has, in the content of an activity."""
    adapter = TypeAdapter(RendererCall)
    return [read_json(adapter, text) for text in _members(surface, "callRendererFunction")]


def agent_responses(surface: Any) -> list[FunctionResponse]:
    """The agent's answers to the client's calls, in the content of an activity."""
    adapter = TypeAdapter(FunctionResponse)
    return [read_json(adapter, text) for text in _members(surface, "agentFunctionResponse")]


def _members(surface: Any, name: str) -> Iterator[str]:
    for message in _messages(surface):
        member: Any = message.get(name)
        if message.get("version") == "v1.0" and is_object(member):
            yield json.dumps(member)


def _messages(surface: Any) -> list[dict[str, Any]]:
    """The messages of a surface: of a model, or of JSON."""
    if isinstance(surface, BaseModel):
        surface = surface.model_dump(mode="json", by_alias=True)
    messages: Any = surface.get("a2ui_operations") or []
    return [message for message in messages if is_object(message)]


def _failed(call: RendererCall, code: str, message: str) -> dict[str, Any]:
    return _answered(call, {"error": {"code": code, "message": message}})


def _answered(call: RendererCall, answer: dict[str, Any]) -> dict[str, Any]:
    response = {"functionCallId": call.function_call_id, **answer}
    return {"version": "v1.0", "rendererFunctionResponse": response}
