// A user on CopilotKit's page with a tool of its own (copilotkit/painter.jsx): the page answers a call, the agent goes on, and a page
// that is loaded again shows the call without running its tool.
//
// job.runtime: the server's address for CopilotKit's pages. job.picture: path
import { allowItsOwn, isIdle, onThread, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  allowTrouble("request", /\/(run|copilotkit): net::ERR_ABORTED$/);
  await page.goto(onThread(job));
  const painted = async (...colours) => {
    const [all, last] = await page.evaluate(() => [window.painted.join(), document.body.style.background]);
    if (all !== colours.join() || last !== colours.at(-1)) throw new Error(`the tool ran for: ${all}; the page is ${last}`);
  };
  const shows = (colours) =>
    expect(`the answers about ${colours}`, async () => {
      const cards = await page.locator(".paint").allInnerTexts();
      const messages = JSON.parse(await page.locator("#messages").textContent());
      const roles = messages.map(({ role }) => role);
      const chat = await page.locator("#chat").innerText();
      const wanted = colours.flatMap(() => ["user", "assistant", "tool", "assistant"]);
      if (JSON.stringify({ cards, roles }) !== JSON.stringify({ cards: colours.map((name) => `${name}: done`), roles: wanted })) {
        throw new Error(JSON.stringify({ cards, roles }));
      }
      return (await isIdle(page)) && colours.every((name) => chat.includes(`painted ${name}`));
    });

  await say(page, expect, "Paint it red");
  await shows(["red"]);
  await say(page, expect, "Paint it blue");
  await shows(["red", "blue"]);
  await painted("red", "blue");
  await page.screenshot({ path: job.picture });
  await page.reload();
  await shows(["red", "blue"]);
  // A run of an old call would be done before the next one is answered.
  await say(page, expect, "Paint it green");
  await shows(["red", "blue", "green"]);
  await painted("green");
}, { opensPages: true });
