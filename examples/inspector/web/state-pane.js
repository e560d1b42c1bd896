// The shared state at the time that is shown, what the last change did to it, and a slider through its versions.
import { byId, h, setChildren, setText } from "./dom.js";
import { tree } from "./json-tree.js";
import { differences } from "./patch.js";
import { show, store, view } from "./store.js";

const SHOWN = 200;
const slider = byId("state-slider");
const open = new Map();
let drawn = "";

slider.addEventListener("input", () => go(Number(slider.value)));
byId("state-back").addEventListener("click", () => step(-1));
byId("state-on").addEventListener("click", () => step(1));

function go(index) {
  const version = store.states.versions[index];
  if (version) show(Math.max(0, version.n));
}

/** Goes to the change before or after. */
export function step(by) {
  const { versions } = store.states;
  const index = store.states.indexAt(store.at);
  const isAt = versions[index]?.n === store.at;
  go(Math.max(0, Math.min(versions.length - 1, by < 0 && !isAt ? index : index + by)));
}

view(({ states, at, events }) => {
  if (byId("pane-state").hidden) return;
  const { versions } = states;
  const index = Math.min(states.indexAt(at), versions.length - 1);
  const key = `${index}/${versions.length}/${events.length > 0}`;
  if (key === drawn) return;
  drawn = key;
  slider.max = String(Math.max(0, versions.length - 1));
  slider.value = String(index);
  slider.disabled = versions.length < 2;
  const version = versions[index];
  setText(byId("state-place"), version ? place(version, index, versions.length) : "No state yet");
  slider.setAttribute("aria-valuetext", byId("state-place").textContent);
  if (!version) return setChildren(byId("state-now"), [h("p.hint", "The agent has sent no state.")]);
  const before = versions[index - 1];
  const found = before ? differences(before.value, version.value) : [];
  const marks = new Map(found.filter(({ kind }) => kind !== "removed").map(({ path, kind }) => [path, kind]));
  setChildren(byId("state-diff"), [
    version.error && h("p.finding", { "data-level": "warning" }, h("b", "the patch does not apply"), ` ${version.error}`),
    ...found.slice(0, SHOWN).map(difference),
    found.length > SHOWN && h("p.hint", `${found.length - SHOWN} more changes`),
  ]);
  setChildren(byId("state-now"), [tree(version.value, { open, marks, depth: 3 })]);
});

function place({ n }, index, count) {
  if (n < 0) return `The input, 1 of ${count}`;
  return `After event ${n + 1}, ${index + 1} of ${count}`;
}

function difference({ path, kind, before, after }) {
  const short = (value) => {
    const text = JSON.stringify(value);
    return text.length > 160 ? `${text.slice(0, 160)}…` : text;
  };
  return h("p.difference", { "data-mark": kind },
    h("span.sign", { "aria-label": kind }, { added: "+", removed: "−", changed: "~" }[kind]),
    h("code.path", path || "/"),
    before !== undefined && h("del", short(before)),
    after !== undefined && h("ins", short(after)),
  );
}
