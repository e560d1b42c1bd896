// The page of CopilotKit's quickstart, and the hook of its page about interrupts: the address of the runtime is all that is changed.
// `?runtime=` is that address.
import { CopilotKit, CopilotSidebar, useInterrupt } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { createRoot } from "react-dom/client";

function Approval() {
  useInterrupt({
    agentId: "editor",
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
  <CopilotKit runtimeUrl={new URLSearchParams(location.search).get("runtime")} agent="editor">
    <main>
      <h1>Your app</h1>
    </main>
    <Approval />
    <CopilotSidebar defaultOpen={true} />
  </CopilotKit>,
);
