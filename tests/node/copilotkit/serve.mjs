// CopilotKit's runtime with agents of ours, and a page for them: the usual server in front of an agent.
//
// argv: one JSON job { "agents": {name: {"url", "headers"?}},
//   "page"?: the script of a page to serve, beside this file, "generated"?: the folder that it imports as `agui`,
//   "client"?: the package that the generated code gets for `@ag-ui/client`, which is CopilotKit's own otherwise,
//   "runner"?: a file that exports `ThreadRunner`; the agents are then of the generated client,
//   "port"?: any free one otherwise,
//   "into"?: a folder for the files of the page, which another program serves: this one then ends }
// Prints the address, then serves until it is killed. An uncaught exception ends the process, as in production.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { answerWith, bundledPage } from "../bundled-page.mjs";

// All connections here go to loopback.
process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
process.env.DO_NOT_TRACK = "1";

const job = JSON.parse(process.argv[2]);
const base = "/api/copilotkit";
const here = new URL(".", import.meta.url).pathname;

/** Gives another version of the official client to the generated code, as npm does for a page that depends on one. */
const otherClient = {
  name: "other-client",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^@ag-ui\/client$/ }, ({ importer, kind }) =>
      job.client && importer.startsWith(job.generated) ? resolve(job.client, { kind, resolveDir: here }) : undefined,
    );
  },
};

/** The page of the job. */
const page = () =>
  bundledPage("CopilotKit", new URL(job.page, import.meta.url), {
    alias: job.generated ? { agui: job.generated } : {},
    plugins: [otherClient],
  });

/** The runner of the job, and the agents that it needs. */
async function withRunner() {
  const { build } = await import("esbuild");
  const contents = `export { ThreadRunner } from ${JSON.stringify(job.runner)};
export { ThreadAgent } from ${JSON.stringify(`${job.generated}/_thread.ts`)};`;
  const outfile = `${job.runner}.mjs`;
  await build({ stdin: { contents, resolveDir: here }, bundle: true, packages: "external", platform: "node", format: "esm", outfile });
  return import(outfile);
}

/** CopilotKit's runtime for the agents of the job. */
async function listener() {
  const { CopilotRuntime } = await import("@copilotkit/runtime/v2");
  const { createCopilotNodeListener } = await import("@copilotkit/runtime/v2/node");
  const { HttpAgent } = await import("@ag-ui/client");
  const { ThreadRunner, ThreadAgent } = job.runner ? await withRunner() : {};
  const Agent = ThreadAgent ?? HttpAgent;
  const agents = Object.fromEntries(Object.entries(job.agents).map(([name, target]) => [name, new Agent(target)]));
  const runtime = new CopilotRuntime({ agents, ...(ThreadRunner ? { runner: new ThreadRunner(agents) } : {}) });
  return createCopilotNodeListener({ runtime, basePath: base });
}

// Without agents the page has another server.
const runtime = Object.keys(job.agents).length === 0 ? undefined : await listener();
const files = job.page ? await page() : {};

if (job.into) {
  for (const [path, text] of Object.entries(files)) writeFileSync(`${job.into}/${path === "/" ? "index.html" : path}`, text);
  process.exit();
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://page");
  if (runtime && pathname.startsWith(base)) return runtime(request, response);
  answerWith(files, request, response);
});
server.listen(job.port ?? 0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
