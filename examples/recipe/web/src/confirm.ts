import type { ToolArgs } from "./agui/cook/agent.js";
import type { Confirmation, Recipe } from "./agui/cook/types.js";
import { byId, create } from "./dom.js";
import { money, quantity } from "./format.js";

/** Asks the person about an order: the page's side of the tool `confirm_order`. */
export class ConfirmDialog {
  readonly #dialog = byId("confirm", HTMLDialogElement);
  readonly #items = byId("confirm-items", HTMLUListElement);
  readonly #total = byId("confirm-total", HTMLOutputElement);
  readonly #note = byId("confirm-note", HTMLTextAreaElement);

  /** Settles when the dialog closes; closing it any other way than by its button is a no. */
  ask({ total, items }: ToolArgs["confirm_order"], recipe: Recipe | undefined): Promise<Confirmation> {
    this.#total.textContent = money(total);
    this.#items.replaceChildren(...items.map((name) => item(name, recipe)));
    this.#note.value = "";
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    return new Promise((settle) => {
      this.#dialog.addEventListener("close", () => settle(this.#answer()), { once: true });
    });
  }

  #answer(): Confirmation {
    const approved = this.#dialog.returnValue === "confirm";
    const note = this.#note.value.trim();
    return note === "" || !approved ? { approved } : { approved, note };
  }
}

function item(name: string, recipe: Recipe | undefined): HTMLElement {
  const found = recipe?.ingredients.find((ingredient) => ingredient.name === name);
  const line = create("li", "", create("span", "", name));
  if (found !== undefined) {
    line.prepend(create("span", "amount", quantity(found.amount, found.unit)));
    line.append(create("span", "price", found.price == null ? "" : money(found.price)));
  }
  return line;
}
