"""The types of the agent."""

from __future__ import annotations
{{imports}}
#+types


{{.}}
#-types
#?names


__all__ = [
    {{.}}, #+names
]
#-names
#!names

__all__: list[str] = []
#-names
