// Elements, made from names, properties and children. Text of others is only ever text, without hidden characters:
// nothing here reads HTML.
import { visible } from "./visible.js";

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element: `h("button.small", { onclick }, "Run")`. A property that is no member becomes an attribute. */
export function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return fill(element, rest);
}

/** Makes an element of a drawing, with attributes only. */
export function s(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function fill(element, rest) {
  for (const part of rest.flat()) {
    if (part === null || part === undefined || part === false) continue;
    if (typeof part === "object" && !(part instanceof Node)) setAll(element, part);
    else element.append(part instanceof Node ? part : visible(String(part)));
  }
  return element;
}

/** Properties that browsers show or say as text. */
const SHOWN = new Set(["title", "placeholder", "alt", "aria-label"]);

function setAll(element, properties) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "string" && SHOWN.has(key)) element.setAttribute(key, visible(value));
    else if (key in element && !key.startsWith("aria")) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
}

export const byId = (id) => document.getElementById(id);

/** Sets the text only where it differs, so that selections of the user stay. */
export function setText(element, text) {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/** Replaces the children only where they differ. */
export function setChildren(element, children) {
  const wanted = children.filter(Boolean);
  const same = wanted.length === element.childNodes.length && wanted.every((child, i) => child === element.childNodes[i]);
  if (!same) element.replaceChildren(...wanted);
}

/** Says something for a few seconds. */
export function say(text, isBad = false) {
  const notice = byId("notice");
  notice.textContent = visible(text);
  notice.className = isBad ? "shown bad" : "shown";
  clearTimeout(say.clock);
  say.clock = setTimeout(hush, isBad ? 8000 : 3500);
}

/** Takes back what was said. */
export function hush() {
  byId("notice").className = "";
}

/** Milliseconds, as short as they stay readable. */
export function duration(ms) {
  if (ms === null || ms === undefined) return "";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
