// A server on the newer official SDK, over standard input and output. Its tool `book` asks the user for a name, and then to open an address.
import { McpServer, createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const codec = createRequestStateCodec({ key: "a secret of the server with enough bytes" });
let calls = 0;

function server() {
  const server = new McpServer({ name: "asking", version: "1.0.0" }, { requestState: { verify: codec.verify } });
  server.registerTool("book", { description: "Books a table." }, async (context) => {
    calls += 1;
    const before = context.mcpReq.requestState();
    const responses = context.mcpReq.inputResponses ?? {};
    if (!before) {
      const requestedSchema = { type: "object", properties: { name: { type: "string", minLength: 2 } }, required: ["name"] };
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: "For whom?", requestedSchema }) },
        requestState: await codec.mint({ step: 1 }),
      });
    }
    if (before.step === 1) {
      return inputRequired({
        inputRequests: { pay: inputRequired.elicitUrl({ message: "Pay.", url: "https://pay.example/1" }) },
        requestState: await codec.mint({ step: 2, name: responses.who.content?.name }),
      });
    }
    return { content: [{ type: "text", text: `${before.name} ${responses.pay.action} ${calls}` }] };
  });
  return server;
}

serveStdio(server);
