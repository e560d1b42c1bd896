"""An agent on the official server of A2A in Python; its words are those of tests/node/a2a/server.mjs. It prints its address."""

import asyncio
import socket

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCard, Message, Part, Role, Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict, ParseDict
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
import uvicorn

seen: list[str] = []


class Desk(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        text = context.get_user_input()
        if text == "message":
            said = Message(
                message_id="m-direct",
                role=Role.ROLE_AGENT,
                context_id=context.context_id,
                parts=[Part(text="No task is needed.")],
            )
            await event_queue.enqueue_event(said)
            return
        asked = context.current_task is not None
        if not asked:
            status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
            task = Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        if asked:
            await updater.add_artifact([Part(text=f"You said {text}.")], artifact_id="a-answer", last_chunk=True)
            await updater.complete()
        elif text == "ask":
            await updater.requires_input(updater.new_agent_message([Part(text="Where to?")]))
        elif text == "file":
            read = {"read": [MessageToDict(part) for part in context.message.parts]}
            parts = [
                Part(text="See this."),
                Part(raw=b"hi", media_type="image/png", filename="hi.png"),
                ParseDict({"data": read}, Part()),
            ]
            await updater.add_artifact(parts, artifact_id="a-file", last_chunk=True)
            await updater.complete()
        elif text == "wait":
            await updater.add_artifact([Part(text="waiting")], artifact_id="a-wait")
            await asyncio.sleep(60)
        elif text == "fail":
            await updater.failed(updater.new_agent_message([Part(text="There is no ink.")]))
        else:
            await updater.add_artifact([Part(text="Good ")], artifact_id="a-hello")
            await updater.add_artifact([Part(text="day.")], artifact_id="a-hello", append=True, last_chunk=True)
            await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        seen.append(context.task_id)
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


listener = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{listener.getsockname()[1]}"


def card(path: str, binding: str) -> AgentCard:
    interface = {"url": f"{url}{path}", "protocolBinding": binding, "protocolVersion": "1.0"}
    described = {
        "name": "their desk",
        "description": "Does what its user says.",
        "version": "1",
        "supportedInterfaces": [interface],
        "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain", "image/png", "application/json"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "desk", "name": "desk", "description": "Does it.", "tags": ["desk"]}],
    }
    return ParseDict(described, AgentCard())


tasks = InMemoryTaskStore()


def handler(described: AgentCard) -> DefaultRequestHandler:
    return DefaultRequestHandler(agent_executor=Desk(), task_store=tasks, agent_card=described)


rpc, rest = card("/rpc", "JSONRPC"), card("/rest", "HTTP+JSON")


async def cancelled(_) -> JSONResponse:
    return JSONResponse(len(seen))


routes = [
    Route("/cancelled", cancelled),
    *create_agent_card_routes(rpc),
    *create_jsonrpc_routes(handler(rpc), rpc_url="/rpc"),
    *create_agent_card_routes(rest, card_url="/rest/.well-known/agent-card.json"),
    *create_rest_routes(handler(rest), path_prefix="/rest"),
]
print(url, flush=True)
uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="warning")).run(sockets=[listener])
