import type { Order } from "../../ts/agui/desk/types.js";
import { byId } from "./dom.js";
import { money } from "./money.js";

/** The order that the conversation is about: the state that the desk shares with the page. */
export class Receipt {
  readonly #receipt = byId("receipt", HTMLElement);
  readonly #stamp = byId("stamp", HTMLElement);

  show(order: Order | null): void {
    byId("empty", HTMLElement).hidden = order !== null;
    this.#receipt.hidden = order === null;
    if (order === null) return;
    const { number, item, cents, refunded } = order;
    this.#write("number", String(number));
    this.#write("item", item);
    this.#write("price", money(cents));
    this.#write("refunded", refunded === 0 ? money(0) : `−${money(refunded)}`);
    this.#write("total", money(cents - refunded));
    this.#receipt.dataset["refunded"] = refunded === 0 ? "nothing" : refunded < cents ? "part" : "all";
    this.#stamp.hidden = refunded === 0;
    this.#stamp.textContent = refunded < cents ? "Partly refunded" : "Refunded";
  }

  /** Writes a value, and marks it for a moment if it replaces another one. */
  #write(id: string, text: string): void {
    const place = byId(id, HTMLElement);
    const before = place.textContent;
    if (before === text) return;
    place.textContent = text;
    if (before === "") return;
    place.classList.remove("changed");
    void place.offsetWidth; // without a layout in between, the browser does not start the animation again
    place.classList.add("changed");
  }
}
