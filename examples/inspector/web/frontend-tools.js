// The tools that an agent leaves to its user interface, as it declares them: the page offers them in place of one.
import { capabilities } from "./stream.js";

/** The member of the capabilities' `custom` with the tools, and the member of a tool's metadata with the schema of its results. */
const TOOLS = "agui-rust/frontendTools";
export const RESULT = "agui-rust/result";

/** A run does not wait longer for the declaration. */
const PATIENCE = 2000;

/** The declared tools by the address of the agent. */
const known = new Map();

/** The tools of an agent; none if it declares none, or does not answer. */
export async function frontendTools(agent) {
  if (!known.has(agent.url)) {
    const late = new Promise((done) => setTimeout(done, PATIENCE, null));
    const asked = capabilities(agent).then((answer) => answer.capabilities, () => null);
    const declared = (await Promise.race([asked, late]))?.custom?.[TOOLS];
    known.set(agent.url, Array.isArray(declared) ? declared.filter((tool) => typeof tool?.name === "string") : []);
  }
  return known.get(agent.url);
}

/** The declared tool of that name, for the form of its result. */
export const declaredTool = (agent, name) => known.get(agent?.url)?.find((tool) => tool.name === name);

/** The tools as an input offers them: the schema of the results is for the form. */
export function offered(tools) {
  return tools.map(({ name, description, parameters, metadata }) => {
    const { [RESULT]: _, ...rest } = metadata ?? {};
    return { name, description: description ?? "", parameters, ...(Object.keys(rest).length > 0 && { metadata: rest }) };
  });
}
