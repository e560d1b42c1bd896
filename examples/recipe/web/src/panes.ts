/** On a narrow screen, one of the two panes at a time; a dot says that the hidden recipe changed. */
export class Panes {
  readonly #buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-show]")];

  constructor() {
    for (const button of this.#buttons) {
      button.addEventListener("click", () => this.#show(button.dataset["show"] ?? "talk"));
    }
  }

  recipeChanged(): void {
    if (document.body.dataset["pane"] === "recipe") return;
    for (const button of this.#buttons) button.classList.toggle("news", button.dataset["show"] === "recipe");
  }

  #show(pane: string): void {
    document.body.dataset["pane"] = pane;
    for (const button of this.#buttons) {
      const shown = button.dataset["show"] === pane;
      button.setAttribute("aria-pressed", String(shown));
      if (shown) button.classList.remove("news");
    }
  }
}
