// Holds conversations with agents behind CopilotKit's runtime, over HTTP and with the client of its page.
//
// stdin: one JSON job { "url", "seed", "turns", "pools": [[{ "name", "says": [text, …], "answers"?: {tool: result}, "decides": the answer to its questions }, …], …],
//   "script"?: [text, …]   messages to the first agent, instead of random ones }
// The seed decides the agent and its pool, the message, and if the agent's question is answered first.
// stdout: { "turns": [{ "agent", "said", "end", "code"?, "error"? }, …], "reloads": [{ "agent", "error"?, "state", "held" }, …] }:
// the end of each run, and the state of the thread after a reload.
import { randomUUID } from "node:crypto";
import { HttpAgent } from "@ag-ui/client";

/** Mulberry32: the same numbers for the same seed, everywhere. */
function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The calls of a thread that have no result. */
function openCalls(messages) {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  return messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !answered.has(call.id));
}

const address = (job, agent, what) => `${job.url}/api/copilotkit/agent/${agent}/${what}`;

/** Runs once and returns the end. */
async function run(agent, parameters = {}) {
  let end;
  let code;
  try {
    await agent.runAgent(parameters, {
      onEvent: ({ event }) => {
        end = event.type;
        code = event.code;
      },
    });
    return { end, code };
  } catch (cause) {
    return { end, code, error: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function turn(agent, said, answers, payload) {
  if (answers) {
    for (const call of openCalls(agent.messages)) {
      const content = answers[call.function.name] ?? "done";
      agent.addMessage({ id: randomUUID(), role: "tool", toolCallId: call.id, content });
    }
    const open = agent.pendingInterrupts ?? [];
    const resume = open.map(({ id }) => ({ interruptId: id, status: "resolved", payload }));
    return run(agent, open.length > 0 ? { resume } : {});
  }
  agent.addMessage({ id: randomUUID(), role: "user", content: said });
  return run(agent);
}

/** The state of a page that loads the thread again. */
async function reload(job, name, threadId, held) {
  const agent = new HttpAgent({ url: address(job, name, "connect"), threadId });
  const { error } = await run(agent);
  return { agent: name, error, state: agent.state, held };
}

/** Holds one conversation; `plan` returns the next message, until there is none. */
async function converse(job, { name, decides }, plan, report) {
  const threadId = randomUUID();
  const agent = new HttpAgent({ url: address(job, name, "run"), threadId });
  for (const { say, answers } of plan) {
    const isAsked = openCalls(agent.messages).length + (agent.pendingInterrupts ?? []).length > 0;
    // The client itself refuses to continue before a question is answered; calls may stay open.
    const mustAnswer = (agent.pendingInterrupts ?? []).length > 0;
    const answer = isAsked ? (answers ?? (mustAnswer ? {} : undefined)) : undefined;
    const became = await turn(agent, say, answer, decides);
    report.turns.push({ agent: name, said: answer ? "(answers)" : say, ...became });
    // The runtime keeps a run only after the client has seen its end.
    await new Promise((next) => setTimeout(next, 50));
  }
  report.reloads.push(await reload(job, name, threadId, agent.state));
}

/** Conversations of four turns each. */
function randomPlans(job) {
  const number = numbers(job.seed);
  const plans = [];
  for (let left = job.turns; left > 0; left -= 4) {
    const pool = job.pools[number(job.pools.length)];
    const talker = pool[number(pool.length)];
    const { says, answers } = talker;
    const plan = Array.from({ length: Math.min(4, left) }, () => ({
      say: says[number(says.length)],
      answers: number(3) > 0 ? (answers ?? {}) : undefined,
    }));
    plans.push([talker, plan]);
  }
  return plans;
}

let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
const job = JSON.parse(text);
const report = { turns: [], reloads: [] };
// The client's messages about failed runs are in the report.
console.error = () => {};
console.warn = () => {};
process.on("unhandledRejection", () => {});
const plans = job.script ? [[job.pools[0][0], job.script.map((say) => ({ say }))]] : randomPlans(job);
await Promise.all(plans.map(([talker, plan]) => converse(job, talker, plan, report)));
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
