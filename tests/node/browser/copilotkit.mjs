// Goes over CopilotKit's page (copilotkit/page.jsx) as a person does, one agent after the other, and tells what is on screen in the
// end, and after the page was loaded again.
//
// job.pages: [{ "agent", "says": [text, …], "presses"?: [button, …] after what was said,
//   "shows": [text, …]   must be on screen in the end, in this order,
//   "again"?: [text, …]   the same when the page is loaded again, where it is something else,
//   "state"   must be in the agent's state as the page draws it; objects may have other members,
//   "error"?   must be on screen as well,
//   "picture": path }, …]
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  // The page connects to its thread twice where React renders it twice, and lets go of the first.
  allowTrouble("request", /\/connect: net::ERR_ABORTED$/);
  // CopilotKit itself looks for an agent `default` until it knows the agents, and then for the one the page names.
  allowTrouble("console.warning", /^Agent default not found/);
  allowTrouble("exception", /Agent 'default' not found after runtime sync/);
  const text = () => page.locator("#root").innerText();
  const inOrder = (whole, parts) => {
    let at = 0;
    return parts.every((part) => {
      const found = whole.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
  };
  const isIdle = async () => (await page.locator("#status").textContent()) === "idle";
  const isIn = (wanted, held) => {
    if (wanted === null || typeof wanted !== "object") return wanted === held;
    if (held === null || typeof held !== "object" || (Array.isArray(wanted) && wanted.length !== held.length)) return false;
    return Object.entries(wanted).every(([key, value]) => isIn(value, held[key]));
  };
  const holds = async (state) => isIn(state, JSON.parse(await page.locator("#state").textContent()));

  /** What must be there in the end; fails with what is there instead. */
  async function looksRight({ agent, shows, state, error }, when) {
    await expect(`${agent} ${when}: ${JSON.stringify({ shows, state, error })}`, async () => {
      const whole = await text();
      const banner = page.locator("[data-testid=copilot-error-banner]");
      const told = (await banner.count()) > 0 ? await banner.first().innerText() : "";
      const right =
        (await isIdle()) && inOrder(whole, shows) && (await holds(state)) && (error ? told.includes(error) : told === "");
      if (!right) throw new Error(JSON.stringify(whole));
      return true;
    });
  }

  for (const one of job.pages) {
    if (one.error) expectTrouble("console.error", new RegExp(one.error));
    await page.goto(`${job.url}?agent=${encodeURIComponent(one.agent)}&thread=${crypto.randomUUID()}`);
    const field = page.locator("textarea").first();
    for (const said of one.says) {
      // The page takes no message while a run is on its way, nor before it knows its agents.
      await expect(`"${said}" was sent`, async () => {
        if (!(await isIdle())) return false;
        await field.fill(said);
        await field.press("Enter");
        await page.waitForFunction((said) => document.querySelector("#root").innerText.includes(said), said, { timeout: 2000 });
        return true;
      });
      await expect(`${one.agent} has answered "${said}"`, isIdle);
    }
    for (const button of one.presses ?? []) await page.getByRole("button", { name: button, exact: true }).last().click();
    await looksRight(one, "in the end");
    if (one.picture) await page.screenshot({ path: one.picture });
    await page.reload();
    await looksRight({ ...one, shows: one.again ?? one.shows }, "loaded again");
  }
});
