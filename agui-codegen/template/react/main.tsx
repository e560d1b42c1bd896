import { randomUUID } from "@ag-ui/client";
import type { FormEvent } from "react";
import { createRoot } from "react-dom/client";
import { AssistantAgent, type AssistantInterrupt } from "./agui/assistant/client.js";
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
const run = (parameters?: Parameters<typeof agent.runAgent>[0]) => void agent.runAgent(parameters).catch(() => undefined);

function App() {
  useAssistantThread(agent); // the conversation before this page was loaded //+threads
  const tasks = useAssistantState(agent)?.open ?? []; // tasks: string[]
  const messages = useAssistantMessages(agent);
  const { status, error } = useAssistantStatus(agent);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const content = String(new FormData(event.currentTarget).get("text"));
    event.currentTarget.reset();
    agent.addMessage({ id: randomUUID(), role: "user", content });
    run();
  }

  return (
    <>
      <h1>Tasks</h1>
      <ul id="tasks">
        {tasks.map((task, index) => (
          <li key={index}>{task}</li>
        ))}
      </ul>
      <ul id="messages" aria-live="polite">
        {messages.map(({ id, role, content }) =>
          role !== "tool" && typeof content === "string" ? <li key={id}>{`${role}: ${content}`}</li> : null,
        )}
      </ul>
      {useAssistantInterrupts(agent).map((asked) => (
        <Question key={asked.id} asked={asked} />
      ))}
      <p id="problem" role="alert">
        {error}
      </p>
      <form id="composer" onSubmit={send}>
        <input name="text" aria-label="Message" placeholder="Buy rice, or: remove Buy rice" required />
        <button disabled={status === "running" || status === "interrupted"}>Send</button>
      </form>
    </>
  );
}

/** Asks the user about a call of the tool `remove`. */
function Question({ asked }: { asked: AssistantInterrupt }) {
  const answer = (approved: boolean) => {
    agent.resolve(asked, { approved });
    run({ resume: agent.answers() });
  };
  return (
    <p role="group">
      {`Remove “${asked.payload.arguments.task}”? `}
      <button onClick={() => answer(true)}>Yes</button> <button onClick={() => answer(false)}>No</button>
    </p>
  );
}

createRoot(document.body).render(<App />);
