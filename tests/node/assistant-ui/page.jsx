// A page as users of assistant-ui write it: its adapter for AG-UI over the official client, its primitives, and a tool of the page.
// `?url=` is the address of the agent. With `?thread=`, the server stores the thread, and the page loads it.
import { HttpAgent } from "@ag-ui/client";
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ErrorPrimitive,
  ExportedMessageRepository,
  MessagePartPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantTool,
} from "@assistant-ui/react";
import {
  fromAgUiMessages,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSetState,
  useAgUiState,
  useAgUiSubmitInterruptResponses,
} from "@assistant-ui/react-ag-ui";
import { JSONGenerativeUI } from "@assistant-ui/react-generative-ui";
import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const url = query.get("url");
const threadId = query.get("thread") ?? undefined;

/** The thread as the server keeps it. */
const history = {
  async load() {
    const past = new HttpAgent({ url: `${url}/connect`, threadId });
    await past.runAgent();
    return { ...ExportedMessageRepository.fromArray(fromAgUiMessages(past.messages)), state: past.state };
  },
  // The server has it already.
  async append() {},
};

/** A call with its result, or the question whether it may run. */
function Call({ toolName, args, result, approval, respondToApproval }) {
  const isOpen = approval && approval.approved === undefined && !approval.resolution;
  return (
    <div className="call">
      <p>{`${toolName}(${JSON.stringify(args)})`}</p>
      {result !== undefined && <p>{typeof result === "string" ? result : JSON.stringify(result)}</p>}
      {isOpen && (
        <p>
          {approval.prompt} <button onClick={() => respondToApproval({ approved: true })}>Approve</button>{" "}
          <button onClick={() => respondToApproval({ approved: false, reason: "too dear" })}>Refuse</button>
        </p>
      )}
      <MessagePartPrimitive.Messages>{() => <Message />}</MessagePartPrimitive.Messages>
    </div>
  );
}

const members = (properties) => ({ type: "object", properties });

/** The components into which the adapter translates those of A2UI's basic catalog. */
const library = {
  Col: { description: "Below each other.", properties: members({}), render: ({ children }) => <div className="column">{children}</div> },
  Header: { description: "A title.", properties: members({ text: { type: "string" } }), render: ({ text }) => <h2>{text}</h2> },
  Markdown: { description: "A text.", properties: members({ value: { type: "string" } }), render: ({ value }) => <p>{`Drawn: ${value}`}</p> },
};
const { render: Surface } = new JSONGenerativeUI({ library }).present();

const parts = {
  Text: ({ text }) => <p className="text">{text}</p>,
  Reasoning: ({ text }) => <p className="reasoning">{`Thought: ${text}`}</p>,
  // The adapter shows a surface as a call of this tool.
  tools: { by_name: { present: Surface }, Fallback: Call },
};

function Message() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={parts} />
      <MessagePrimitive.Error>
        <ErrorPrimitive.Root className="error">
          <ErrorPrimitive.Message />
        </ErrorPrimitive.Root>
      </MessagePrimitive.Error>
    </MessagePrimitive.Root>
  );
}

/** The questions that are about no call: each is answered by a button. */
function Questions() {
  const answer = useAgUiSubmitInterruptResponses();
  const asked = useAgUiInterrupts().filter(({ reason }) => reason !== "tool_call");
  const answers = asked.map(({ id, reason }) => ({ interruptId: id, status: "resolved", payload: { answer: reason } }));
  if (asked.length === 0) return null;
  return <button onClick={() => answer(answers)}>{`Answer ${asked.map(({ message }) => message).join(" and ")}`}</button>;
}

/** The shared state, which the page can change. */
function State() {
  const state = useAgUiState();
  const set = useAgUiSetState();
  const [text, write] = useState("");
  return (
    <section>
      <pre id="state">{JSON.stringify(state ?? null)}</pre>
      <input aria-label="State" value={text} onChange={({ target }) => write(target.value)} />
      <button onClick={() => set(JSON.parse(text))}>Set state</button>
    </section>
  );
}

/** A tool that runs in the page. */
function Painter() {
  const [background, paint] = useState("none");
  useAssistantTool({
    toolName: "change_background",
    description: "Changes the background of the chat.",
    parameters: { type: "object", properties: { background: { type: "string" } }, required: ["background"] },
    execute: async ({ background }) => {
      paint(background);
      return "done";
    },
  });
  return <p id="background">{background}</p>;
}

function Page() {
  const agent = useMemo(() => new HttpAgent({ url, threadId }), []);
  const [failure, fail] = useState("");
  const runtime = useAgUiRuntime({ agent, onError: ({ message }) => fail(message), ...(threadId && { adapters: { history } }) });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Painter />
      <State />
      <ThreadPrimitive.Root>
        <div id="chat">
          <ThreadPrimitive.Messages>{() => <Message />}</ThreadPrimitive.Messages>
        </div>
        <Questions />
        <p id="failure">{failure}</p>
        <ThreadPrimitive.If running>
          <p id="status">running</p>
        </ThreadPrimitive.If>
        <ThreadPrimitive.If running={false}>
          <p id="status">idle</p>
        </ThreadPrimitive.If>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.querySelector("#root")).render(<Page />);
