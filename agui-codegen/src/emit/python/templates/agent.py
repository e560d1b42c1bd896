{{doc}}

from __future__ import annotations

from typing import Any
#+has_types

from pydantic import TypeAdapter
#-has_types

from .._interrupts import InterruptContract #+asks
from .._support import ToolContract #!tools
from .._support import ToolContract, complete_schema #?tools
from . import types #+has_types

AGENT = {{name}}
"""The agent's name on the server."""

VERSION = {{version}}
"""The version of the package that defines the agent."""

MANIFEST_HASH = (
    {{hash}}
)
"""The hash of all JSON that travels; descriptions and order do not change it."""

_DEFINITIONS: dict[str, Any] = {{definitions}}
#+state

STATE: TypeAdapter[types.{{written}}] = TypeAdapter(types.{{written}})
"""The shared state as the agent writes it."""

STATE_INPUT: TypeAdapter[types.{{read}}] = TypeAdapter(types.{{read}})
"""The shared state as the agent reads it."""
#-state

TOOLS: dict[str, ToolContract] = {} #!tools
TOOLS: dict[str, ToolContract] = { #?tools
#+tools
    {{name}}: ToolContract(
        name={{name}},
        description={{description}},
        frontend={{frontend}},
        parameters=TypeAdapter(types.{{parameters}}),
        result=TypeAdapter(types.{{result}}), #?result
        result=None, #!result
        json_schema=complete_schema(
            {{schema}},
            _DEFINITIONS,
        ),
        title={{title}}, #?title
        annotations={ #?hints
            {{hint}}: {{holds}}, #+hints
        }, #?hints
    ),
#-tools
} #?tools
"""The tools, by name."""

EVENTS: dict[str, Any] = {} #!events
EVENTS: dict[str, TypeAdapter[Any]] = { #?events
    {{name}}: TypeAdapter(types.{{type}}), #+events
} #?events
"""The values of the custom events, by name."""
#+asks

INTERRUPTS: dict[str, InterruptContract] = {
#+interrupts
    {{reason}}: InterruptContract(
        reason={{reason}},
        message={{message}},
        payload=TypeAdapter(types.{{payload}}),
        response=TypeAdapter(types.{{response}}),
    ),
#-interrupts
}
"""The interrupts that stop a run, by reason."""
#-asks
#+shows

ACTIVITIES: dict[str, TypeAdapter[Any]] = {
    {{name}}: TypeAdapter(types.{{type}}), #+activities
}
"""The contents of the activities, by type."""
#-shows
#?result

RESULT: TypeAdapter[types.{{result}}] = TypeAdapter(types.{{result}})
"""The result of a run."""
#-result
#?forwarded

FORWARDED_PROPS: TypeAdapter[types.{{forwarded}}] = TypeAdapter(types.{{forwarded}})
"""The props that a run may forward to the agent."""
#-forwarded
