import asyncio

from ag_ui.core import RunFinishedEvent, UserMessage
from agui.keeper import ConfirmDeleteInterrupt, KeeperClient
from agui.keeper.types import Approval


class Person:
    async def confirm_delete(self, interrupt: ConfirmDeleteInterrupt) -> Approval:
        path = interrupt.payload.path  # payload: ConfirmDelete
        print(interrupt.contract.message, path, interrupt.payload.backups)
        if path == "draft.txt":
            raise LookupError("the user has left")  # the interrupt is cancelled
        if path == "old.txt":
            return Approval(approved=True, instead="older.txt")
        return Approval(approved=False)


async def main() -> None:
    keeper = KeeperClient("http://127.0.0.1:8000/")
    wish = UserMessage(id="1", role="user", content="old.txt notes.txt draft.txt")
    async for item in keeper.converse(keeper.input([wish]), Person()):
        if isinstance(item, RunFinishedEvent):
            print(item.result)


asyncio.run(main())
