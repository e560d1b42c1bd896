// The inspector shows newer protocols: the kinds of encrypted values, surfaces of A2UI with their calls, questions of MCP servers.
//
// job: { "agents": { "reasoning", "surface", "mcp" }, "pictures": { "sealed", "surface", "mcp" } }
import { browse } from "./driver.mjs";
import { inspector } from "./inspector-page.mjs";

await browse(async ({ page, job, expect }) => {
  const see = inspector(page, expect);
  await expect("the agents", () => see.state(() => globalThis.inspector.store.agents.length === 3));
  const run = async (name) => {
    await page.locator(".agent", { hasText: job.agents[name] }).click();
    await see.ended();
    await page.locator("#tab-chat").click();
  };
  const shows = (locator, wanted) =>
    expect(`it shows ${wanted}`, async () => {
      const text = (await locator.innerText()).replace(/\s+/g, " ");
      if (!text.includes(wanted)) throw new Error(text);
      return true;
    });

  // AG-UI 1.1: the page asks for it, and gets the kind of the value.
  await run("reasoning");
  await shows(page.locator(".said[data-role=reasoning]"), "sealed: tour.signature");
  const started = await see.state(() => globalThis.inspector.store.events[0].json.protocolVersion);
  if (started !== "1.1") throw new Error(`the agent speaks ${started}`);
  await see.picture(job.pictures.sealed);

  // A surface of 0.9, as pages get it that say nothing.
  await run("surface");
  const surface = page.getByRole("region", { name: "A2UI surface" });
  await shows(surface.first(), "A2UI v0.9");
  await shows(surface.first(), "Surface hotels");

  // The same of 1.0, with a call of the page's function, its answer, and a call of the agent's.
  const next = (forwardedProps) =>
    see.state((props) => {
      const { input, end } = globalThis.inspector.store.runs.at(-1);
      return { ...input, runId: `run-${globalThis.inspector.store.runs.length}`, messages: end.messages, state: end.state, forwardedProps: props };
    }, forwardedProps);
  const start = async (forwardedProps) => {
    const input = await next(forwardedProps);
    await page.locator("#tab-input").click();
    await page.getByLabel("Input of the run").fill(JSON.stringify(input));
    await page.getByRole("button", { name: "Run this input" }).click();
    await see.ended();
    await page.locator("#tab-chat").click();
  };
  const capabilities = { "v1.0": { supportedCatalogIds: ["https://a2ui.org/demos/dojo/custom_catalog.json"] } };
  await start({ a2uiRendererCapabilities: capabilities });
  const newer = surface.filter({ hasText: "A2UI v1.0" }).first();
  await shows(newer, "agent → page countNights");
  await shows(newer, "no answer yet");
  await shows(newer, "The Ritz");
  const functionCallId = await see.state(() => {
    const { json } = globalThis.inspector.store.events.findLast(({ type }) => type === "ACTIVITY_SNAPSHOT");
    return json.content.a2ui_operations.find(({ callRendererFunction }) => callRendererFunction).callRendererFunction.functionCallId;
  });
  await start({ a2uiAction: { version: "v1.0", rendererFunctionResponse: { functionCallId, value: 3 } } });
  await see.says("You stay for 3 nights.");
  await shows(newer, "= 3");
  const callFunction = { call: "quotePrice", args: { nights: 2 } };
  await start({ a2uiAction: { version: "v1.0", callAgentFunction: { surfaceId: "hotels", functionCallId: "quote-1", callFunction } } });
  await shows(surface.last(), "page → agent quotePrice");
  await shows(surface.last(), '= "$900"');
  await newer.scrollIntoViewIfNeeded();
  await see.picture(job.pictures.surface);

  // A question of an MCP server names the server.
  await run("mcp");
  const form = page.locator("form.ask");
  await shows(form, "Asked by the MCP server node");
  await shows(form, "form: For whom?");
  await see.picture(job.pictures.mcp);
});
