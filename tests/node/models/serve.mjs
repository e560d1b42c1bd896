// A mock of model providers with the fixtures of a file, until its standard input ends. The first line says its port.
// Each request is appended to the second file as it came, a line of JSON each: the journal of the mock has them translated.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import { LLMock } from "@copilotkit/aimock";

const [, , fixtures, requests] = process.argv;

subscribe("http.server.request.start", ({ request }) => {
  const parts = [];
  const push = request.push.bind(request);
  request.push = (part, encoding) => {
    if (part === null) {
      const body = Buffer.concat(parts).toString();
      appendFileSync(requests, `${JSON.stringify({ path: request.url, body })}\n`);
    } else {
      parts.push(part);
    }
    return push(part, encoding);
  };
});

const mock = new LLMock({ port: 0, logLevel: "silent" });
mock.addFixturesFromJSON(JSON.parse(readFileSync(fixtures, "utf8")));
await mock.start();
console.log(JSON.stringify({ port: mock.port }));
process.stdin.resume();
process.stdin.on("end", async () => {
  await mock.stop();
  process.exit(0);
});
