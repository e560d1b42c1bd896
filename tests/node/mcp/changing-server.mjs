// A server on the newer official SDK, over standard input and output. Its tool `learn` reports progress, logs, and adds the tool
// `juggle`; `forget` removes that tool. It has a resource template and a prompt.
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const said = (text) => ({ content: [{ type: "text", text }] });

function server() {
  const server = new McpServer({ name: "changing", version: "1.0.0" }, { capabilities: { logging: {} } });
  let juggle;
  server.registerTool("learn", { description: "Learns to juggle." }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    await context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress: 1, total: 2, message: "one ball" },
    });
    await context.mcpReq.log("info", "The second ball is difficult.");
    juggle ??= server.registerTool("juggle", { description: "Juggles." }, async () => said("o o o"));
    return said("learned");
  });
  server.registerTool("forget", { description: "Forgets juggling." }, async () => {
    juggle?.remove();
    juggle = undefined;
    return said("forgotten");
  });
  server.registerResource("ball", new ResourceTemplate("ball://{number}", { list: undefined }), {}, async (uri, { number }) => ({
    contents: [{ uri: uri.href, text: `ball ${number}` }],
  }));
  server.registerPrompt("cheer", { description: "Cheers." }, async () => ({
    messages: [{ role: "user", content: { type: "text", text: "Cheer!" } }],
  }));
  return server;
}

serveStdio(server);
