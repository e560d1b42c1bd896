import { DeskAgent } from "./agui/desk/client.js";

const desk = new DeskAgent({ url: "http://127.0.0.1:8000/" });
desk.on({ state: ({ order }) => order && console.log(order.item, order.refunded) }); // order: Order

desk.addMessage({ id: "1", role: "user", content: "Order 8 is broken. I want my money back." });
await desk.runAgent();

for (const asked of desk.interrupts) {
  const { tool, arguments: call } = asked.payload; // call: RefundArguments
  console.log(`${tool} ${call.cents} cents of order ${call.number}?`);
  desk.resolve(asked, { approved: call.cents < 10_000 }); // { approved: "yes" } is a compile error
}
await desk.runAgent({ resume: desk.answers() });
