"""A server of MCP: `mcp_server.py sdk|fastmcp stdio|http|sse [port]`.

`sdk` is the official SDK of the environment, older or newer, and `fastmcp` the package of this name. Over HTTP it prints its address.
"""

import socket
import sys

import uvicorn


def new_server(kind: str):
    if kind == "fastmcp":
        from fastmcp import FastMCP

        return FastMCP("python")
    try:
        from mcp.server.mcpserver import MCPServer
    except ModuleNotFoundError:
        from mcp.server.fastmcp import FastMCP

        return FastMCP("python")
    return MCPServer("python")


kind, transport = sys.argv[1:3]
server = new_server(kind)
calls = 0


@server.tool()
def price(name: str) -> int:
    """Looks up what an ingredient costs, in cents."""
    return len(name) * 10


@server.tool()
def shelf() -> list[str]:
    """Lists what is there."""
    return ["rice", "salt"]


@server.tool()
def stock() -> dict[str, int]:
    """Counts what is there."""
    return {"rice": 7, "salt": 2}


@server.tool()
def greet(name: str) -> str:
    """Says hello."""
    return f"Hello, {name}!"


@server.tool()
def count() -> int:
    """Counts the calls of this tool."""
    global calls
    calls += 1
    return calls


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("sold out")


if transport == "stdio":
    server.run("stdio")
else:
    if transport == "sse":
        app = server.sse_app()
    elif kind == "fastmcp":
        app = server.http_app()
    else:
        app = server.streamable_http_app()
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[3]) if len(sys.argv) > 3 else 0))
    listener.listen()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
