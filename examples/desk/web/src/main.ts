import { randomUUID } from "@ag-ui/client";
import { DeskAgent } from "../../ts/agui/desk/client.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { byId } from "./dom.js";
import { Question } from "./question.js";
import { Receipt } from "./receipt.js";
import { Session, type Status } from "./session.js";
import { suggestions } from "./suggestions.js";
import { ThreadPane } from "./threads.js";

const STATUS: { readonly [S in Status]: string } = { ready: "Ready", working: "Writing", waiting: "Waits for you" };

const agent = new DeskAgent({ url: "/", threadId: threadOfTab(), headers: { "x-customer": customer() } });
// The server says so if it stores conversations.
const isStored = "threads" in document.body.dataset;
const conversation = new Conversation();
const receipt = new Receipt();

const session = new Session(agent, {
  status: (status) => {
    conversation.busy = status === "working";
    composer.status = status;
    const shown = byId("status", HTMLElement);
    shown.textContent = STATUS[status];
    shown.dataset["status"] = status;
  },
  ask: (asked) => {
    const { number } = asked.payload.arguments;
    const found = agent.typedState?.order;
    const order = found?.number === number ? found : undefined;
    const question = new Question(asked.payload, order?.item, order && order.cents - order.refunded);
    return conversation.ask(question, conversation.card({ id: asked.toolCallId ?? asked.id, name: asked.payload.tool }));
  },
  failed: (failure) => conversation.fail(failure, () => void session.retry()),
}, isStored);

const composer = new Composer(
  (text) => void session.say(text),
  () => session.stop(),
  isStored,
);

agent.subscribe({ onMessagesChanged: ({ messages }) => conversation.show(messages) });

// The state, with the type that the agent declares in Rust.
agent.on({
  state: ({ order }) => {
    receipt.show(order);
    composer.suggestions = suggestions(order);
  },
  // The session reports the end of a run, whatever its cause.
  failed: () => {},
});
composer.suggestions = suggestions(null);
byId("anew", HTMLAnchorElement).addEventListener("click", () => sessionStorage.removeItem("thread"));
const threads = new ThreadPane(agent.threads, agent.threadId, (threadId) => {
  // A run of this conversation goes on at the server.
  if (threadId === undefined) sessionStorage.removeItem("thread");
  else sessionStorage.setItem("thread", threadId);
  location.assign("/");
});
void session.load();
if (isStored) {
  const refresh = () => void threads.refresh();
  const refreshUntilTitled = () => void threads.refreshUntilTitled();
  agent.subscribe({ onRunStartedEvent: refresh, onRunFinalized: refreshUntilTitled, onRunFailed: refresh });
  refresh();
}
composer.focus();

/** The conversation of this tab, which a reload keeps if the server stores it. */
function threadOfTab(): string {
  const thread = sessionStorage.getItem("thread") ?? randomUUID();
  sessionStorage.setItem("thread", thread);
  return thread;
}

/** The secret by which the server knows this browser's conversations. */
function customer(): string {
  const secret = localStorage.getItem("customer") ?? randomUUID();
  localStorage.setItem("customer", secret);
  return secret;
}
