import { byId, create } from "./dom.js";
import type { Status } from "./session.js";

/** The input of the customer: a field, suggestions, and a button that sends or stops. */
export class Composer {
  readonly #form = byId("composer", HTMLFormElement);
  readonly #text = byId("text", HTMLTextAreaElement);
  readonly #send = byId("send", HTMLButtonElement);
  readonly #stop = byId("stop", HTMLButtonElement);
  readonly #suggestions = byId("suggestions", HTMLElement);
  readonly #say: (text: string) => void;
  readonly #isStored: boolean;
  #status: Status = "ready";

  constructor(say: (text: string) => void, stop: () => void, isStored: boolean) {
    this.#say = say;
    this.#isStored = isStored;
    this.#stop.addEventListener("click", stop);
    this.#text.addEventListener("input", () => this.#refresh());
    this.#text.addEventListener("keydown", (press) => {
      // Enter that ends the composition of a character does not end the sentence.
      if (press.key !== "Enter" || press.shiftKey || press.isComposing) return;
      press.preventDefault();
      this.#form.requestSubmit();
    });
    this.#form.addEventListener("submit", (submit) => {
      submit.preventDefault();
      const text = this.#text.value.trim();
      if (!this.#maySend || text === "") return;
      this.#text.value = "";
      this.#refresh();
      this.#say(text);
    });
  }

  /** While the desk asks, the customer can write but not send; nor while it works, unless the server stores conversations. */
  get #maySend(): boolean {
    return this.#status === "ready" || (this.#status === "working" && this.#isStored);
  }

  set status(status: Status) {
    this.#status = status;
    this.#stop.hidden = status !== "working";
    this.#text.placeholder = status === "waiting" ? "Answer the question first" : "Write to the desk";
    this.#refresh();
    // A control that disappeared had the keyboard.
    if (status === "ready" && document.activeElement === document.body) this.focus();
  }

  set suggestions(texts: readonly string[]) {
    const buttons = texts.map((text) => {
      const button = create("button", "suggestion", text);
      button.type = "button";
      button.addEventListener("click", () => this.#say(text));
      return button;
    });
    this.#suggestions.replaceChildren(...buttons);
    this.#refresh();
  }

  focus(): void {
    // On a touch screen the keyboard would cover half of the page.
    if (matchMedia("(pointer: fine)").matches) this.#text.focus();
  }

  #refresh(): void {
    const isEmpty = this.#text.value.trim() === "";
    this.#send.disabled = !this.#maySend || isEmpty;
    this.#send.hidden = this.#status === "working" && (!this.#isStored || isEmpty);
    for (const button of this.#suggestions.querySelectorAll("button")) button.disabled = this.#status !== "ready";
  }
}
