// The page of CopilotKit's quickstart, and the hook of its page about interrupts: the address of the runtime is all that is changed.
// `?runtime=` is that address; `?agent=` names the agent. With `?more`, the page also has the hooks of the pages about shared state and
// about suggestions.
import { CopilotKit, CopilotSidebar, useAgent, useConfigureSuggestions, useInterrupt } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const agentId = query.get("agent") ?? "editor";

function More() {
  useConfigureSuggestions({ instructions: "What comes next?", available: "always" });
  const { agent } = useAgent({ agentId });
  return (
    <section>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
      <pre id="state">{JSON.stringify(agent.state)}</pre>
    </section>
  );
}

function Approval() {
  useInterrupt({
    agentId,
    render: ({ interrupts, resolve }) =>
      interrupts.map(({ id, message }) => (
        <p key={id} className="question">
          {message} <button onClick={() => resolve({ approved: true }, id)}>Approve</button>
        </p>
      )),
  });
  return null;
}

createRoot(document.querySelector("#root")).render(
  <CopilotKit runtimeUrl={query.get("runtime")} agent={agentId} threadId={query.get("thread") ?? undefined}>
    <main>
      <h1>Your app</h1>
      {query.has("more") && <More />}
    </main>
    <Approval />
    <CopilotSidebar defaultOpen={true} />
  </CopilotKit>,
);
