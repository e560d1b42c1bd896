// The list of agents: each has a button that runs it, and shows how its last run ended.
import { waiting } from "./answers.js";
import { h } from "./dom.js";
import { begin } from "./runner.js";
import { store, view } from "./store.js";
import { roving } from "./roving.js";
import { open } from "./tabs.js";

const rows = new Map();
/** The ends of the newest runs by address. */
const ends = new Map();

export function showAgents(list, agents) {
  const groups = Map.groupBy(agents, ({ group }) => group || "Agents");
  for (const [group, members] of groups) {
    list.append(h("h2", group), h("ul", members.map((agent) => h("li", row(agent)))));
  }
  roving(list, ".agent")();
}

function row(agent) {
  const name = h("span.name", agent.url);
  const about = h("span.about", agent.about || "Run it with a greeting");
  const button = h("button.agent", { type: "button", title: agent.about }, h("span.play", { "aria-hidden": "true" }), name, about);
  button.addEventListener("click", () => {
    begin(agent);
    if (matchMedia("(max-width: 999px)").matches) open("events");
  });
  rows.set(agent, button);
  return button;
}

view(({ agent, runs, stop }) => {
  const last = runs.at(-1);
  if (last?.end) ends.set(last.agent, ending(last));
  for (const [one, button] of rows) {
    const isRunning = Boolean(stop) && last?.agent === one;
    button.dataset.end = isRunning ? "running" : ends.get(one) ?? "";
    button.setAttribute("aria-current", String(one === agent));
  }
});

/** How a run ended: `good`, `waiting` for the user, or `bad`. */
export function ending(run) {
  const { end, isRefused } = run;
  if (end.outcome === "stopped") return "stopped";
  if (end.outcome !== "complete" || isRefused) return "bad";
  if (run === store.runs.at(-1) && store.events.at(-1)?.type === "RUN_ERROR") return "bad";
  const { questions, calls } = waiting();
  return run === store.runs.at(-1) && questions.length + calls.length ? "waiting" : "good";
}
