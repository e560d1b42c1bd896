// An official client of MCP, of one of its two generations: connects to a server, lists its tools and calls some.
// The job is on standard input: { generation, connect: { command, args } | { url }, calls: [{ name, arguments, cancelAfterMs?, reports? }] }.
// A call with `reports` asks for its progress, which stands in the result as `reported`.
import { readFileSync } from "node:fs";

const job = JSON.parse(readFileSync(0, "utf8"));
const about = { name: "official-client", version: "1.0.0" };

// `sdk` speaks 2025-11-25, `client` speaks 2026-07-28 if it is asked to.
async function older() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return { client: new Client(about), StdioClientTransport, StreamableHTTPClientTransport };
}

async function newer() {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  return { client, StdioClientTransport, StreamableHTTPClientTransport };
}

const { client, StdioClientTransport, StreamableHTTPClientTransport } = await (job.generation === "sdk" ? older() : newer());
const transport = job.connect.url
  ? new StreamableHTTPClientTransport(new URL(job.connect.url))
  : new StdioClientTransport(job.connect);
await client.connect(transport);

const call = async ({ name, arguments: given, cancelAfterMs, reports }) => {
  const signal = cancelAfterMs === undefined ? undefined : AbortSignal.timeout(cancelAfterMs);
  const params = { name, arguments: given };
  const reported = [];
  const options = reports ? { signal, onprogress: (progress) => void reported.push(progress) } : { signal };
  try {
    const result =
      job.generation === "sdk" ? await client.callTool(params, undefined, options) : await client.callTool(params, options);
    return reports ? { ...result, reported } : result;
  } catch (error) {
    return { thrown: error.message, code: error.code };
  }
};

const { tools } = await client.listTools();
const results = [];
for (const one of job.calls) results.push(await call(one));
const report = {
  version: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? null,
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools,
  results,
};
await client.close();
console.log(JSON.stringify(report));
