import { randomUUID } from "@ag-ui/client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { AssistantAgent } from "./agui/assistant/client.js";
import {
  useAssistantInterrupts,
  useAssistantMessages,
  useAssistantState,
  useAssistantStatus,
  useAssistantThread, //+threads
} from "./agui/assistant/react.js";

const agent = new AssistantAgent({
  url: "http://127.0.0.1:8000/",
  threadId: (localStorage["thread"] ??= randomUUID()), //+threads
});

/** Starts a run. `useAssistantStatus` shows its failure. */
const run = (parameters?: Parameters<typeof agent.runAgent>[0]) => agent.runAgent(parameters).catch(() => undefined);

function App() {
  useAssistantThread(agent); // the conversation before this page was loaded //+threads
  const tasks = useAssistantState(agent)?.open ?? []; // tasks: string[]
  const messages = useAssistantMessages(agent);
  const { status, error } = useAssistantStatus(agent);
  const text = useRef<HTMLInputElement>(null);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const content = String(new FormData(event.currentTarget).get("text"));
    event.currentTarget.reset();
    agent.addMessage({ id: randomUUID(), role: "user", content });
    void run();
  }

  function stop() {
    agent.abortRun();
    agent.stop().catch(() => undefined); // the server would let the run end by itself //+threads
  }

  return (
    <>
      <h1>Tasks</h1>
      <ul id="tasks">
        {tasks.map((task, index) => (
          <li key={index}>{task}</li>
        ))}
      </ul>
      {/* Screen readers wait for whole sentences. */}
      <ul id="messages" aria-live="polite" aria-busy={status === "running"}>
        {messages.map(({ id, role, content }) =>
          role !== "tool" && typeof content === "string" ? <li key={id}>{`${role}: ${content}`}</li> : null,
        )}
      </ul>
      <Question whenAnswered={() => text.current?.focus()} />
      <p id="problem" role="alert">
        {error}
      </p>
      <form id="composer" onSubmit={send}>
        <input ref={text} name="text" aria-label="Message" placeholder="Buy rice, or: remove Buy rice" required />
        <button disabled={status === "running" || status === "interrupted"}>Send</button>
        {status === "running" && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </form>
    </>
  );
}

/** Asks the user about the calls of the tool `remove`, one after the other. */
function Question({ whenAnswered }: { whenAnswered: () => void }) {
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const open = useAssistantInterrupts(agent).filter(({ id }) => !answered.includes(id));
  const [asked] = open;
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus(), [asked?.id]); // a screen reader reads the question, and Tab goes to its buttons
  if (asked === undefined) return null;

  function answer(approved: boolean) {
    if (asked === undefined) return;
    agent.resolve(asked, { approved });
    setAnswered([...answered, asked.id]);
    whenAnswered();
    if (open.length === 1) void run({ resume: agent.answers() }).then(() => setAnswered([]));
  }

  return (
    <section id="question" role="group" aria-labelledby="asked" tabIndex={-1} ref={card}>
      <p id="asked">{`Remove “${asked.payload.arguments.task}”?`}</p>
      <button onClick={() => answer(true)}>Accept</button> <button onClick={() => answer(false)}>Decline</button>
    </section>
  );
}

createRoot(document.body).render(<App />);
