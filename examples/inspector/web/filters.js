// The filters of the list: families, a search, one lane, only findings.
import { byId, h, setText } from "./dom.js";
import { FAMILIES } from "./event.js";
import { shown } from "./shown.js";
import { change, store, view } from "./store.js";

const chips = new Map();

for (const [family, name] of Object.entries(FAMILIES)) {
  const count = h("span.count");
  const chip = h("button.chip", { type: "button", "data-family": family, "aria-pressed": "true" }, h("span.dot"), name, count);
  chip.addEventListener("click", () => toggle(family));
  chips.set(family, { chip, count });
  byId("chips").append(chip);
}

function toggle(family) {
  const hidden = new Set(store.hidden);
  if (!hidden.delete(family)) hidden.add(family);
  change({ hidden });
}

byId("search").addEventListener("input", ({ target }) => change({ search: target.value }));
byId("search").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.target.value = "";
  change({ search: "" });
  byId("events").focus();
});
byId("lane-chip").addEventListener("click", () => change({ lane: null }));
byId("only-problems").addEventListener("click", onlyProblems);

export function onlyProblems() {
  change({ onlyProblems: !store.onlyProblems });
}

view(({ events, sums: { families }, hidden, lane, onlyProblems, search }) => {
  for (const [family, { chip, count }] of chips) {
    chip.hidden = !families.has(family);
    chip.setAttribute("aria-pressed", String(!hidden.has(family)));
    setText(count, String(families.get(family) ?? ""));
  }
  setText(byId("found"), search ? `${shown().length} of ${events.length}` : "");
  byId("lane-chip").hidden = !lane;
  setText(byId("lane-chip"), lane ? `only ${lane.label} ×` : "");
  byId("only-problems").setAttribute("aria-pressed", String(onlyProblems));
});
