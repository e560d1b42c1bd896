import { randomUUID } from "@ag-ui/client";
import { AssistantAgent } from "./agui/assistant/client.js";

const agent = new AssistantAgent({
  url: "http://127.0.0.1:8000/",
  threadId: (localStorage["thread"] ??= randomUUID()), //+threads
});

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const composer = byId<HTMLFormElement>("composer");
const text = byId<HTMLInputElement>("text");
const send = byId<HTMLButtonElement>("send");
const stop = byId<HTMLButtonElement>("stop");
const messages = byId<HTMLUListElement>("messages");
const question = byId<HTMLElement>("question");
const lines = new Map<string, HTMLLIElement>();

/** A new element of a list. */
function item(textContent: string): HTMLLIElement {
  return Object.assign(document.createElement("li"), { textContent });
}

agent.on({ state: ({ open }) => byId("tasks").replaceChildren(...open.map(item)) }); // open: string[]
agent.subscribe({
  // Only what changed is written, so that screen readers do not read the whole conversation for each word.
  onMessagesChanged: (now) => {
    let place = 0;
    for (const { id, role, content } of now.messages) {
      if (role === "tool" || typeof content !== "string" || content === "") continue;
      const line = lines.get(id) ?? item("");
      lines.set(id, line);
      if (line.textContent !== `${role}: ${content}`) line.textContent = `${role}: ${content}`;
      const there = messages.children[place++];
      if (there !== line) messages.insertBefore(line, there ?? null);
    }
    while (messages.children.length > place) messages.lastElementChild?.remove();
  },
});

/** Asks the user in the page; resolves to true if they accept. */
function ask(words: string): Promise<boolean> {
  byId("asked").textContent = words;
  question.hidden = false;
  question.focus(); // a screen reader reads the question, and Tab goes to its buttons
  return new Promise((answered) => {
    const answer = (approved: boolean) => () => {
      question.hidden = true;
      text.focus();
      answered(approved);
    };
    byId("accept").onclick = answer(true);
    byId("decline").onclick = answer(false);
  });
}

/** While an answer is written, the user can stop it, and screen readers wait for whole sentences. */
function writes(now: boolean): void {
  stop.hidden = !now;
  messages.ariaBusy = String(now);
}

/** Runs the agent, and asks the user its questions, until it is done. */
async function converse(start: () => Promise<unknown>): Promise<void> {
  byId("problem").textContent = "";
  send.disabled = true;
  writes(true);
  try {
    await start();
    while (agent.interrupts.length > 0) {
      writes(false);
      for (const asked of agent.interrupts) {
        const { task } = asked.payload.arguments; // task: string
        agent.resolve(asked, { approved: await ask(`Remove “${task}”?`) });
      }
      writes(true);
      await agent.runAgent({ resume: agent.answers() });
    }
  } catch (error) {
    byId("problem").textContent = String(error);
  }
  writes(false);
  send.disabled = false;
}

stop.addEventListener("click", () => {
  agent.abortRun();
  agent.stop().catch(() => undefined); // the server would let the run end by itself //+threads
});

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  if (send.disabled) return;
  agent.addMessage({ id: randomUUID(), role: "user", content: text.value });
  composer.reset();
  void converse(() => agent.runAgent());
});

void converse(async () => { //+threads
  const { failure } = await agent.connectAgent(); // the conversation before this page was loaded //+threads
  if (failure) throw failure; //+threads
}); //+threads
