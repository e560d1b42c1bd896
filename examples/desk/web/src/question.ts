import type { RefundArguments, ToolCallPayload, ToolCallResponse } from "../../ts/agui/desk/types.js";
import { byId, part } from "./dom.js";
import { cents, decimal, money } from "./money.js";

/** The question about a refund: the customer can change the amount, approve it, or refuse it with a reason. */
export class Question {
  readonly element: HTMLFormElement;
  readonly answer: Promise<ToolCallResponse>;
  readonly #call: RefundArguments;
  readonly #left: number | undefined;
  readonly #amount: HTMLInputElement;
  readonly #reason: HTMLInputElement;
  readonly #submit: HTMLButtonElement;
  #refusing = false;

  /** `item` and `left` are the name of the thing, and the part of its price that was not paid back, if they are known. */
  constructor({ arguments: call }: ToolCallPayload, item: string | undefined, left: number | undefined) {
    const parts = byId("question", HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
    this.element = parts.querySelector("form") as HTMLFormElement;
    this.#call = call;
    this.#left = left;
    this.#amount = part(parts, "amount", HTMLInputElement);
    this.#reason = part(parts, "reason", HTMLInputElement);
    this.#submit = part(parts, "submit", HTMLButtonElement);

    const heading = item === undefined ? `Refund order ${call.number}?` : `Refund the ${item}?`;
    part(parts, "heading", HTMLElement).textContent = heading;
    this.element.setAttribute("aria-label", heading);
    this.#amount.value = decimal(call.cents);
    this.#amount.addEventListener("input", () => this.#refresh());
    part(parts, "other", HTMLButtonElement).addEventListener("click", () => this.#turn());
    this.answer = new Promise((settle) => {
      this.element.addEventListener("submit", (submit) => {
        submit.preventDefault();
        const response = this.#response();
        if (response !== undefined) settle(response);
      });
    });
    this.#refresh();
  }

  /** Turns from approving to refusing, and back. */
  #turn(): void {
    this.#refusing = !this.#refusing;
    this.#refresh();
    (this.#refusing ? this.#reason : this.#amount).focus();
  }

  #refresh(): void {
    const wanted = this.#wanted();
    this.element.classList.toggle("is-refusing", this.#refusing);
    part(this.element, "approving", HTMLElement).hidden = this.#refusing;
    part(this.element, "refusing", HTMLElement).hidden = !this.#refusing;
    part(this.element, "other", HTMLButtonElement).textContent = this.#refusing ? "Back" : "Refuse";
    const approve = wanted === undefined ? "Approve" : `Approve ${money(wanted)}`;
    this.#submit.textContent = this.#refusing ? "Refuse the refund" : approve;
    this.#submit.disabled = !this.#refusing && wanted === undefined;
    this.#amount.setAttribute("aria-invalid", String(wanted === undefined));
    part(this.element, "hint", HTMLElement).textContent = this.#hint(wanted);
  }

  #hint(wanted: number | undefined): string {
    const most = this.#left === undefined ? "" : ` up to ${money(this.#left)}`;
    if (wanted === undefined) return `Write an amount${most}, such as ${decimal(this.#call.cents)}.`;
    return wanted === this.#call.cents ? `You can change it${most}.` : `The desk proposed ${money(this.#call.cents)}.`;
  }

  /** The amount in the field, if it can be paid back. */
  #wanted(): number | undefined {
    const wanted = cents(this.#amount.value);
    const fits = wanted !== undefined && wanted > 0 && wanted <= (this.#left ?? Infinity);
    return fits ? wanted : undefined;
  }

  #response(): ToolCallResponse | undefined {
    if (this.#refusing) {
      const reason = this.#reason.value.trim();
      return reason === "" ? { approved: false } : { approved: false, reason };
    }
    const wanted = this.#wanted();
    if (wanted === undefined) return undefined;
    return wanted === this.#call.cents
      ? { approved: true }
      : { approved: true, editedArgs: { ...this.#call, cents: wanted } };
  }
}
