import { ShopperAgent } from "./agui/shopper/client.js";

const shopper = new ShopperAgent({ url: "http://127.0.0.1:8000/" });
shopper.on({
  state: (list) => console.log(list.items, list.total), // list: List
  toolCalls: { price: ({ name }) => console.log("looking up", name) },
});
const tools = shopper.registerFrontendTools({
  checkout: ({ total }) => total < 1000, // leave it out, or return a string: a compile error
});

shopper.addMessage({ id: "1", role: "user", content: "rice" });
await tools.run();
