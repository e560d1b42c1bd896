// A mock of model providers with the fixtures of a file, until its standard input ends. The first line says its port.
import { readFileSync } from "node:fs";
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, logLevel: "silent" });
mock.addFixturesFromJSON(JSON.parse(readFileSync(process.argv[2], "utf8")));
await mock.start();
console.log(JSON.stringify({ port: mock.port }));
process.stdin.resume();
process.stdin.on("end", async () => {
  await mock.stop();
  process.exit(0);
});
