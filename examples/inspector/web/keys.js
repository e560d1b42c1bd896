// Shortcuts: one key each, outside of fields, and off if the user wants that.
import { newConversation } from "./composer.js";
import { copy } from "./copy.js";
import { byId, h } from "./dom.js";
import { move, toggle } from "./event-list.js";
import { onlyProblems } from "./filters.js";
import { switchAxis } from "./lanes-view.js";
import { choose, save } from "./recording.js";
import { begin, stop } from "./runner.js";
import { playOrPause } from "./scrubber.js";
import { step } from "./state-pane.js";
import { show, store } from "./store.js";
import { open } from "./tabs.js";
import { switchTheme } from "./theme.js";

const focus = (id) => () => byId(id).focus();

/** The key, its name where that is not the key, the action in words, and the action. */
const KEYS = [
  ["r", "R", "run the agent again, in a new conversation", () => store.agent && begin(store.agent)],
  [".", ".", "stop the run", stop],
  ["m", "M", "write a message", focus("message")],
  ["n", "N", "new conversation", newConversation],
  ["a", "A", "list of agents", () => (open("agents"), document.querySelector(".agent")?.focus())],
  ["ArrowDown", "↓ or J", "next event", () => move(1)],
  ["ArrowUp", "↑ or K", "event before", () => move(-1)],
  ["j", null, "", () => move(1)],
  ["k", null, "", () => move(-1)],
  ["PageDown", "Page ↓", "ten events on", () => move(10)],
  ["PageUp", "Page ↑", "ten events back", () => move(-10)],
  ["Home", "Home", "first event", () => show(0)],
  ["End", "End", "newest event", () => show(store.events.length - 1)],
  ["Enter", "Enter or X", "open or close the event", () => toggle()],
  ["x", null, "", () => toggle()],
  [" ", "Space", "replay, or pause", playOrPause],
  ["[", "[", "change of the state before", () => step(-1)],
  ["]", "]", "next change of the state", () => step(1)],
  ["/", "/", "search", focus("search")],
  ["p", "P", "only events with findings", onlyProblems],
  ["v", "V", "lanes by order, or by time", switchAxis],
  ["1", "1", "conversation", () => open("chat")],
  ["2", "2", "state", () => open("state")],
  ["3", "3", "event", () => open("event")],
  ["4", "4", "input", () => open("input")],
  ["5", "5", "agent", () => open("about")],
  ["c", "C", "copy as curl", () => copy("curl")],
  ["f", "F", "copy as fixture", () => copy("fixture")],
  ["t", "T", "copy as Rust test", () => copy("rust")],
  ["s", "S", "save the conversation", save],
  ["o", "O", "open a recording", choose],
  ["d", "D", "light or dark", switchTheme],
  ["?", "?", "these shortcuts", help],
];

const actions = new Map(KEYS.map(([key, , , action]) => [key, action]));

function help() {
  byId("help").showModal();
}

byId("shortcuts").append(
  ...KEYS.filter(([, name]) => name).flatMap(([, name, words]) => [h("dt", h("kbd", name)), h("dd", words)]),
);
byId("keys").addEventListener("click", help);

/** Keys that a focused control uses itself. */
const isForControl = (target, key) =>
  target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, dialog") ||
  (target.closest("button, summary, [role=tab], a") && (key === "Enter" || key === " ")) ||
  (target.closest("input[type=range]") && (key.startsWith("Arrow") || key.startsWith("Page") || key === "Home" || key === "End"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape" && event.target.matches("input, textarea")) event.target.blur();
  if (isForControl(event.target, event.key)) return;
  const isLetter = event.key.length === 1 && event.key !== " ";
  if (isLetter && event.key !== "?" && !byId("keys-on").checked) return;
  const action = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (!action) return;
  event.preventDefault();
  action();
});
