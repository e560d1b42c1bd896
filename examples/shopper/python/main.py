import asyncio

from ag_ui.core import UserMessage
from agui.shopper import ShopperClient, StateChanged
from agui.shopper.types import CheckoutArguments


class Tools:
    async def checkout(self, args: CheckoutArguments) -> bool:
        return args.total < 1000


async def main() -> None:
    shopper = ShopperClient("http://127.0.0.1:8000/")
    wish = shopper.input([UserMessage(id="1", role="user", content="rice")])
    async for item in shopper.converse(wish, Tools()):
        if isinstance(item, StateChanged):
            print(item.state.items, item.state.total)  # item.state: List


asyncio.run(main())
