// Goes over CopilotKit's page (copilotkit/page.jsx) as a person does, one agent after the other, and tells what is on screen in the
// end, and after the page was loaded again.
//
// job.pages: [{ "agent", "says": [text, …], "presses"?: [button, …] after what was said,
//   "shows": [text, …]   must be on screen in the end, in this order,
//   "state"   must be in the agent's state as the page draws it; objects may have other members,
//   "error"?   must be on screen as well,
//   "picture": path }, …]
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  // The page connects to its thread twice where React renders it twice, and lets go of the first.
  allowTrouble("request", /\/connect: net::ERR_ABORTED$/);
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
      // Another run may be on its way: the field takes no message then.
      await expect(`${one.agent} is idle`, isIdle);
      await field.fill(said);
      await field.press("Enter");
      await expect(`"${said}" was sent`, async () => (await text()).includes(said) && (await field.inputValue()) === "");
      await expect(`${one.agent} has answered "${said}"`, isIdle);
    }
    for (const button of one.presses ?? []) await page.getByRole("button", { name: button, exact: true }).last().click();
    await looksRight(one, "in the end");
    if (one.picture) await page.screenshot({ path: one.picture });
    await page.reload();
    await looksRight(one, "loaded again");
  }
});
