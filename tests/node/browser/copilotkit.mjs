// Visits CopilotKit's page (copilotkit/page.jsx) as a user does, one agent after the other, and reports the text on
// screen at the end, and after a reload.
//
// job.pages: [{ "agent", "says": [text, …], "presses"?: [button, …] after what was said,
//   "shows": [text, …]   must be on screen in the end, in this order,
//   "again"?: [text, …]   the same when the page is loaded again, where it is something else,
//   "state"   must be in the agent's state as the page draws it; objects may have other members,
//   "error"?   must be on screen as well,
//   "picture": path }, …]
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  // The page connects to its thread twice if React renders it twice, and aborts the first. It asks for the agents at
  // any time, and a page that is left or loaded again aborts that request.
  allowTrouble("request", /\/(connect|info): net::ERR_ABORTED$/);
  // CopilotKit itself looks for an agent `default` until it knows the agents, and then for the one that the page names.
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

  /** Waits for the expected end; fails with the actual one. */
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
      // The page accepts no message during a run, nor before it knows its agents.
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
