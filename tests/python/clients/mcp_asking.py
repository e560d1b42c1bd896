"""A server of MCP on the newest official SDK, over standard input and output. Its tool `book` asks the user for a name.

A client of 2026-07-28 gets the question as a result, an older client in the middle of the call.
"""

from typing import Annotated

from mcp.server.mcpserver import Elicit, MCPServer, Resolve
from pydantic import BaseModel, Field

server = MCPServer("asking")


class Guest(BaseModel):
    """The guest of a table."""

    name: str = Field(min_length=2)


def ask() -> Elicit[Guest]:
    """Asks for the guest."""
    return Elicit("For whom?", Guest)


@server.tool()
def book(persons: int, guest: Annotated[Guest, Resolve(ask)]) -> str:
    """Books a table."""
    return f"{persons} for {guest.name}"


server.run("stdio")
