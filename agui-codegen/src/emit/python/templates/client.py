"""The client of the agent `{{agent}}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass #+has_classes
from typing import {{typing}}

from ag_ui.core import Context, Message, ResumeEntry, RunAgentInput #+asks
from ag_ui.core import Context, Message, RunAgentInput #!asks

from .._interrupts import InterruptClient, TypedInterrupt #+asks
from .._reconnect import {{reconnect}}
from .._resume import {{errors}} #+asks
from .._support import {{support}}
from . import agent, types #+has_types
from . import agent #!has_types
#+state


@dataclass(frozen=True)
class StateChanged:
    """The shared state has changed."""

    state: types.{{written}}
#-state
#+events


@dataclass(frozen=True)
class {{item}}:
    {{doc}}

    value: types.{{value}}
#-events
#+activities


@dataclass(frozen=True)
class {{item}}:
    {{doc}}

    id: str
    content: types.{{content}}
#-activities
#+result


@dataclass(frozen=True)
class Finished:
    """The run has finished with this result."""

    result: types.{{result}}
#-result
#+tools


@dataclass(frozen=True)
class {{call}}:
    """A call of the tool `{{shown}}`."""

    id: str
    args: types.{{args}}
#+result_item


@dataclass(frozen=True)
class {{result_item}}:
    """An answer of the tool `{{shown}}`."""

    id: str
    result: {{result_type}}
#-result_item
#-tools
#+streamed


@dataclass(frozen=True)
class {{item}}:
    """An item of the result of the tool `{{shown}}`, before the result."""

    id: str
    item: types.{{value}}
#-streamed
#+interrupts


{{head}}
    {{doc}}

    contract = agent.INTERRUPTS[{{reason}}]
#-interrupts


{{base}}Item = Union[
    {{.}}, #+items
]
"""An item of a run, besides its events."""
#+has_hands


class {{base}}Tools(Protocol):
    """The tools that run here. If one raises, its answer is an error.""" #!asks
#+asks
    """The tools that run here and the interrupts answered here.

    If a tool raises, its answer is an error; if the
    method of an interrupt raises, the interrupt is cancelled.
    """
#-asks
#+methods

    {{head}}
        {{doc}}
        ... #?doc
#-methods
#-has_hands


class {{base}}Client({{kind}}[{{base}}Item, {{handlers}}]):
    {{doc}}

    contract = Contract(
        manifest=agent.MANIFEST_HASH,
        state=agent.STATE, #?state
        state_input=agent.STATE_INPUT, #?state
        state_item=StateChanged, #?state
        state=None, #!state
        state_input=None, #!state
        state_item=None, #!state
        result=agent.RESULT, #?result
        result_item=Finished, #?result
        forwarded_props=agent.FORWARDED_PROPS, #?forwarded
        activities={ #?activities
            {{name}}: (agent.ACTIVITIES[{{name}}], {{item}}), #+activities
        }, #?activities
        events={}, #!events
        events={ #?events
            {{name}}: (agent.EVENTS[{{name}}], {{item}}), #+events
        }, #?events
        tools={}, #!tools
        tools={ #?tools
            {{name}}: ToolItems({{contract}}), #+tools
        }, #?tools
    )
    interrupts = { #+asks
        {{reason}}: ({{item}}, {{method}}), #+interrupts
    } #+asks

    def input(
        self,
        messages: Sequence[Message],
        *,
        state: Optional[types.{{read}}] = None, #+state
        thread_id: Optional[str] = None,
        run_id: Optional[str] = None,
        context: Sequence[Context] = (),
        forwarded_props: Optional[types.{{forwarded}}] = None, #?forwarded
        forwarded_props: Any = None, #!forwarded
        resume: Sequence[ResumeEntry] = (), #+asks
    ) -> RunAgentInput:
        """The input of a run; missing ids are generated."""
        return self._input(
            messages,
            state, #?state
            None, #!state
            thread_id=thread_id,
            run_id=run_id,
            context=context,
            forwarded_props=forwarded_props,
        ).model_copy(update={"resume": list(resume) or None}) #+asks
        ) #!asks


__all__ = [
    {{.}}, #+exported
]
