// A page as CopilotKit's users write it: its provider, its chat, the agent's state beside it, and what the agents here ask a page for.
// `?agent=` names the agent, `?thread=` the thread, `?runtime=` the address of a server that needs no runtime of CopilotKit, `?catalog=`
// a catalog of A2UI that the page has.
import { CopilotKit } from "@copilotkit/react-core";
import {
  CopilotChat,
  useAgent,
  useDefaultRenderTool,
  useFrontendTool,
  useHumanInTheLoop,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import { cards } from "./cards.jsx";

const query = new URLSearchParams(location.search);
const agentId = query.get("agent");
const anything = z.object({}).passthrough();

/** A tool that the person answers, by a button with this name. */
function useQuestion(name, label, answer) {
  useHumanInTheLoop({
    name,
    description: `Asks the person (${name}).`,
    parameters: anything,
    render: ({ status, respond }) => (
      <div className="question" data-tool={name} data-status={status}>
        {status === "executing" && <button onClick={() => respond(answer)}>{label}</button>}
      </div>
    ),
  });
}

/** A tool that runs in the page. */
function useHandler(name, answer) {
  useFrontendTool({ name, description: `Runs in the page (${name}).`, parameters: anything, handler: async () => answer });
}

/** The answers to a question of the showcase, as its pages read and give them. */
function choices({ options, topic }) {
  if (options) return options.map((option) => [option.airline ?? option.name, JSON.stringify(option)]);
  return [
    [`${topic} on Saturday`, { chosen_time: "2026-09-12T10:00:00.000Z", chosen_label: "Saturday" }],
    ["Cancel", { cancelled: true }],
  ];
}

/** A button for each answer. */
function Answers({ event, interrupts, resolve }) {
  const data = event.value?.metadata?.reason;
  if (data) return choices(data).map(([label, answer]) => <button key={label} onClick={() => resolve(answer)}>{label}</button>);
  return interrupts.map(({ id, reason }) => (
    <button key={id} onClick={() => resolve({ approved: true }, id)}>{`Approve ${reason}`}</button>
  ));
}

function Tools() {
  useQuestion("confirm_changes", "Confirm", "confirmed");
  useQuestion("generate_task_steps", "Perform", { accepted: true });
  useQuestion("confirm_order", "Order", { approved: true });
  useQuestion("checkout", "Pay", true);
  useHandler("write_document_local", "written");
  useHandler("change_background", "done");
  useInterrupt({ agentId, render: Answers });
  useDefaultRenderTool({ render: ({ name, result, status }) => <p className="call">{`${name}: ${result ?? status}`}</p> });
  return null;
}

const activities = [
  {
    activityType: "mastra-background-task",
    content: anything,
    render: ({ content: { toolName, status, outputs, result } }) => <p>{`${toolName} ${status}, ${outputs.length} outputs: ${result?.summary ?? ""}`}</p>,
  },
  {
    activityType: "PLAN",
    content: anything,
    render: ({ content }) => content.steps.map(({ name, done }) => <p key={name}>{`${done ? "done" : "to do"}: ${name}`}</p>),
  },
];

/** The catalogs of surfaces. Without one, CopilotKit has A2UI's basic catalog, if the server says that its agents draw. */
const catalogs = { cards: { catalog: cards } };

/** What a page draws from the state, here all of it, and a field to change it. */
function State() {
  const { agent } = useAgent({ agentId });
  const [text, write] = useState("");
  return (
    <section>
      <input aria-label="State" value={text} onChange={({ target }) => write(target.value)} />
      <button onClick={() => agent.setState(JSON.parse(text))}>Set state</button>
      <pre id="state" style={{ whiteSpace: "pre-wrap" }}>{JSON.stringify(agent.state ?? {}, null, 1)}</pre>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
    </section>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKit
    runtimeUrl={query.get("runtime") ?? "/api/copilotkit"}
    agent={agentId}
    threadId={query.get("thread")}
    showDevConsole={true}
    enableInspector={false}
    renderActivityMessages={activities}
    a2ui={catalogs[query.get("catalog")]}
  >
    <Tools />
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: "0 0 380px", overflow: "auto", fontSize: 12 }}>
        <State />
      </div>
      <div style={{ flex: 1, height: "100vh" }}>
        <CopilotChat agentId={agentId} threadId={query.get("thread")} attachments={{ enabled: true }} />
      </div>
    </div>
  </CopilotKit>,
);
