{{doc}}

from __future__ import annotations
#?maps

from typing import TypedDict

from . import types
#-maps

AGENT = {{name}}
"""The agent's name on the server."""

VERSION = {{version}}
"""The version of the package that defines the agent."""

MANIFEST_HASH = (
    {{hash}}
)
"""The hash of all JSON that travels; descriptions and order do not change it."""
#+maps

{{name}} = TypedDict(
    "{{name}}",
    {
        {{key}}: "types.{{type}}", #+entries
    },
    total=False,
)
"""{{doc}}"""
#-maps
