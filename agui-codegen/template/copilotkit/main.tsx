import { CopilotKitProvider } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { AGENT } from "./agui/assistant/agent.js";
import { useAssistantAgent } from "./agui/assistant/react.js";
import { Conversation } from "./conversation.js";

/** The address that `agui-codegen dev` names; for a build: `npm run build -- --define:AGUI_URL='"https://…"'`. */
declare const AGUI_URL: string | undefined;

const server = typeof AGUI_URL === "string" ? AGUI_URL : "http://127.0.0.1:8000/";

const STATUS = { ready: "Ready", running: "Writing", waiting: "Waits for you" };

function App() {
  const { agent, state } = useAssistantAgent();
  const tasks = state?.open ?? []; // tasks: string[]
  const [asked, setAsked] = useState<string>(); // the call that a question is about
  const status = asked !== undefined ? "waiting" : agent.isRunning ? "running" : "ready";
  return (
    <>
      <header>
        <h1>Tasks</h1>
        <p id="status" role="status" data-status={status}>
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
          <Conversation asked={asked} whenAsked={setAsked} />
        </section>
      </main>
    </>
  );
}

// CopilotKit's chat is dark below this class.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark", dark.matches);
dark.addEventListener("change", paint);
paint();

createRoot(document.body).render(
  <CopilotKitProvider runtimeUrl={new URL("api/copilotkit", server).href} agentId={AGENT} enableInspector={false}>
    <App />
  </CopilotKitProvider>,
);
