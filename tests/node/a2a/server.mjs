// An agent on the official server of A2A in TypeScript. It does what its user says, as tests/python/clients/a2a_server.py does:
// `hello`, `ask`, `file`, `wait`, `fail`, `message`. It prints its address.
import { createServer } from "node:http";
import express from "express";
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { UserBuilder, agentCardHandler, jsonRpcHandler, restHandler } from "@a2a-js/sdk/server/express";

const cancelled = new Set();
const seen = [];

class Desk {
  async execute(context, bus) {
    const message = Message.toJSON(context.userMessage);
    const text = message.parts.find((part) => part.text !== undefined)?.text ?? "";
    const ids = { taskId: context.taskId, contextId: context.contextId };
    const say = (parts) => ({ messageId: crypto.randomUUID(), role: "ROLE_AGENT", parts, ...ids });
    if (text === "message") {
      bus.publish(AgentEvent.message(Message.fromJSON(say([{ text: "No task is needed." }]))));
      return bus.finished();
    }
    const task = { id: context.taskId, contextId: context.contextId, status: { state: "TASK_STATE_SUBMITTED" }, history: [message] };
    bus.publish(AgentEvent.task(context.task ?? Task.fromJSON(task)));
    const status = (state, parts) =>
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: { state, message: parts && say(parts) } })),
      );
    const artifact = (artifactId, parts, append, lastChunk) =>
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact: { artifactId, parts }, append, lastChunk }),
        ),
      );
    const asked = context.task?.status?.message !== undefined && context.task.history.length > 0;
    status("TASK_STATE_WORKING");
    if (asked) {
      artifact("a-answer", [{ text: `You said ${text}.` }], false, true);
      status("TASK_STATE_COMPLETED");
    } else if (text === "ask") {
      status("TASK_STATE_INPUT_REQUIRED", [{ text: "Where to?" }]);
    } else if (text === "file") {
      const data = { read: message.parts };
      artifact("a-file", [{ text: "See this." }, { raw: "aGk=", mediaType: "image/png", filename: "hi.png" }, { data }], false, true);
      status("TASK_STATE_COMPLETED");
    } else if (text === "wait") {
      artifact("a-wait", [{ text: "waiting" }], false, false);
      while (!cancelled.has(context.taskId)) await new Promise((go) => setTimeout(go, 10));
      status("TASK_STATE_CANCELED");
    } else if (text === "fail") {
      status("TASK_STATE_FAILED", [{ text: "There is no ink." }]);
    } else {
      artifact("a-hello", [{ text: "Good " }], false, false);
      artifact("a-hello", [{ text: "day." }], true, true);
      status("TASK_STATE_COMPLETED");
    }
    bus.finished();
  }

  async cancelTask(taskId) {
    cancelled.add(taskId);
    seen.push(taskId);
  }
}

const app = express();
const server = createServer(app).listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = (path, protocolBinding) => AgentCard.fromJSON({
    name: "their desk",
    description: "Does what its user says.",
    version: "1",
    supportedInterfaces: [{ url: `${url}${path}`, protocolBinding, protocolVersion: "1.0" }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain", "image/png", "application/json"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "desk", name: "desk", description: "Does it.", tags: ["desk"] }],
  });
  const [store, desk, userBuilder] = [new InMemoryTaskStore(), new Desk(), UserBuilder.noAuthentication];
  const handler = (card) => new DefaultRequestHandler(card, store, desk);
  const rpc = handler(card("/rpc", "JSONRPC"));
  const rest = handler(card("/rest", "HTTP+JSON"));
  app.get("/cancelled", (_, response) => response.json(seen.length));
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: rpc }));
  app.use("/rpc", jsonRpcHandler({ requestHandler: rpc, userBuilder }));
  app.use("/rest/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: rest }));
  app.use("/rest", restHandler({ requestHandler: rest, userBuilder }));
  console.log(url);
});
