// CopilotKit's runtime with agents of ours, and a page for them: the usual server in front of an agent.
//
// argv: one JSON job { "agents": {name: {"url", "headers"?}},
//   "page"?: the script of a page to serve, beside this file, "generated"?: the folder that it imports as `agui`,
//   "client"?: the package that the generated code gets for `@ag-ui/client`, which is CopilotKit's own otherwise,
//   "runner"?: a file that exports `ThreadRunner`; the agents are then of the generated client,
//   "port"?: any free one otherwise }
// Prints the address, then serves until it is killed. An uncaught exception ends the process, as in production.
import { createServer } from "node:http";

// All connections here go to loopback.
process.env.COPILOTKIT_TELEMETRY_DISABLED = "true";
process.env.DO_NOT_TRACK = "1";
const { CopilotRuntime } = await import("@copilotkit/runtime/v2");
const { createCopilotNodeListener } = await import("@copilotkit/runtime/v2/node");
const { HttpAgent } = await import("@ag-ui/client");

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

/** The page's script and styles, as text. */
async function bundle() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { page: new URL(job.page, import.meta.url).pathname },
    alias: job.generated ? { agui: job.generated } : {},
    bundle: true,
    write: false,
    outdir: "/",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [`${process.env.AGUI_NODE_PACKAGES}/node_modules`],
    plugins: [otherClient],
    // Fonts of formulas, which are not needed here.
    loader: { ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
    logLevel: "error",
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
}

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>CopilotKit</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css"></head><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;
const TYPES = { ".js": "text/javascript", ".css": "text/css" };

/** The runner of the job, and the agents that it needs. */
async function withRunner() {
  const { build } = await import("esbuild");
  const contents = `export { ThreadRunner } from ${JSON.stringify(job.runner)};
export { ThreadAgent } from ${JSON.stringify(`${job.generated}/_thread.ts`)};`;
  const outfile = `${job.runner}.mjs`;
  await build({ stdin: { contents, resolveDir: here }, bundle: true, packages: "external", platform: "node", format: "esm", outfile });
  return import(outfile);
}

const { ThreadRunner, ThreadAgent } = job.runner ? await withRunner() : {};
const Agent = ThreadAgent ?? HttpAgent;
const agents = Object.fromEntries(Object.entries(job.agents).map(([name, target]) => [name, new Agent(target)]));
const runtime = createCopilotNodeListener({ runtime: new CopilotRuntime({ agents, ...(ThreadRunner ? { runner: new ThreadRunner(agents) } : {}) }), basePath: base });
const files = job.page ? await bundle() : {};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://page");
  if (pathname.startsWith(base)) return runtime(request, response);
  const text = pathname === "/" ? HTML : files[pathname];
  if (text === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[pathname.slice(pathname.lastIndexOf("."))] ?? "text/html; charset=utf-8" });
  response.end(text);
});
server.listen(job.port ?? 0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
