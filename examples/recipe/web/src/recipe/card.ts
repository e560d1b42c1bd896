import type { Diet, Order, Recipe } from "../agui/cook/types.js";
import { byId, create, play } from "../dom.js";
import { money } from "../format.js";
import { forServings, MOST_SERVINGS, readServings, total } from "./edit.js";
import { Ingredients } from "./ingredients.js";

const DIETS: { readonly [D in Diet]: string } = {
  everything: "for everyone",
  vegetarian: "vegetarian",
  vegan: "vegan",
};

/** The recipe on paper. The cook changes it by shared state, the person by hand; both see the same. */
export class RecipeCard {
  readonly #empty = byId("empty", HTMLElement);
  readonly #card = byId("card", HTMLElement);
  readonly #title = byId("title", HTMLInputElement);
  readonly #servings = byId("servings", HTMLInputElement);
  readonly #fewer = byId("fewer", HTMLButtonElement);
  readonly #more = byId("more", HTMLButtonElement);
  readonly #diet = byId("diet", HTMLElement);
  readonly #order = byId("order", HTMLElement);
  readonly #total = byId("total", HTMLElement);
  readonly #sum = byId("sum", HTMLOutputElement);
  readonly #method = byId("method", HTMLElement);
  readonly #steps = byId("steps", HTMLOListElement);
  readonly #edited = byId("edited", HTMLElement);
  readonly #ingredients = new Ingredients();
  readonly #change: (recipe: Recipe) => void;
  #shown: Recipe | undefined;

  /** `change` receives the recipe with the user's changes. */
  constructor(change: (recipe: Recipe) => void) {
    this.#change = change;
    this.#title.addEventListener("change", () => this.#retitle());
    this.#title.addEventListener("keydown", (press) => {
      if (press.key === "Enter") this.#title.blur();
    });
    this.#servings.addEventListener("change", () => this.#serve(readServings(this.#servings.value)));
    this.#fewer.addEventListener("click", () => this.#serve((this.#shown?.servings ?? 1) - 1));
    this.#more.addEventListener("click", () => this.#serve((this.#shown?.servings ?? 1) + 1));
  }

  show(recipe: Recipe): void {
    const before = this.#shown;
    this.#shown = recipe;
    const empty = recipe.title === "" && recipe.ingredients.length === 0;
    this.#empty.hidden = !empty;
    this.#card.hidden = empty;

    if (this.#title.value !== recipe.title) {
      this.#title.value = recipe.title;
      play(this.#title, "changed");
    }
    if (this.#servings.value !== String(recipe.servings)) {
      this.#servings.value = String(recipe.servings);
      if (before !== undefined) play(this.#servings, "changed");
    }
    if (this.#diet.dataset["diet"] !== recipe.diet) {
      this.#diet.dataset["diet"] = recipe.diet;
      this.#diet.textContent = DIETS[recipe.diet];
      if (before !== undefined) play(this.#diet, "changed");
    }
    this.#ingredients.show(recipe.ingredients);
    this.#showTotal(recipe);
    this.#showSteps(recipe.steps);
    this.#showOrder(recipe.order ?? undefined);
    this.#limit();
  }

  sizzle(ingredient: string): void {
    this.#ingredients.sizzle(ingredient);
  }

  /** While the cook writes, the user cannot: the cook would not see the change. */
  set busy(busy: boolean) {
    this.#card.toggleAttribute("data-busy", busy);
    this.#title.readOnly = busy;
    this.#servings.readOnly = busy;
    if (busy) this.#edited.hidden = true;
    this.#limit();
  }

  #showTotal(recipe: Recipe): void {
    const sum = total(recipe);
    this.#total.hidden = sum === 0;
    if (this.#sum.textContent === money(sum)) return;
    this.#sum.textContent = money(sum);
    play(this.#sum, "changed");
  }

  #showSteps(steps: readonly string[]): void {
    this.#method.hidden = steps.length === 0;
    const lines = this.#steps.children;
    while (lines.length > steps.length) lines[lines.length - 1]?.remove();
    steps.forEach((step, index) => {
      const line = lines[index];
      if (line === undefined) {
        const added = create("li", "", step);
        this.#steps.append(added);
        play(added, "arriving");
      } else if (line.textContent !== step) {
        line.textContent = step;
      }
    });
  }

  #showOrder(order: Order | undefined): void {
    const text = order === undefined ? "" : orderText(order);
    this.#order.hidden = order === undefined;
    this.#order.dataset["status"] = order?.status ?? "";
    if (this.#order.textContent === text) return;
    this.#order.textContent = text;
    play(this.#order, "stamped");
  }

  #limit(): void {
    const busy = this.#servings.readOnly;
    const servings = this.#shown?.servings ?? 1;
    this.#fewer.disabled = busy || servings <= 1;
    this.#more.disabled = busy || servings >= MOST_SERVINGS;
  }

  #serve(servings: number | undefined): void {
    if (this.#shown === undefined) return;
    if (servings === undefined || servings === this.#shown.servings) {
      this.#servings.value = String(this.#shown.servings);
      return;
    }
    this.#edit(forServings(this.#shown, servings));
  }

  #retitle(): void {
    const title = this.#title.value.trim();
    if (this.#shown === undefined || title === "") this.#title.value = this.#shown?.title ?? "";
    else if (title !== this.#shown.title) this.#edit({ ...this.#shown, title });
  }

  #edit(recipe: Recipe): void {
    this.#edited.hidden = false;
    this.#change(recipe);
  }
}

function orderText(order: Order): string {
  switch (order.status) {
    case "proposed":
      return `to confirm: ${money(order.total)}`;
    case "placed":
      return `ordered, no. ${order.number}`;
    case "declined":
      return "not ordered";
  }
}
