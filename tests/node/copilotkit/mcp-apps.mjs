// MCP Apps by their official packages. Two programs:
//
// argv `serve`: an MCP server whose tool has an app. Prints its address, and serves until it is killed.
// argv `judge`, stdin { "server", "agent", "says" }: holds the same conversation with the agent at `agent`, and with an agent that calls the
//   tool behind the official middleware over the same server; then loads the app through each, and lets the app call a tool.
// stdout of `judge`: { "own": REPORT, "official": REPORT }, REPORT = { contents: the activities' that CopilotKit accepts, rejected,
//   page: the app's HTML, told: the result that the app got from its tool, refused: the answer to `tools/list` }
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";

async function serve() {
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const { StreamableHTTPServerTransport } = await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
  const { registerAppTool, registerAppResource, getUiCapability, RESOURCE_MIME_TYPE } = await import("@modelcontextprotocol/ext-apps/server");
  const { z } = await import("zod");
  const uri = "ui://weather/page.html";

  function weather() {
    const server = new McpServer({ name: "weather", version: "1.0.0" });
    const text = (text) => ({ content: [{ type: "text", text }] });
    registerAppTool(
      server,
      "show_weather",
      { description: "Shows the weather.", inputSchema: { city: z.string() }, _meta: { ui: { resourceUri: uri } } },
      ({ city }) => ({ ...text(`It rains in ${city}.`), structuredContent: { city, ui: getUiCapability(server.server.getClientCapabilities()) } }),
    );
    registerAppTool(
      server,
      "refresh",
      { description: "For the app.", inputSchema: {}, _meta: { ui: { resourceUri: uri, visibility: ["app"] } } },
      () => text("It rains again."),
    );
    registerAppResource(server, "page", uri, {}, () => ({ contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text: "<p>Rain</p>" }] }));
    return server;
  }

  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (id) => void sessions.set(id, transport) });
      await weather().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}`));
}

async function judge() {
  const { AbstractAgent, HttpAgent, EventType } = await import("@ag-ui/client");
  const { MCPAppsMiddleware } = await import("@ag-ui/mcp-apps-middleware");
  const { MCPAppsActivityContentSchema } = await import("@copilotkit/mcp-apps-renderer/activity");
  const { AppBridge } = await import("@modelcontextprotocol/ext-apps/app-bridge");
  const { App } = await import("@modelcontextprotocol/ext-apps");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const { from } = await import("rxjs");
  const job = JSON.parse(readFileSync(0, "utf8"));

  /** An agent that calls the tool, and leaves its result to the middleware. */
  class Caller extends AbstractAgent {
    run({ threadId, runId }) {
      const toolCallId = randomUUID();
      return from([
        { type: EventType.RUN_STARTED, threadId, runId },
        { type: EventType.TOOL_CALL_START, toolCallId, toolCallName: "show_weather" },
        { type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify({ city: "Lisbon" }) },
        { type: EventType.TOOL_CALL_END, toolCallId },
        { type: EventType.RUN_FINISHED, threadId, runId },
      ]);
    }
  }

  async function look(agent) {
    agent.addMessages([{ id: randomUUID(), role: "user", content: job.says }]);
    await agent.runAgent({});
    const activities = agent.messages.filter(({ role, activityType }) => role === "activity" && activityType === "mcp-apps");
    const read = activities.map(({ content }) => MCPAppsActivityContentSchema.safeParse(content));
    const contents = read.filter(({ success }) => success).map(({ data }) => data);
    const rejected = read.filter(({ success }) => !success).map(({ error }) => error.message);

    const { serverHash, serverId, resourceUri } = contents[0];
    const proxied = async (method, params) =>
      (await agent.runAgent({ forwardedProps: { __proxiedMCPRequest: { serverHash, serverId, method, params } } })).result;
    const page = (await proxied("resources/read", { uri: resourceUri })).contents[0].text;

    // The app on the page, and the page's end of it, as CopilotKit has it.
    const [inside, outside] = InMemoryTransport.createLinkedPair();
    const bridge = new AppBridge(null, { name: "page", version: "1.0.0" }, { serverTools: {} }, { hostContext: {} });
    bridge.oncalltool = (params) => proxied("tools/call", params);
    const app = new App({ name: "app", version: "1.0.0" }, {}, { autoResize: false });
    await bridge.connect(outside);
    await app.connect(inside);
    const told = await app.callServerTool({ name: "refresh", arguments: {} });
    await app.close();
    const refused = await proxied("tools/list", {});
    return { contents, rejected, page, told, refused };
  }

  const own = await look(new HttpAgent({ url: job.agent }));
  const behind = new Caller();
  behind.use(new MCPAppsMiddleware({ mcpServers: [{ type: "http", url: job.server, serverId: "weather" }] }));
  const official = await look(behind);
  process.stdout.write(JSON.stringify({ own, official }));
  process.exit(0);
}

await (process.argv[2] === "serve" ? serve() : judge());
