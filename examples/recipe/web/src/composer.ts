import { byId, create } from "./dom.js";

/** The input of the user: a field, suggestions, and a button that sends or stops. */
export class Composer {
  readonly #form = byId("composer", HTMLFormElement);
  readonly #wish = byId("wish", HTMLTextAreaElement);
  readonly #send = byId("send", HTMLButtonElement);
  readonly #stop = byId("stop", HTMLButtonElement);
  readonly #suggestions = byId("suggestions", HTMLElement);
  readonly #say: (text: string) => void;
  #busy = false;

  constructor(say: (text: string) => void, stop: () => void) {
    this.#say = say;
    this.#stop.addEventListener("click", stop);
    this.#wish.addEventListener("input", () => this.#refresh());
    this.#wish.addEventListener("keydown", (press) => {
      // Enter that ends the composition of a character does not end the sentence.
      if (press.key !== "Enter" || press.shiftKey || press.isComposing) return;
      press.preventDefault();
      this.#form.requestSubmit();
    });
    this.#form.addEventListener("submit", (submit) => {
      submit.preventDefault();
      const text = this.#wish.value.trim();
      if (this.#busy || text === "") return;
      this.#wish.value = "";
      this.#refresh();
      this.#say(text);
    });
  }

  /** While the cook works, the user can write but not send. */
  set busy(busy: boolean) {
    const hadFocus = this.#stop === document.activeElement || this.#send === document.activeElement;
    this.#busy = busy;
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    this.#refresh();
    if (!busy && hadFocus) this.focus();
  }

  set suggestions(texts: readonly string[]) {
    const shown = [...this.#suggestions.children].map((button) => button.textContent);
    if (shown.join("\n") === texts.join("\n")) return;
    const hadFocus = this.#suggestions.contains(document.activeElement);
    const buttons = texts.map((text) => {
      const button = create("button", "suggestion", text);
      button.type = "button";
      button.disabled = this.#busy;
      button.addEventListener("click", () => {
        this.focus();
        this.#say(text);
      });
      return button;
    });
    this.#suggestions.replaceChildren(...buttons);
    if (hadFocus) this.focus();
  }

  focus(): void {
    // On a touch screen the keyboard would cover half of the page.
    if (matchMedia("(pointer: fine)").matches) this.#wish.focus();
  }

  #refresh(): void {
    this.#send.disabled = this.#busy || this.#wish.value.trim() === "";
    for (const button of this.#suggestions.querySelectorAll("button")) button.disabled = this.#busy;
  }
}
