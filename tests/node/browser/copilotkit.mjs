// Visits CopilotKit's page (copilotkit/page.jsx) as a user does, one agent after the other, and reports the text on
// screen at the end, and after a reload.
//
// job.runtime?: the address of the agents' server, if the page needs no runtime of CopilotKit.
// job.pages: [{ "agent", "id"?: its id there, "says": [text, …], "presses"?: [button, …] after what was said,
//   "catalog"?: the catalog of A2UI that the page has,
//   "sets"?: the state that the page sets first, "attaches"?: { "name", "mimeType", "base64" },
//   "shows": [text, …]   must be on screen in the end, in this order,
//   "again"?: [text, …]   the same when the page is loaded again, where it is something else,
//   "state"   must be in the agent's state as the page draws it; objects may have other members,
//   "error"?   must be on screen as well,
//   "picture": path }, …]
import { allowItsOwn, isIdle, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  const text = () => page.locator("#root").innerText();
  const inOrder = (whole, parts) => {
    let at = 0;
    return parts.every((part) => {
      const found = whole.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
  };
  const isIn = (wanted, held) => {
    if (wanted === null || typeof wanted !== "object") return wanted === held;
    if (held === null || typeof held !== "object" || (Array.isArray(wanted) && wanted.length !== held.length)) return false;
    return Object.entries(wanted).every(([key, value]) => isIn(value, held[key]));
  };
  const holds = async (state) => isIn(state, JSON.parse(await page.locator("#state").textContent()));

  /** Waits for the expected end; fails with the actual one. */
  async function looksRight({ agent, shows, state, error }, when) {
    await expect(`${agent} ${when}: ${JSON.stringify({ shows, state, error })}`, async () => {
      const whole = await text();
      const banner = page.locator("[data-testid=copilot-error-banner]");
      const told = (await banner.count()) > 0 ? await banner.first().innerText() : "";
      const right =
        (await isIdle(page)) && inOrder(whole, shows) && (await holds(state)) && (error ? told.includes(error) : told === "");
      if (!right) throw new Error(JSON.stringify(whole));
      return true;
    });
  }

  for (const one of job.pages) {
    if (one.error) expectTrouble("console.error", new RegExp(one.error));
    const address = new URL(job.url);
    const named = { agent: one.id ?? one.agent, thread: crypto.randomUUID(), ...(job.runtime ? { runtime: job.runtime } : {}), ...(one.catalog ? { catalog: one.catalog } : {}) };
    for (const [name, value] of Object.entries(named)) address.searchParams.set(name, value);
    await page.goto(address.href);
    if (one.sets) {
      await page.getByLabel("State").fill(JSON.stringify(one.sets));
      await page.getByRole("button", { name: "Set state" }).click();
    }
    if (one.attaches) {
      const { base64, ...file } = one.attaches;
      await page.locator("input[type=file]").setInputFiles({ ...file, buffer: Buffer.from(base64, "base64") });
      await expect("the file is attached", async () => (await page.getByTestId("copilot-attachment-queue").count()) > 0);
    }
    for (const said of one.says) {
      await say(page, expect, said);
      await expect(`${one.agent} has answered "${said}"`, () => isIdle(page));
    }
    for (const button of one.presses ?? []) {
      await page.getByRole("button", { name: button, exact: true }).last().click();
      await expect(`${one.agent} goes on after "${button}"`, () => isIdle(page));
    }
    await looksRight(one, "in the end");
    if (one.picture) await page.screenshot({ path: one.picture });
    await page.reload();
    await looksRight({ ...one, shows: one.again ?? one.shows }, "loaded again");
  }
}, { opensPages: true });
