import { randomUUID } from "@ag-ui/client";
import { AssistantAgent } from "./agui/assistant/client.js";
import { byId, Conversation } from "./conversation.js";
import { reason, SUGGESTIONS } from "./tools.js";

/** The address that `agui-codegen dev` names; for a build: `npm run build -- --define:AGUI_URL='"https://…"'`. */
declare const AGUI_URL: string | undefined;

const agent = new AssistantAgent({
  url: typeof AGUI_URL === "string" ? AGUI_URL : "http://127.0.0.1:8000/",
  threadId: (localStorage["thread"] ??= randomUUID()), //+threads
});
const conversation = new Conversation();
const composer = byId<HTMLFormElement>("composer");
const text = byId<HTMLInputElement>("text");
const stop = byId<HTMLButtonElement>("stop");

const STATUS = { ready: "Ready", running: "Writing", waiting: "Waits for you" };
let status: keyof typeof STATUS = "ready";

function become(next: keyof typeof STATUS): void {
  status = next;
  byId("status").textContent = STATUS[status];
  byId("status").dataset["status"] = status;
  byId<HTMLButtonElement>("send").disabled = status !== "ready";
  byId("send").hidden = status === "running";
  stop.hidden = status !== "running";
  conversation.busy = status === "running";
  conversation.show(agent.messages, status === "running");
}

type Step = () => Promise<unknown>;

const run: Step = () => agent.runAgent();
const answer: Step = () => agent.runAgent({ resume: agent.answers() });
/** After a run that failed with the answers: the next run, unless the agent asks again. */
const goOn: Step = async () => agent.interrupts.length > 0 || run();

/** The step that "Try again" repeats. */
let step = run;

/** Runs the agent, and asks the user its questions, until it is done. */
async function converse(first = run): Promise<void> {
  step = first;
  byId("failure").hidden = true;
  byId("problem").textContent = "";
  become("running");
  try {
    await first();
    while (agent.interrupts.length > 0) {
      become("waiting");
      for (const asked of agent.interrupts) {
        agent.resolve(asked, { approved: await conversation.ask(asked) });
        text.focus();
      }
      become("running");
      step = answer;
      await answer();
    }
  } catch (error) {
    byId("failure").hidden = false;
    byId("problem").textContent = reason(error);
  }
  become("ready");
}

function say(content: string): void {
  if (status !== "ready") return;
  agent.addMessage({ id: randomUUID(), role: "user", content });
  void converse();
}

agent.on({
  state: ({ open }) => {
    const items = open.map((textContent) => Object.assign(document.createElement("li"), { textContent })); // open: string[]
    byId("tasks").replaceChildren(...items);
  },
  failed: () => {}, // `converse` shows the error of a run
});
agent.subscribe({
  onMessagesChanged: ({ messages }) => conversation.show(messages, status === "running"),
  onRunStartedEvent: () => {
    if (step !== answer) return;
    agent.pendingInterrupts = []; // the answers have arrived, and count once
    step = goOn;
  },
});

stop.addEventListener("click", () => {
  agent.abortRun();
  agent.stop().catch(() => undefined); // the server would let the run end by itself //+threads
});
byId("retry").addEventListener("click", () => void converse(step));
composer.addEventListener("submit", (event) => {
  event.preventDefault();
  if (status !== "ready") return;
  say(text.value);
  composer.reset();
});
for (const suggestion of SUGGESTIONS) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: suggestion });
  button.addEventListener("click", () => say(suggestion));
  byId("suggestions").append(button);
}

void converse(async () => { //+threads
  const { failure } = await agent.connectAgent(); // the conversation before this page was loaded //+threads
  step = run; // the conversation is there, and its last run may have failed //+threads
  if (failure) throw failure; //+threads
}); //+threads
