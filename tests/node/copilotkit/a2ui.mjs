// A2UI by its official packages: the toolkit's check, the core that draws, and the middleware in front of an agent.
//
// stdin: one JSON job { "validate": [{ components, data?, catalog? }],
//   "messages": true   the messages of the examples that A2UI's package has,
//   "runs": [{ url, input, middleware? }]   runs of an agent, with the options of the middleware if it stands in front }
// stdout: { "validated": [{ valid, errors }], "messages": [message, …],
//   "runs": [{ events, messages, drawn: [{ content, surfaces }] }] }   after each event of an activity, its content and what is drawn
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { A2UIMiddleware } from "@ag-ui/a2ui-middleware";
import { validateA2UIComponents } from "@ag-ui/a2ui-toolkit";
import { HttpAgent } from "@ag-ui/client";
import { Catalog, MessageProcessor } from "@a2ui/web_core/v0_9";

const job = JSON.parse(readFileSync(0, "utf8"));

/** All messages of the examples of the catalogs. */
function exampleMessages() {
  const catalogs = join(process.env.AGUI_NODE_PACKAGES, "node_modules/@a2ui/web_core/src/v0_9/schemas/catalogs");
  return readdirSync(catalogs).flatMap((catalog) => {
    const examples = join(catalogs, catalog, "examples");
    const read = (file) => JSON.parse(readFileSync(join(examples, file), "utf8"));
    return readdirSync(examples).filter((file) => file.endsWith(".json")).flatMap((file) => read(file).messages ?? []);
  });
}

/** Draws the contents of an activity, one after the other, as CopilotKit's page does: all messages again, except that a surface is created once. */
function painter() {
  const catalogs = [];
  const processor = new MessageProcessor(catalogs);
  return (content) => {
    const messages = content.a2ui_operations ?? [];
    // Every catalog is known here, without components: the core keeps those of any name.
    for (const { createSurface } of messages) if (createSurface) catalogs.push(new Catalog(createSurface.catalogId, [], []));
    const known = (message) => message.createSurface && processor.model.getSurface(message.createSurface.surfaceId);
    processor.processMessages(structuredClone(messages.filter((message) => !known(message))));
    return Object.fromEntries(
      [...processor.model.surfacesMap.values()].map((surface) => {
        const components = [...surface.componentsModel.entries].map(([id, { type, properties }]) => [id, { ...properties, component: type }]);
        return [surface.id, { data: surface.dataModel.get("/"), components: Object.fromEntries(components) }];
      }),
    );
  };
}

async function run({ url, input, middleware }) {
  const agent = new HttpAgent({ url, threadId: input.threadId });
  if (middleware) agent.use(new A2UIMiddleware(middleware));
  agent.addMessages(input.messages ?? []);
  const events = [];
  const drawn = [];
  const painters = new Map();
  const look = ({ event, messages }) => {
    const message = messages.find(({ id }) => id === event.messageId);
    if (!message) return;
    if (!painters.has(message.id)) painters.set(message.id, painter());
    const content = structuredClone(message.content);
    drawn.push({ id: message.id, content, surfaces: painters.get(message.id)(content) });
  };
  const subscriber = {
    onEvent: ({ event }) => void events.push(structuredClone(event)),
    onMessagesChanged: ({ messages }) => {
      const event = events.at(-1);
      if (event?.type.startsWith("ACTIVITY_")) look({ event, messages });
    },
  };
  const { context, tools, forwardedProps } = input;
  await agent.runAgent({ context, tools, forwardedProps }, subscriber);
  return { events, messages: agent.messages, drawn };
}

const runs = [];
for (const one of job.runs ?? []) runs.push(await run(one));
const validated = (job.validate ?? []).map((one) => validateA2UIComponents(one));
process.stdout.write(JSON.stringify({ validated, messages: job.messages ? exampleMessages() : [], runs }));
