// Records a conversation with the desk through the inspector, for the front page of the site: a question, and the three answers to it.
//
// stdin: { "url": the inspector's address }; stdout: the recording.
const { url } = JSON.parse(await new Response(process.stdin).text());
const WORDS = "Order 8 is broken. I want my money back.";
const [threadId, runIds] = ["thread-recorded", { asked: "run-asked", approved: "run-approved", refused: "run-refused", cancelled: "run-cancelled" }];

const json = async (path) => (await fetch(new URL(path, url))).json();
const { agents: [found] } = await json("/inspector/agents");
const message = { id: "message-recorded", role: "user", content: WORDS };
const empty = { protocolVersion: "1.0", state: {}, tools: [], context: [], forwardedProps: {} };

async function run(name, rest) {
  const body = JSON.stringify({ agent: found.url, input: { ...empty, threadId, runId: runIds[name], ...rest } });
  const answer = await fetch(new URL("/inspector/run", url), { method: "POST", headers: { "content-type": "application/json" }, body });
  if (!answer.ok) throw new Error(await answer.text());
  const lines = (await answer.text()).trim().split("\n").map((line) => JSON.parse(line));
  // A tenth of a millisecond is more than a reader sees.
  return lines.map((line) => ({ ...line, at: Math.round(line.at * 10) / 10, run: name }));
}

const prefix = ({ text }) => /"messageId":"([^"]+)-message-/.exec(text)?.[1];

/** A question counts for one answer, so each answer has a conversation of its own, whose ids are made those of the first. */
async function conversation(name, answer, first) {
  const asked = await run("asked", { messages: [message] });
  const end = asked.at(-1);
  const resume = [{ interruptId: end.questions[0].id, ...answer }];
  const answered = await run(name, { messages: JSON.parse(end.messages), state: JSON.parse(end.state), resume });
  const [mine, its] = [asked, first?.asked ?? asked].map((lines) => lines.map(prefix).find(Boolean));
  return { asked, [name]: JSON.parse(JSON.stringify(answered).replaceAll(mine, its)) };
}

const refused = await conversation("refused", { status: "resolved", payload: { approved: false } });
const cancelled = await conversation("cancelled", { status: "cancelled" }, refused);
// The last, because the shop has paid then.
const approved = await conversation("approved", { status: "resolved", payload: { approved: true } }, refused);
const runs = { ...approved, ...cancelled, ...refused };
const capabilities = await json(`/inspector/capabilities?${new URLSearchParams({ agent: found.url })}`);
const agent = { ...found, url: "/", group: "Recorded", about: "Helps customers of a shop with their orders.", input: { messages: [message] } };
console.log(JSON.stringify({ threadId, runIds, agent, capabilities, runs }, null, 1));
