/** The element of the page with this id; the page is ours, so a missing one is a mistake in it. */
export function byId<T extends Element>(id: string, type: new () => T): T {
  return found(document.getElementById(id), `#${id}`, type);
}

/** The element below `root` with this `data-part`. */
export function part<T extends Element>(root: ParentNode, name: string, type: new () => T): T {
  return found(root.querySelector(`[data-part="${name}"]`), `data-part="${name}"`, type);
}

function found<T extends Element>(element: Element | null, where: string, type: new () => T): T {
  if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} ${where}`);
  return element;
}

/** A new element. Everything that the desk or the customer wrote goes in as text, never as HTML. */
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
export function icon(name: "alert" | "parcel" | "refund"): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}
