import {
  CopilotChat,
  randomUUID, //+threads
  useConfigureSuggestions,
  useCopilotKit,
} from "@copilotkit/react-core/v2";
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { AGENT } from "./agui/assistant/agent.js";
import { useAddView, useAssistantAgent, useAssistantInterrupts, useRemoveView } from "./agui/assistant/react.js";
import { reason, SUGGESTIONS, titleOf, words } from "./tools.js";

/** The name of this conversation at the server. */ //+threads
const threadId: string = (localStorage["thread"] ??= randomUUID()); //+threads

type Props = {
  /** The call that the open question is about. */
  readonly asked: string | undefined;
  readonly whenAsked: (call: string | undefined) => void;
};

type RunParameters = Parameters<ReturnType<typeof useCopilotKit>["copilotkit"]["runAgent"]>[0];

const Nothing = () => null;

/** The call that the open question is about. */
const Asked = createContext<string | undefined>(undefined);

/** CopilotKit's chat, with cards for calls, and the question about a call after them. */
export function Conversation({ asked, whenAsked }: Props) {
  const { copilotkit } = useCopilotKit();
  const { agent } = useAssistantAgent();
  const [failure, setFailure] = useState<{ readonly text: string; readonly again: () => unknown }>();
  const unsent = useRef<RunParameters["resume"]>(undefined); // the answers that no run has got
  useEffect(() => {
    const runs = agent.subscribe({
      onRunInitialized: () => setFailure(undefined),
      onRunStartedEvent: () => void (unsent.current = undefined), // the answers have arrived, and count once
    });
    const failures = copilotkit.subscribe({
      onError({ error, code }) {
        const run = () => copilotkit.runAgent({ agent, ...(unsent.current && { resume: unsent.current }) });
        const load = () => location.reload();
        setFailure({ text: reason(error), again: code.startsWith("agent_run") ? run : load });
      },
    });
    return () => {
      runs.unsubscribe();
      failures.unsubscribe();
    };
  }, [agent, copilotkit]);

  useConfigureSuggestions(
    {
      suggestions: SUGGESTIONS.map((task) => ({ title: task, message: task })),
      available: "before-first-message",
      consumerAgentId: AGENT,
    },
    [agent], // CopilotKit replaces the agent when the server has answered
  );
  useAddView(({ args, ...call }) => <Call tool="add" args={args} {...call} />);
  useRemoveView(({ args, ...call }) => <Call tool="remove" args={args} {...call} />);
  useAssistantInterrupts(({ id, toolCallId, payload, resolve }) => {
    function answer(approved: boolean) {
      const others = unsent.current?.filter(({ interruptId }) => interruptId !== id) ?? [];
      unsent.current = [...others, { interruptId: id, status: "resolved", payload: { approved } }];
      document.querySelector<HTMLElement>(".chat textarea")?.focus();
      void resolve({ approved });
    }
    const title = `${words(payload.tool, payload.arguments)}?`;
    return <Question title={title} call={toolCallId ?? id} whenAsked={whenAsked} answer={answer} />;
  });

  return (
    <Asked value={asked}>
      {agent.messages.length === 0 && (
        <div id="empty">
          <h2>What has to be done?</h2>
          <p>Name a task, and it goes on the list. Before one is removed, you are asked.</p>
        </div>
      )}
      <CopilotChat
        className="chat"
        threadId={threadId} //+threads
        labels={{ chatInputPlaceholder: "Buy rice, or: remove Buy rice", chatDisclaimerText: "" }}
        input={{
          addMenuButton: Nothing, // the agent takes no files
          textArea: { "aria-label": "Message" },
          sendButton: { "aria-label": agent.isRunning ? "Stop" : "Send" },
        }}
        suggestionView="suggestions"
        onStop={() => {
          copilotkit.stopAgent({ agent }); // asks the server, whose answer may take a while
          void agent.detachActiveRun();
        }}
        welcomeScreen={false}
      />
      <div id="failure" hidden={failure === undefined}>
        <p id="problem" role="alert">
          {failure?.text}
        </p>
        <button type="button" onClick={() => void failure?.again()}>
          Try again
        </button>
      </div>
    </Asked>
  );
}

type CallProps = {
  readonly tool: "add" | "remove";
  readonly id: string;
  readonly status: "inProgress" | "executing" | "complete";
  readonly args: object;
  readonly error?: string | undefined;
};

/** A call: its words, as soon as its arguments are whole, and what became of it. */
function Call({ tool, id, args, status, error }: CallProps) {
  const { agent } = useAssistantAgent();
  const isAsked = useContext(Asked) === id;
  const shown = statusOf(status === "complete", error, isAsked, agent.isRunning);
  return (
    <div className="call" data-status={shown.name}>
      <b>{titleOf({ name: tool, arguments: JSON.stringify(args) })}</b>
      <span>{shown.text}</span>
    </div>
  );
}

function statusOf(isComplete: boolean, error: string | undefined, isAsked: boolean, isRunning: boolean) {
  if (error !== undefined) return { name: "failed", text: error };
  if (isComplete) return { name: "done", text: "done" };
  if (isAsked) return { name: "waits for you", text: "waits for you" };
  return isRunning ? { name: "running", text: "running" } : { name: "stopped", text: "stopped" };
}

type QuestionProps = {
  readonly title: string;
  readonly call: string;
  readonly whenAsked: Props["whenAsked"];
  readonly answer: (approved: boolean) => void;
};

/** The question about a call. */
function Question({ title, call, whenAsked, answer }: QuestionProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    card.current?.focus(); // a screen reader reads the question, and Tab goes to its buttons
    whenAsked(call);
    return () => whenAsked(undefined);
  }, [call, whenAsked]);
  return (
    <section className="question" role="group" aria-label={title} tabIndex={-1} ref={card}>
      <h2>{title}</h2>
      <p>Nothing happens before you decide.</p>
      <button type="button" className="primary" onClick={() => answer(true)}>
        Accept
      </button>
      <button type="button" onClick={() => answer(false)}>
        Decline
      </button>
    </section>
  );
}
