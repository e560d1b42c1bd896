"""Says something to the agent, and asks you its questions: `python main.py "Buy rice"`."""

import asyncio
import sys

from ag_ui.core import TextMessageContentEvent, UserMessage
from agui.assistant import AssistantClient, StateChanged, ToolCallInterrupt
from agui.assistant.types import ToolCallResponse

URL = "http://127.0.0.1:8000/" #+root
URL = "http://127.0.0.1:8000/assistant" #+copilotkit


class Person:
    async def tool_call(self, interrupt: ToolCallInterrupt) -> ToolCallResponse:
        task = interrupt.payload.arguments.task  # task: str
        return ToolCallResponse(approved=input(f"Remove {task}? [y/n] ") == "y")


async def main(text: str) -> None:
    assistant = AssistantClient(URL)
    start = assistant.input([UserMessage(id="1", role="user", content=text)])
    async for item in assistant.converse(start, Person()):
        if isinstance(item, StateChanged):
            print("tasks:", ", ".join(item.state.open))  # open: list[str]
        elif isinstance(item, TextMessageContentEvent):
            print(item.delta, end="", flush=True)
    print()


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "Buy rice"))
