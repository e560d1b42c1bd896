"""A server of MCP on the newest official SDK, over standard input and output.

Its tool `learn` reports progress, and adds the tool `juggle`; `forget` removes that tool. It has a resource template and a prompt.
"""

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("changing")


def juggle() -> str:
    """Juggles."""
    return "o o o"


async def tell(context: Context) -> None:
    """Tells clients of both generations that the list has changed."""
    await context.notify_tools_changed()
    await context.session.send_tool_list_changed()


@server.tool()
async def learn(context: Context) -> str:
    """Learns to juggle."""
    await context.report_progress(1, 2, "one ball")
    server.add_tool(juggle)
    await tell(context)
    return "learned"


@server.tool()
async def forget(context: Context) -> str:
    """Forgets juggling."""
    server.remove_tool("juggle")
    await tell(context)
    return "forgotten"


@server.resource("ball://{number}")
def ball(number: str) -> str:
    """A ball."""
    return f"ball {number}"


@server.prompt()
def cheer() -> str:
    """Cheers."""
    return "Cheer!"


server.run("stdio")
