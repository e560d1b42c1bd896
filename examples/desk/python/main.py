import asyncio

from ag_ui.core import UserMessage
from agui.desk import DeskClient, StateChanged, ToolCallInterrupt
from agui.desk.types import ToolCallResponse


class Person:
    async def tool_call(self, interrupt: ToolCallInterrupt) -> ToolCallResponse:
        call = interrupt.payload.arguments  # call: RefundArguments
        print(f"{interrupt.payload.tool} {call.cents} cents of order {call.number}?")
        return ToolCallResponse(approved=call.cents < 10_000)


async def main() -> None:
    desk = DeskClient("http://127.0.0.1:8000/")
    wish = UserMessage(id="1", role="user", content="Order 8 is broken. I want my money back.")
    async for item in desk.converse(desk.input([wish]), Person()):
        if isinstance(item, StateChanged) and item.state.order:
            print(item.state.order.item, item.state.order.refunded)


asyncio.run(main())
