// The input of the run that is shown: everything that the agent got. It can be changed and run again.
import { newId } from "./answers.js";
import { byId, say } from "./dom.js";
import { start } from "./runner.js";
import { runAt, store, view } from "./store.js";
import { visible } from "./visible.js";

const field = byId("input-text");
let drawn = null;

view(({ at }) => {
  const run = runAt(at);
  if (!run || run === drawn) return;
  drawn = run;
  // In JSON, a hidden character may be written as it is shown.
  field.value = run.input ? visible(JSON.stringify(run.input, null, 2)) : "";
  byId("input-run").disabled = !store.agent;
});

byId("input-run").addEventListener("click", () => {
  let input;
  try {
    input = JSON.parse(field.value);
  } catch (cause) {
    return say(`The input is not JSON: ${cause.message}`, true);
  }
  // A run has an id of its own, unless the user wrote one.
  if (input && input.runId === drawn?.input?.runId) input.runId = newId("run");
  start(store.agent, input);
});
