// The conversation after any event, for the page. The program folds it too, for the next input; a test compares both.
import { apply } from "./patch.js";
import { SURFACE } from "./surface.js";

export class Conversation {
  /** `{ id, role, text, author, calls, isOpen, … , revision }`, in their order. */
  messages = [];
  #position = -1;
  #last = new Map();
  /** The message of each call by the id of the call. */
  #owners = new Map();
  /** The messages that changed since they were taken, and true if others came between them or went. */
  #changed = new Set();
  #isReordered = true;

  /** Goes to event `n`, forward as the events say, back by beginning again. */
  goTo(n, { events, runs }) {
    if (n < this.#position || (events.length && this.#first !== events[0])) this.#restart(events);
    for (let at = this.#position + 1; at <= n; at += 1) this.#add(events[at], runs);
    this.#position = n;
    return this.messages;
  }

  /** The messages that changed since the last call, and true if the list is not only longer. */
  takeChanges() {
    const changes = { messages: this.#changed, isReordered: this.#isReordered };
    this.#changed = new Set();
    this.#isReordered = false;
    return changes;
  }

  #touch(message) {
    message.revision += 1;
    this.#changed.add(message);
    return message;
  }

  #put(message) {
    this.messages.push(message);
    this.#changed.add(message);
    for (const { id } of message.calls) this.#owners.set(id, message);
    return message;
  }

  #first = undefined;

  #restart(events) {
    this.messages = [];
    this.#position = -1;
    this.#last = new Map();
    this.#owners = new Map();
    this.#isReordered = true;
    this.#first = events[0];
  }

  find(id, role) {
    return this.messages.findLast((message) => message.id === id && (!role || message.role === role));
  }

  #add(event, runs) {
    const { json, type, verdict, n } = event;
    if (runs[event.run].first === n) {
      this.#take(runs[event.run].input?.messages ?? json?.input?.messages ?? []);
      // The input may have the page's answer to a call of a surface.
      for (const message of this.messages) if (message.activityType === SURFACE) this.#touch(message);
    }
    if (!json || verdict === "refused" || verdict === "unread") return;
    if (Object.hasOwn(HANDLERS, type)) HANDLERS[type].call(this, json, event);
  }

  /** The messages of an input or a snapshot. */
  #take(messages) {
    for (const message of Array.isArray(messages) ? messages : []) {
      const known = this.messages.findIndex(({ id }) => id === message.id);
      const shown = fromMessage(message);
      if (known < 0) this.#put(shown);
      else if (JSON.stringify(this.messages[known].source) !== JSON.stringify(message)) {
        this.messages[known] = shown;
        for (const { id } of shown.calls) this.#owners.set(id, shown);
        this.#isReordered = true;
      }
    }
  }

  restate(messages) {
    const ids = new Set(messages.map(({ id }) => id));
    const isKept = ({ id, role }) => ids.has(id) || role === "activity" || role === "reasoning" || role === "end";
    this.messages = this.messages.filter(isKept);
    this.#owners = new Map(this.messages.flatMap((message) => message.calls.map(({ id }) => [id, message])));
    this.#isReordered = true;
    this.#take(messages);
  }

  /** The message with this id, made if there is none. Pieces without an id continue the last of their author. */
  open(id, role, author) {
    const key = `${author}/${role}`;
    const named = id ?? this.#last.get(key) ?? "";
    this.#last.set(key, named);
    const message = this.find(named, role) ?? this.#put({ id: named, role, author, text: "", calls: [], revision: 0 });
    return this.#touch(message);
  }

  /** A result stands after the message of its call, and after the results that are there already. */
  moveToCall(result) {
    const from = this.messages.lastIndexOf(result);
    this.messages.splice(from, 1);
    // Most results come soon after their calls: both are found from the end.
    const owner = this.messages.lastIndexOf(this.#owners.get(result.toolCallId));
    let at = owner < 0 ? from : owner + 1;
    while (owner >= 0 && this.messages[at]?.role === "tool") at += 1;
    this.messages.splice(at, 0, result);
    if (at !== from) this.#isReordered = true;
  }

  /** Calls in chunks have no end of their own. */
  endCalls() {
    for (const message of this.messages) {
      if (message.calls.some(({ isOver }) => !isOver)) this.#touch(message);
      for (const call of message.calls) call.isOver = true;
    }
  }

  call(id, author) {
    const named = id ?? this.#last.get(`${author}/call`) ?? "";
    this.#last.set(`${author}/call`, named);
    const owner = this.#owners.get(named);
    const call = owner?.calls.find(({ id }) => id === named);
    if (call) this.#touch(owner);
    return call ?? null;
  }

  addCall(message, call) {
    message.calls.push(call);
    this.#owners.set(call.id, message);
  }

  /** Notes that a message or a call has a value that only its producer can read. */
  seal({ subtype, entityId, encryptedValueType }) {
    const owner = this.#owners.get(entityId);
    const message = subtype === "tool-call" ? owner : this.find(entityId);
    const sealed = subtype === "tool-call" ? owner?.calls.find(({ id }) => id === entityId) : message;
    if (!sealed) return;
    sealed.sealed = encryptedValueType ?? "";
    this.#touch(message);
  }

  addEnd(json, n) {
    this.#put({ id: `end-${n}`, role: "end", text: "", calls: [], end: json, author: "", revision: 0 });
  }
}

const textOf = (content) =>
  typeof content === "string" ? content
  : Array.isArray(content) ? content.map((part) => part?.text ?? `[${part?.type ?? "part"}]`).join("\n")
  : content === undefined || content === null ? "" : JSON.stringify(content);

/** The kind of the value that only its producer can read; empty if the kind is unknown, as in AG-UI 1.0. */
const sealOf = ({ encryptedValue, encryptedValueType }) => (encryptedValue === undefined ? undefined : encryptedValueType ?? "");

function fromMessage(message) {
  const calls = (message.toolCalls ?? []).map((call) => ({
    id: call.id, name: call.function?.name ?? "", args: call.function?.arguments ?? "", isOver: true, sealed: sealOf(call),
  }));
  const content = message.role === "activity" ? message.content : undefined;
  return {
    id: message.id, role: message.role, name: message.name, author: message.subagentRunId ?? "", text: textOf(message.content),
    toolCallId: message.toolCallId, activityType: message.activityType, content, calls, source: message, sealed: sealOf(message), revision: 1,
  };
}

function startCall(json, { author }) {
  const parent = this.find(json.parentMessageId, "assistant");
  const message = this.open(parent?.id ?? json.parentMessageId ?? json.toolCallId, "assistant", author);
  this.addCall(message, { id: json.toolCallId, name: json.toolCallName, args: "", isOver: false });
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
  REASONING_ENCRYPTED_VALUE(json) {
    this.seal(json);
  },
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
    this.addEnd(json, n);
  },
  RUN_ERROR(json, { n }) {
    this.endCalls();
    this.addEnd(json, n);
  },
};
