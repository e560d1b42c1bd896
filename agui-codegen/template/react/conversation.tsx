import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AssistantAgent, AssistantInterrupt } from "./agui/assistant/client.js";
import {
  type AssistantCall,
  useAssistantCalls,
  useAssistantInterrupts,
  useAssistantMessages,
  useAssistantStatus,
} from "./agui/assistant/react.js";
import { titleOf, words } from "./tools.js";

type Props = {
  readonly agent: AssistantAgent;
  readonly run: (parameters?: Parameters<AssistantAgent["runAgent"]>[0]) => Promise<unknown>;
  readonly whenAnswered: () => void;
  /** Shown while there is no message. */
  readonly children: ReactNode;
};

/** The messages as texts and cards of calls, with the question about a call in its card. */
export function Conversation({ agent, run, whenAnswered, children }: Props) {
  const messages = useAssistantMessages(agent);
  const calls = new Map(useAssistantCalls(agent).map((call) => [call.id, call]));
  const isRunning = useAssistantStatus(agent).status === "running";
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const open = useAssistantInterrupts(agent).filter(({ id }) => !answered.includes(id));
  const [asked] = open;
  const isInCard = messages.some(
    (message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === asked?.toolCallId),
  );
  useEffect(() => {
    window.scrollTo(0, document.body.scrollHeight);
  }, [messages.length, asked?.id]);

  function answer(approved: boolean) {
    if (asked === undefined) return;
    agent.resolve(asked, { approved });
    setAnswered([...answered, asked.id]);
    whenAnswered();
    if (open.length === 1) void run({ resume: agent.answers() }).then(() => setAnswered([]));
  }

  return (
    <>
      {messages.length === 0 && <div id="empty">{children}</div>}
      {/* Screen readers wait for whole sentences. */}
      <ol id="messages" aria-live="polite" aria-busy={isRunning}>
        {messages.flatMap((message) => {
          if (message.role !== "user" && message.role !== "assistant") return [];
          const text = typeof message.content === "string" ? message.content : "";
          const entries = text === "" ? [] : [<li key={message.id} className={message.role}>{text}</li>];
          for (const { id, function: called } of message.role === "assistant" ? (message.toolCalls ?? []) : []) {
            const isAsked = asked?.toolCallId === id;
            const status = statusOf(calls.get(id), isAsked, isRunning);
            entries.push(
              <li key={id} className="call" data-status={status.name}>
                <b>{titleOf(called)}</b>
                <span>{status.text}</span>
                {isAsked && <Question asked={asked} answer={answer} />}
              </li>,
            );
          }
          return entries;
        })}
      </ol>
      {asked && !isInCard && <Question asked={asked} answer={answer} />}
    </>
  );
}

function statusOf(call: AssistantCall | undefined, isAsked: boolean, isRunning: boolean) {
  if (call?.status === "answered") return { name: "done", text: "done" };
  if (call?.status === "failed") return { name: "failed", text: call.error };
  if (isAsked) return { name: "waits for you", text: "waits for you" };
  return isRunning ? { name: "running", text: "running" } : { name: "stopped", text: "stopped" };
}

/** The question about a call. */
function Question({ asked, answer }: { asked: AssistantInterrupt; answer: (approved: boolean) => void }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus(), [asked.id]); // a screen reader reads the question, and Tab goes to its buttons
  const title = `${words(asked.payload.tool, asked.payload.arguments)}?`;
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
