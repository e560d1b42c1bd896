// A page of an agent whose server stores its threads (tests/src/bin/stored_desk.rs): CopilotKit's provider and its chat, with the
// generated hooks for the question and the calls. `?thread=` names the thread. With `?direct=`, the address of the agent, the
// generated client in the page talks with it; with `?runtime=`, the server itself serves the page, at one address with `?single=`;
// otherwise CopilotKit's runtime does.
import { CopilotChat, CopilotKitProvider, useConfigureSuggestions } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { EditorAgent } from "agui/editor/client.js";
import { useEditorAgent, useEditorInterrupts, usePublishView } from "agui/editor/react.js";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const direct = query.get("direct");
const threadId = query.get("thread");
const way = direct
  ? { agents__unsafe_dev_only: { editor: new EditorAgent({ url: direct, threadId }) } }
  : { runtimeUrl: query.get("runtime") ?? "/api/copilotkit", useSingleEndpoint: query.has("single") || undefined };

function Question({ payload, resolve }) {
  const [failure, setFailure] = useState("");
  const approve = () => void resolve({ approved: true }).catch((cause) => setFailure(cause.message));
  return (
    <form className="question">
      <p>{`Publish ${payload.arguments.title}?`}</p>
      <button type="button" onClick={approve}>Approve</button>
      <output>{failure}</output>
    </form>
  );
}

const suggesting = { instructions: "What comes next?", consumerAgentId: "editor", providerAgentId: "editor", available: "always" };

function Editor() {
  useConfigureSuggestions(query.has("runtime") ? suggesting : null);
  const { agent } = useEditorAgent();
  useEditorInterrupts((asked) => <Question {...asked} />);
  usePublishView(({ status, result, error }) => <p className="call">{result ?? error ?? status}</p>);
  return (
    <section>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
      <pre id="messages">{JSON.stringify(agent.messages)}</pre>
    </section>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider {...way} agentId="editor" showDevConsole={false}>
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: "0 0 300px", overflow: "auto", fontSize: 12 }}>
        <Editor />
      </div>
      <div id="chat" style={{ flex: 1, height: "100vh" }}>
        <CopilotChat agentId="editor" threadId={threadId} />
      </div>
    </div>
  </CopilotKitProvider>,
);
