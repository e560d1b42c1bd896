import { byId } from "./dom.js";

/** On a narrow screen, one of the two panes at a time; a dot and a line say that the hidden recipe changed. */
export class Panes {
  readonly #changed = byId("changed", HTMLButtonElement);
  readonly #buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-show]")];

  constructor() {
    for (const button of this.#buttons) {
      button.addEventListener("click", () => this.#show(button.dataset["show"] ?? "talk"));
    }
    this.#changed.addEventListener("click", () => this.#show("recipe"));
  }

  recipeChanged(): void {
    if (document.body.dataset["pane"] === "recipe") return;
    this.#changed.hidden = false;
    for (const button of this.#buttons) button.classList.toggle("news", button.dataset["show"] === "recipe");
  }

  #show(pane: string): void {
    document.body.dataset["pane"] = pane;
    for (const button of this.#buttons) {
      const shown = button.dataset["show"] === pane;
      button.setAttribute("aria-pressed", String(shown));
      if (shown) button.classList.remove("news");
    }
    if (pane === "recipe") this.#changed.hidden = true;
  }
}
