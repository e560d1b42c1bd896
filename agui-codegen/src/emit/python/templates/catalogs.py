"""The catalogs of A2UI whose surfaces the agent shows."""

from __future__ import annotations
{{imports}}
#+types


{{.}}
#-types
#+catalogs
#?has_functions


class {{protocol}}(Protocol):
    """The functions of the catalog that the client has."""
#+functions

    {{head}}
        {{doc}}
        ... #?doc
#-functions

#-has_functions

{{constant}}: Catalog[{{component}}, {{protocol}}] = Catalog(
    {{id}},
    {{adapter}},
    {}, #!has_functions
#?has_functions
    {
#+functions
        {{key}}: PageFunction(
            {{method}},
            TypeAdapter({{arguments}}),
            TypeAdapter({{value}}), #?value
        ),
#-functions
    },
#-has_functions
)
{{doc}}
#+agent_functions

{{constant}}: AgentFunction[{{arguments}}, {{returned}}] = AgentFunction(
    {{id}},
    {{key}},
    TypeAdapter({{arguments}}),
    TypeAdapter({{value}}), #?value
    None, #!value
)
{{doc}}
#-agent_functions
#-catalogs
#?names


__all__ = [
    {{.}}, #+names
]
#-names
