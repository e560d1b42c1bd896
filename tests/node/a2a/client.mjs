// The official client of A2A in TypeScript: finds an agent by its card, and does what the job says.
// The job is on standard input: { url, binding, steps: [{ name, method, params, cancelOn? }] }. A text `$name.task` or `$name.context` in
// the parameters stands for an id of an earlier step. `cancelOn` cancels the task when a text has arrived.
// The report: { card, steps: [{ items } | { thrown, message }] }, in the JSON form of the protocol.
import { readFileSync } from "node:fs";
import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";

const job = JSON.parse(readFileSync(0, "utf8"));
const client = await new ClientFactory({ ...ClientFactoryOptions.default, preferredTransports: [job.binding] }).createFromUrl(job.url);
const card = AgentCard.toJSON(await client.getAgentCard());
const known = {};

const filled = (value) => {
  if (typeof value === "string" && value.startsWith("$")) {
    const [name, kind] = value.slice(1).split(".");
    return known[name][kind];
  }
  if (Array.isArray(value)) return value.map(filled);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  }
  return value;
};

const learn = (name, task) => (known[name] ??= { task: task.id, context: task.contextId });

async function streamed(step, stream) {
  const items = [];
  let cancelled = false;
  for await (const item of stream) {
    const json = StreamResponse.toJSON(item);
    items.push(json);
    if (json.task) learn(step.name, json.task);
    if (step.cancelOn && !cancelled && JSON.stringify(json).includes(step.cancelOn)) {
      cancelled = true;
      await client.cancelTask(CancelTaskRequest.fromJSON({ id: known[step.name].task }));
    }
  }
  return { items };
}

const methods = {
  async send(step, params) {
    const answer = await client.sendMessage(SendMessageRequest.fromJSON(params));
    if ("messageId" in answer) return { items: [{ message: Message.toJSON(answer) }] };
    const task = Task.toJSON(answer);
    learn(step.name, task);
    return { items: [{ task }] };
  },
  stream: (step, params) => streamed(step, client.sendMessageStream(SendMessageRequest.fromJSON(params))),
  subscribe: (step, params) => streamed(step, client.resubscribeTask(SubscribeToTaskRequest.fromJSON(params))),
  get: async (_, params) => ({ items: [{ task: Task.toJSON(await client.getTask(GetTaskRequest.fromJSON(params))) }] }),
  cancel: async (_, params) => ({
    items: [{ task: Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON(params))) }],
  }),
  list: async (_, params) => ({
    items: [ListTasksResponse.toJSON(await client.listTasks(ListTasksRequest.fromJSON(params)))],
  }),
};

const steps = [];
for (const step of job.steps) {
  try {
    steps.push(await methods[step.method](step, filled(step.params)));
  } catch (error) {
    steps.push({ thrown: error.name, message: error.message });
  }
}
console.log(JSON.stringify({ card, steps }));
