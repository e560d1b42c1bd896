// The conversation after any event, for the page. The program folds it too, for the next input; a test compares both.
import { apply } from "./patch.js";

export class Conversation {
  /** `{ id, role, text, author, calls, isOpen, … , revision }`, in their order. */
  messages = [];
  #position = -1;
  #last = new Map();

  /** Goes to event `n`, forward as the events say, back by beginning again. */
  goTo(n, { events, runs }) {
    if (n < this.#position || (events.length && this.#first !== events[0])) this.#restart(events);
    for (let at = this.#position + 1; at <= n; at += 1) this.#add(events[at], runs);
    this.#position = n;
    return this.messages;
  }

  #first = undefined;

  #restart(events) {
    this.messages = [];
    this.#position = -1;
    this.#last = new Map();
    this.#first = events[0];
  }

  find(id, role) {
    return this.messages.findLast((message) => message.id === id && (!role || message.role === role));
  }

  #add(event, runs) {
    const { json, type, verdict, n } = event;
    if (runs[event.run].first === n) this.#take(runs[event.run].input?.messages ?? json?.input?.messages ?? []);
    if (!json || verdict === "refused" || verdict === "unread") return;
    if (Object.hasOwn(HANDLERS, type)) HANDLERS[type].call(this, json, event);
  }

  /** The messages of an input or a snapshot. */
  #take(messages) {
    for (const message of Array.isArray(messages) ? messages : []) {
      const known = this.messages.findIndex(({ id }) => id === message.id);
      const shown = fromMessage(message);
      if (known < 0) this.messages.push(shown);
      else if (JSON.stringify(this.messages[known].source) !== JSON.stringify(message)) this.messages[known] = shown;
    }
  }

  restate(messages) {
    const ids = new Set(messages.map(({ id }) => id));
    const isKept = ({ id, role }) => ids.has(id) || role === "activity" || role === "reasoning" || role === "end";
    this.messages = this.messages.filter(isKept);
    this.#take(messages);
  }

  /** The message with this id, made if there is none. Pieces without an id continue the last of their author. */
  open(id, role, author) {
    const key = `${author}/${role}`;
    const named = id ?? this.#last.get(key) ?? "";
    this.#last.set(key, named);
    let message = this.find(named, role);
    if (!message) {
      message = { id: named, role, author, text: "", calls: [], revision: 0 };
      this.messages.push(message);
    }
    message.revision += 1;
    return message;
  }

  /** A result stands after the message of its call, and after the results that are there already. */
  moveToCall(result) {
    const others = this.messages.filter((message) => message !== result);
    const owner = others.findLastIndex(({ calls }) => calls.some(({ id }) => id === result.toolCallId));
    if (owner < 0) return;
    let at = owner + 1;
    while (others[at]?.role === "tool") at += 1;
    this.messages = others.toSpliced(at, 0, result);
  }

  /** Calls in chunks have no end of their own. */
  endCalls() {
    for (const message of this.messages) {
      if (message.calls.some(({ isOver }) => !isOver)) message.revision += 1;
      for (const call of message.calls) call.isOver = true;
    }
  }

  call(id, author) {
    const named = id ?? this.#last.get(`${author}/call`) ?? "";
    this.#last.set(`${author}/call`, named);
    for (const message of this.messages) {
      const call = message.calls.find((call) => call.id === named);
      if (call) return (message.revision += 1), call;
    }
    return null;
  }
}

const textOf = (content) =>
  typeof content === "string" ? content
  : Array.isArray(content) ? content.map((part) => part?.text ?? `[${part?.type ?? "part"}]`).join("\n")
  : content === undefined || content === null ? "" : JSON.stringify(content);

function fromMessage(message) {
  const calls = (message.toolCalls ?? []).map((call) => ({
    id: call.id, name: call.function?.name ?? "", args: call.function?.arguments ?? "", isOver: true,
  }));
  const content = message.role === "activity" ? message.content : undefined;
  return {
    id: message.id, role: message.role, name: message.name, author: message.subagentRunId ?? "", text: textOf(message.content),
    toolCallId: message.toolCallId, activityType: message.activityType, content, calls, source: message, revision: 1,
  };
}

function startCall(json, { author }) {
  const parent = this.find(json.parentMessageId, "assistant");
  const message = this.open(parent?.id ?? json.parentMessageId ?? json.toolCallId, "assistant", author);
  message.calls.push({ id: json.toolCallId, name: json.toolCallName, args: "", isOver: false });
  this.call(json.toolCallId, author);
}

function pushText(role) {
  return function push(json, { author }) {
    const message = this.open(json.messageId, role === "text" ? "assistant" : role, author);
    message.text += json.delta ?? "";
  };
}

const HANDLERS = {
  TEXT_MESSAGE_START(json, { author }) {
    this.open(json.messageId, json.role ?? "assistant", author).name = json.name;
  },
  TEXT_MESSAGE_CONTENT(json, { author }) {
    const known = this.find(json.messageId);
    this.open(json.messageId, known?.role ?? "assistant", author).text += json.delta ?? "";
  },
  TEXT_MESSAGE_CHUNK(json, { author }) {
    this.open(json.messageId, json.role ?? "assistant", author).text += json.delta ?? "";
  },
  REASONING_MESSAGE_START(json, { author }) {
    this.open(json.messageId, "reasoning", author);
  },
  REASONING_MESSAGE_CONTENT: pushText("reasoning"),
  REASONING_MESSAGE_CHUNK: pushText("reasoning"),
  TOOL_CALL_START: startCall,
  TOOL_CALL_ARGS(json, { author }) {
    const call = this.call(json.toolCallId, author);
    if (call) call.args += json.delta ?? "";
  },
  TOOL_CALL_CHUNK(json, event) {
    if (json.toolCallId && !this.call(json.toolCallId, event.author)) startCall.call(this, json, event);
    const call = this.call(json.toolCallId, event.author);
    if (call) call.args += json.delta ?? "";
  },
  TOOL_CALL_END(json, { author }) {
    const call = this.call(json.toolCallId, author);
    if (call) call.isOver = true;
  },
  TOOL_CALL_RESULT(json, { author }) {
    const message = this.open(json.messageId, "tool", author);
    Object.assign(message, { toolCallId: json.toolCallId, text: textOf(json.content) });
    this.moveToCall(message);
  },
  MESSAGES_SNAPSHOT(json) {
    this.restate(json.messages ?? []);
  },
  ACTIVITY_SNAPSHOT(json, { author }) {
    const message = this.open(json.messageId, "activity", author);
    if (json.replace === false && message.content !== undefined) return;
    Object.assign(message, { content: json.content, activityType: json.activityType });
  },
  ACTIVITY_DELTA(json, { author }) {
    const message = this.find(json.messageId, "activity");
    if (!message) return;
    this.open(json.messageId, "activity", author);
    try {
      message.content = apply(message.content, json.patch);
    } catch {
      // The verifier reports it beside the event.
    }
  },
  RUN_FINISHED(json, { n }) {
    this.endCalls();
    const isPlain = !json.outcome || json.outcome.type === "success";
    if (isPlain && json.result === undefined) return;
    this.messages.push({ id: `end-${n}`, role: "end", text: "", calls: [], end: json, author: "", revision: 0 });
  },
  RUN_ERROR(json, { n }) {
    this.endCalls();
    this.messages.push({ id: `end-${n}`, role: "end", text: "", calls: [], end: json, author: "", revision: 0 });
  },
};
