import { randomUUID } from "@ag-ui/client";
import { type FormEvent, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { AssistantAgent } from "./agui/assistant/client.js";
import {
  useAssistantInterrupts,
  useAssistantState,
  useAssistantStatus,
  useAssistantThread, //+threads
} from "./agui/assistant/react.js";
import { Conversation } from "./conversation.js";
import { SUGGESTIONS } from "./tools.js";

/** The address that `agui-codegen dev` names; for a build: `npm run build -- --define:AGUI_URL='"https://…"'`. */
declare const AGUI_URL: string | undefined;

const agent = new AssistantAgent({
  url: typeof AGUI_URL === "string" ? AGUI_URL : "http://127.0.0.1:8000/",
  threadId: (localStorage["thread"] ??= randomUUID()), //+threads
});

/** False while the conversation is not loaded: a failure is then not the failure of a run. */ //+threads
let hasRun = false; //+threads
agent.subscribe({ onRunErrorEvent: () => void (hasRun = true) }); //+threads

/** The answers that no run has got. */
let unsent: Parameters<typeof agent.runAgent>[0];
agent.subscribe({
  onRunStartedEvent: () => {
    if (unsent !== undefined) agent.pendingInterrupts = []; // the answers have arrived, and count once
    unsent = undefined;
  },
});

/** Starts a run. `useAssistantStatus` shows its failure. */
const run = (answers?: typeof unsent) => {
  unsent = answers;
  return agent.runAgent(answers).catch(() => undefined);
};

const STATUS = { idle: "Ready", running: "Writing", interrupted: "Waits for you", failed: "Ready" };

function App() {
  useAssistantThread(agent); // the conversation before this page was loaded //+threads
  const tasks = useAssistantState(agent)?.open ?? []; // tasks: string[]
  const { status, error } = useAssistantStatus(agent);
  const isBusy = status === "running" || status === "interrupted";
  const isAsked = useAssistantInterrupts(agent).length > 0;
  const [isStopped, setStopped] = useState(false); // the end of a run that the user stopped is no error
  const text = useRef<HTMLInputElement>(null);

  function start(answers?: typeof unsent) {
    setStopped(false);
    hasRun = true; //+threads
    return run(answers);
  }

  /** Repeats the step that failed. */
  function tryAgain() {
    if (!hasRun) return agent.connectAgent().catch(() => undefined); //+threads
    return start(unsent);
  }

  function say(content: string) {
    if (isBusy) return;
    agent.addMessage({ id: randomUUID(), role: "user", content });
    void start();
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    say(String(new FormData(event.currentTarget).get("text")));
    event.currentTarget.reset();
  }

  function stop() {
    setStopped(true);
    agent.abortRun();
    agent.stop().catch(() => undefined); // the server would let the run end by itself //+threads
  }

  return (
    <>
      <header>
        <h1>Tasks</h1>
        <p id="status" role="status" data-status={status === "interrupted" ? "waiting" : status}>
          {STATUS[status]}
        </p>
      </header>
      <main>
        <aside aria-label="Your list">
          <h2>Your list</h2>
          <ul id="tasks">
            {tasks.map((task, index) => (
              <li key={index}>{task}</li>
            ))}
          </ul>
          <p className="hint">Your list is empty.</p>
        </aside>
        <section aria-label="Conversation">
          <Conversation agent={agent} run={run} whenAnswered={() => text.current?.focus()}>
            <h2>What has to be done?</h2>
            <p>Name a task, and it goes on the list. Before one is removed, you are asked.</p>
            <div id="suggestions">
              {SUGGESTIONS.map((suggestion) => (
                <button type="button" key={suggestion} onClick={() => say(suggestion)}>
                  {suggestion}
                </button>
              ))}
            </div>
          </Conversation>
          <div id="failure" hidden={status !== "failed" || isStopped}>
            <p id="problem" role="alert">
              {isStopped ? "" : error}
            </p>
            {(!isAsked || unsent !== undefined) && (
              <button type="button" onClick={() => void tryAgain()}>
                Try again
              </button>
            )}
          </div>
          <form id="composer" autoComplete="off" onSubmit={send}>
            <input ref={text} name="text" aria-label="Message" placeholder="Buy rice, or: remove Buy rice" required />
            {status === "running" ? (
              <button type="button" onClick={stop}>
                Stop
              </button>
            ) : (
              <button className="primary" disabled={isBusy}>
                Send
              </button>
            )}
          </form>
        </section>
      </main>
    </>
  );
}

createRoot(document.body).render(<App />);
