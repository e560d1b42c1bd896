import type { Ingredient } from "../agui/cook/types.js";
import { byId, create, play } from "../dom.js";
import { money, quantity } from "../format.js";

/** The list of ingredients. Lines are kept by name, so that changes are animated. */
export class Ingredients {
  readonly #list = byId("ingredients", HTMLUListElement);
  readonly #lines = new Map<string, Line>();
  readonly #hot = new Set<string>();

  show(ingredients: readonly Ingredient[]): void {
    const names = new Set(ingredients.map(({ name }) => name));
    const gone = [...this.#lines].filter(([name]) => !names.has(name));
    // A single line fades out; another dish replaces the list at once.
    const another = gone.length === this.#lines.size;
    for (const [name, line] of gone) {
      this.#lines.delete(name);
      if (another) line.element.remove();
      else line.leave();
    }
    let before: Element | null = this.#list.firstElementChild;
    for (const ingredient of ingredients) {
      while (before?.classList.contains("leaving")) before = before.nextElementSibling;
      const known = this.#lines.get(ingredient.name);
      const line = known ?? new Line(ingredient.name);
      if (line.element !== before) this.#list.insertBefore(line.element, before);
      before = line.element.nextElementSibling;
      line.show(ingredient);
      if (known === undefined) {
        this.#lines.set(ingredient.name, line);
        line.arrive();
        if (this.#hot.delete(ingredient.name)) line.sizzle();
      }
    }
  }

  /** It is in the pan; its line may only come with the next change of the recipe. */
  sizzle(name: string): void {
    const line = this.#lines.get(name);
    if (line === undefined) this.#hot.add(name);
    else line.sizzle();
  }
}

class Line {
  readonly element: HTMLLIElement;
  readonly #amount = create("span", "amount");
  readonly #price = create("span", "price");
  #drawn = false;

  constructor(name: string) {
    this.element = create("li", "", this.#amount, create("span", "name", name), this.#price);
    this.element.dataset["name"] = name;
  }

  show({ amount, unit, price }: Ingredient): void {
    this.#write(this.#amount, quantity(amount, unit));
    this.#write(this.#price, price == null ? "" : money(price));
    this.#drawn = true;
  }

  #write(part: HTMLElement, text: string): void {
    if (part.textContent === text) return;
    part.textContent = text;
    if (this.#drawn && text !== "") play(part, "changed");
  }

  arrive(): void {
    play(this.element, "arriving");
  }

  sizzle(): void {
    play(this.element, "sizzling");
  }

  /** Fades away. Without animations there is nothing to wait for. */
  leave(): void {
    this.element.classList.add("leaving");
    const fading = this.element.getAnimations();
    if (fading.length === 0) this.element.remove();
    else this.element.addEventListener("animationend", () => this.element.remove());
  }
}
