// The requests of the page, and the lines of their answers.

/** The lines of an answer, as values. */
async function* lines(response) {
  const text = new TextDecoder();
  let rest = "";
  for await (const bytes of pieces(response.body)) {
    const found = (rest + text.decode(bytes, { stream: true })).split("\n");
    rest = found.pop();
    for (const line of found) yield JSON.parse(line);
  }
  if (rest) yield JSON.parse(rest);
}

/** The pieces of a body. Not every browser lets a body be iterated. */
async function* pieces(body) {
  const reader = body.getReader();
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await reader.read();
      isOver = done;
      if (value) yield value;
    }
  } finally {
    if (!isOver) reader.cancel().catch(() => {});
  }
}

async function accepted(response) {
  if (response.ok) return response;
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).error.message;
  } catch {
    // Not ours: the text says more than its form.
  }
  throw new Error(message || `status ${response.status}`);
}

export async function agents() {
  return (await (await accepted(await fetch("/inspector/agents"))).json()).agents;
}

export async function capabilities(agent) {
  const asked = new URLSearchParams({ agent: agent.url });
  return (await accepted(await fetch(`/inspector/capabilities?${asked}`))).json();
}

/** Runs an agent: the lines about its events, and the end. */
export async function* run(agent, input, signal) {
  const body = JSON.stringify({ agent: agent.url, input });
  const headers = { "content-type": "application/json" };
  yield* lines(await accepted(await fetch("/inspector/run", { method: "POST", headers, body, signal })));
}

/** The lines about a recording. */
export async function* read(text) {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  yield* lines(await accepted(await fetch("/inspector/read", { method: "POST", headers, body: text })));
}
