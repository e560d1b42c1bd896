// A page with a tool that runs on it, by the generated hooks of its agent (tests/src/bin/stored_desk.rs). `?runtime=` is the address
// of a server that needs no runtime of CopilotKit, `?thread=` the thread.
import { CopilotChat, CopilotKitProvider } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { usePainterAgent, usePainterTools, usePaintView } from "agui/painter/react.js";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const agentId = "painter";
/** The colours of all runs of the tool on this page, for the test. */
window.painted = [];

function Painter() {
  const { agent } = usePainterAgent();
  usePainterTools({
    paint: ({ colour }) => {
      window.painted.push(colour);
      document.body.style.background = colour;
      return `painted ${colour}`;
    },
  });
  usePaintView(({ args, result, error }) => <p className="paint">{`${args.colour}: ${result ? "done" : (error ?? "…")}`}</p>);
  return (
    <section>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
      <pre id="messages">{JSON.stringify(agent.messages)}</pre>
    </section>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider runtimeUrl={query.get("runtime")} agentId={agentId} showDevConsole={false}>
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: "0 0 300px", overflow: "auto", fontSize: 12 }}>
        <Painter />
      </div>
      <div id="chat" style={{ flex: 1, height: "100vh" }}>
        <CopilotChat agentId={agentId} threadId={query.get("thread")} />
      </div>
    </div>
  </CopilotKitProvider>,
);
