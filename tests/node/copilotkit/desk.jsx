// The desk's page as CopilotKit's users write it: its provider and its chat, with the generated hooks for the question, the calls and
// the state. `?thread=` names the thread. With `?direct=`, the address of the agent, a client in the page talks with it; with
// `?runtime=`, the server itself serves the page; otherwise CopilotKit's runtime does.
import { CopilotChat, CopilotKitProvider } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { AGENT } from "agui/desk/agent.js";
import { DeskAgent } from "agui/desk/client.js";
import { useDeskAgent, useDeskInterrupts, useOrderView, useRefundView } from "agui/desk/react.js";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const direct = query.get("direct");
const threadId = query.get("thread");
const way = direct
  ? { agents__unsafe_dev_only: { [AGENT]: new DeskAgent({ url: direct, threadId }) } }
  : { runtimeUrl: query.get("runtime") ?? "/api/copilotkit" };

/** The question about a refund: the customer may change the amount, and give a reason for a refusal. */
function Question({ message, payload, resolve, cancel }) {
  const { number, cents } = payload.arguments;
  const [amount, setAmount] = useState(String(cents));
  const approve = () => {
    const changed = Number(amount);
    return resolve(changed === cents ? { approved: true } : { approved: true, editedArgs: { number, cents: changed } });
  };
  const [failure, setFailure] = useState("");
  const attempt = (answer) => () => void answer().catch((cause) => setFailure(cause.message));
  return (
    <form className="question">
      <p>{`${message} ${payload.tool}: ${cents} cents of order ${number}`}</p>
      <input aria-label="Amount" value={amount} onChange={({ target }) => setAmount(target.value)} />
      <button type="button" onClick={attempt(approve)}>Approve</button>
      <button type="button" onClick={attempt(() => resolve({ approved: false, reason: "I like it" }))}>Refuse</button>
      <button type="button" onClick={attempt(cancel)}>Leave it</button>
      <output>{failure}</output>
    </form>
  );
}

/** A call of a tool, and its result. */
function card({ id, status, args, result, error }) {
  const end = result ? `${result.item}, ${result.refunded} refunded` : (error ?? status);
  return <p className="call" data-id={id}>{`order ${args.number}: ${end}`}</p>;
}

function Desk() {
  const { agent, state } = useDeskAgent();
  useDeskInterrupts((asked) => <Question {...asked} />);
  useOrderView(card);
  useRefundView(card);
  return (
    <section>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
      <p id="refunded">{state?.order ? `${state.order.item}: ${state.order.refunded}` : "no order"}</p>
      <pre id="messages">{JSON.stringify(agent.messages)}</pre>
    </section>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider {...way} agentId={AGENT} showDevConsole={false}>
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: "0 0 300px", overflow: "auto", fontSize: 12 }}>
        <Desk />
      </div>
      <div style={{ flex: 1, height: "100vh" }}>
        <CopilotChat agentId={AGENT} threadId={threadId} />
      </div>
    </div>
  </CopilotKitProvider>,
);
