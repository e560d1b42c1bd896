import { randomUUID } from "@ag-ui/client";
import { AssistantAgent } from "./agui/assistant/client.js";

const agent = new AssistantAgent({
  url: "http://127.0.0.1:8000/",
  threadId: (localStorage["thread"] ??= randomUUID()), //+threads
});

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const composer = byId<HTMLFormElement>("composer");
const send = byId<HTMLButtonElement>("send");

function list(id: string, texts: readonly string[]): void {
  byId(id).replaceChildren(
    ...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })),
  );
}

agent.on({ state: ({ open }) => list("tasks", open) }); // open: string[]
agent.subscribe({
  onMessagesChanged: ({ messages }) =>
    list("messages", messages.flatMap(({ role, content }) => (role !== "tool" && content ? [`${role}: ${content}`] : []))),
});

/** Runs the agent, and asks the user its questions, until it is done. */
async function converse(start: () => Promise<unknown>): Promise<void> {
  byId("problem").textContent = "";
  send.disabled = true;
  try {
    await start();
    while (agent.interrupts.length > 0) {
      for (const asked of agent.interrupts) {
        const { task } = asked.payload.arguments; // task: string
        agent.resolve(asked, { approved: window.confirm(`Remove “${task}”?`) });
      }
      await agent.runAgent({ resume: agent.answers() });
    }
  } catch (error) {
    byId("problem").textContent = String(error);
  }
  send.disabled = false;
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  agent.addMessage({ id: randomUUID(), role: "user", content: String(new FormData(composer).get("text")) });
  composer.reset();
  void converse(() => agent.runAgent());
});

void converse(() => agent.connectAgent()); // the conversation before this page was loaded //+threads
