// The inspector on servers that send garbage, markup, too much, or half of a stream: each is shown as it is.
//
// job.agents: addresses by the kind of the server.
import { browse } from "./driver.mjs";
import { inspector } from "./inspector-page.mjs";

const equal = (what, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
};

await browse(async ({ page, job, expect }) => {
  const see = inspector(page, expect);
  const { agents } = job;
  const run = (kind) => see.run(agents[kind]);
  const ended = (words) => expect(`an end with "${words}"`, async () => (await page.locator("#ended").textContent()).includes(words));
  await expect("the agents", () => see.agent(agents.markup).isVisible());

  // Markup of others is text, in every place.
  await run("markup");
  await see.is("Waits for you");
  await page.locator("#events").focus();
  for (const pane of ["2", "3", "5", "1"]) await page.keyboard.press(pane);
  await page.keyboard.press("Home");
  for (let at = 0; at < 12; at += 1) await page.keyboard.press("Enter").then(() => page.keyboard.press("ArrowDown"));
  await expect("the text as it is", () => page.locator(".said[data-role=assistant] .words").getByText(job.markup, { exact: true }).isVisible());
  equal("elements of others", await page.locator("b.evil, img.evil, script.evil, iframe").count(), 0);
  equal("code of others", await page.evaluate(() => globalThis.evil ?? null), null);
  await see.picture(job.pictures.markup);

  // The verifier says where a client stops, and what it does not read.
  await run("garbage");
  equal("garbage", await see.verdicts(), ["ok", "refused", "unread", "unread"]);
  await see.is("Failed");
  await page.keyboard.press("p");
  await expect("only what has a finding", async () => (await see.rows.count()) === 1);
  await page.keyboard.press("p");
  await page.keyboard.press("1");
  await run("order");
  equal("disorder", await see.verdicts(), ["ok", "refused", "unread"]);
  await ended("V_");
  await page.keyboard.press("3");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect("the reason", () => page.locator("#pane-event .finding[data-level=refused]").isVisible());
  await see.picture(job.pictures.refused);
  await run("unknown");
  equal("unknown material", await see.verdicts(), ["ok", "warning", "warning", "ok"]);
  await run("cut");
  await see.is("Failed");
  await ended("SPEC_TRUNCATED");
  await run("broken");
  await see.is("Failed");
  await ended("connection");
  await run("gone");
  await ended("cannot be reached");
  await run("redirect");
  await ended("redirects to");
  await run("refusal");
  await ended("no_tea");

  // Thousands of events and megabytes in one stay quick, and the page does not claim to copy them.
  const begun = Date.now();
  await run("many");
  equal("many events", await see.state(() => globalThis.inspector.store.events.length), 20_003);
  equal("rows in the page", (await see.rows.count()) < 120, true);
  await page.locator("#events").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("PageDown");
  await expect("another event", async () => (await see.state(() => globalThis.inspector.store.at)) === 10);
  await run("huge");
  equal("a huge event", await see.verdicts(), ["ok", "ok", "ok"]);
  await page.keyboard.press("t");
  await expect("no incomplete copy", () => page.getByText("longer than the page may keep").isVisible());
  await page.keyboard.press("3");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect("what is shown of it", () => page.getByText("first megabyte").isVisible());
  await run("endless");
  await ended("longer than");
  return Date.now() - begun;
});
