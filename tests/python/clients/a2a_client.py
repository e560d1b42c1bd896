"""The official client of A2A in Python. The job and the report are those of tests/node/a2a/client.mjs."""

import asyncio
import json
import sys

from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    SendMessageRequest,
    SubscribeToTaskRequest,
)
from google.protobuf.json_format import MessageToDict, ParseDict
import httpx


async def main() -> None:
    job = json.load(sys.stdin)
    async with httpx.AsyncClient() as plain:
        card = await A2ACardResolver(plain, job["url"]).get_agent_card()
    known: dict[str, dict[str, str]] = {}

    def client(streaming):
        return ClientFactory(ClientConfig(streaming=streaming, supported_protocol_bindings=[job["binding"]])).create(card)

    streaming, blocking = client(True), client(False)

    def filled(value):
        if isinstance(value, str) and value.startswith("$"):
            name, kind = value[1:].split(".")
            return known[name][kind]
        if isinstance(value, list):
            return [filled(inner) for inner in value]
        if isinstance(value, dict):
            return {name: filled(inner) for name, inner in value.items()}
        return value

    async def items_of(step, stream):
        items, cancelled = [], False
        async for item in stream:
            read = MessageToDict(item)
            items.append(read)
            if "task" in read:
                task = read["task"]
                known.setdefault(step["name"], {"task": task["id"], "context": task["contextId"]})
            if step.get("cancelOn") and not cancelled and step["cancelOn"] in json.dumps(read):
                cancelled = True
                await streaming.cancel_task(CancelTaskRequest(id=known[step["name"]]["task"]))
        return {"items": items}

    async def act(step):
        params = filled(step["params"])
        match step["method"]:
            case "send":
                return await items_of(step, blocking.send_message(ParseDict(params, SendMessageRequest())))
            case "stream":
                return await items_of(step, streaming.send_message(ParseDict(params, SendMessageRequest())))
            case "subscribe":
                return await items_of(step, streaming.subscribe(ParseDict(params, SubscribeToTaskRequest())))
            case "get":
                task = await blocking.get_task(ParseDict(params, GetTaskRequest()))
                return {"items": [{"task": MessageToDict(task)}]}
            case "cancel":
                task = await blocking.cancel_task(ParseDict(params, CancelTaskRequest()))
                return {"items": [{"task": MessageToDict(task)}]}
            case "list":
                found = await blocking.list_tasks(ParseDict(params, ListTasksRequest()))
                return {"items": [MessageToDict(found)]}

    steps = []
    for step in job["steps"]:
        try:
            steps.append(await act(step))
        except Exception as error:  # the report has the class
            steps.append({"thrown": type(error).__name__, "message": str(error)})
    await streaming.close()
    await blocking.close()
    print(json.dumps({"card": MessageToDict(card), "steps": steps}))


asyncio.run(main())
