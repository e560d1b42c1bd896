/** The element of the page with this id; the page is ours, so a missing one is a mistake in it. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} #${id}`);
  return found;
}

/** A new element. Everything the cook or the person wrote goes in as text, never as HTML. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** One of the drawings in index.html. */
export function icon(name: "alert" | "basket" | "cross" | "done" | "pot" | "tag"): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Plays a CSS animation that a class holds, from its beginning. */
export function play(element: HTMLElement, className: string): void {
  element.classList.remove(className);
  void element.offsetWidth; // without a layout in between, the browser sees no change
  element.classList.add(className);
  element.addEventListener("animationend", function ended({ target }) {
    if (target !== element) return; // the animation of a child element
    element.classList.remove(className);
    element.removeEventListener("animationend", ended);
  });
}
