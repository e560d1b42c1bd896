import type { Order } from "../../ts/agui/desk/types.js";

/** The orders that the shop opens with. */
const ORDERS = [7, 8, 9];

/** Suggestions for the next message. */
export function suggestions(order: Order | null): string[] {
  if (order === null) {
    return ["Where is order 7?", "Order 8 is broken. I want my money back.", "Please take order 9 back."];
  }
  const { number, cents, refunded } = order;
  const others = ORDERS.filter((other) => other !== number).map((other) => `Where is order ${other}?`);
  return refunded < cents ? [`I want my money back for order ${number}.`, ...others] : others;
}
