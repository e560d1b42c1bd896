// A server with resumable-stream on Redis, as its README writes one: `node server.mjs` with REDIS_URL. It prints its port,
// and ends with its input.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createResumableStreamContext } from "resumable-stream";

const context = createResumableStreamContext({ waitUntil: null });

async function* frames({ tokens, burst, every, hold }) {
  const frame = (event) => `data: ${JSON.stringify(event)}\n\n`;
  const begun = performance.now();
  yield frame({ type: "RUN_STARTED", threadId: "t", runId: "r" });
  yield frame({ type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" });
  for (let number = 0; number < tokens; number += 1) {
    if (number > 0 && number % burst === 0 && every > 0) {
      const left = begun + every * (number / burst) - performance.now();
      if (left > 0) await sleep(left);
    }
    yield frame({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: `${number} ` });
  }
  if (hold > 0) await sleep(hold);
  yield frame({ type: "TEXT_MESSAGE_END", messageId: "m" });
  yield frame({ type: "RUN_FINISHED", threadId: "t", runId: "r" });
}

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const input = JSON.parse(Buffer.concat(parts));
  const load = JSON.parse(input.messages[0].content);
  const stream = await context.createNewResumableStream(input.runId, () => ReadableStream.from(frames(load)));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const chunk of stream) response.write(chunk);
  response.end();
});

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit()).resume();
