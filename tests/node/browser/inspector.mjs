// Every agent of the tour in the inspector: live events, lanes, filters, state through time, answers, keyboard, phone.
//
// job.pictures: paths by name. Returns { agents, copied: [{ url, types, curl, fixture, rust }] }.
import { readFile } from "node:fs/promises";
import { browse } from "./driver.mjs";
import { faint, inspector, nameless } from "./inspector-page.mjs";

const equal = (what, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
};

await browse(async ({ page, job, expect, allowTrouble }) => {
  const see = inspector(page, expect);
  const picture = (name) => see.picture(job.pictures[name]);
  const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  // An empty list is not falsy, and would end the wait before the page has asked for the manifest.
  await expect("the agents", () => see.state(() => globalThis.inspector.store.agents.length > 0));
  const agents = await see.state(() => globalThis.inspector.store.agents.map(({ url }) => url));
  await expect("a word about what to do", () => page.getByText("Run an agent").isVisible());

  // Lanes, filters, search, the whole event.
  await see.run("/lab/subagent");
  await see.is("Finished");
  equal("lanes", await page.locator(".lane-name").allTextContents(), ["run 1", "researcher", "assistant", "reader", "assistant", "assistant"]);
  await page.locator("#chips").getByRole("button", { name: /^Text/ }).click();
  await expect("events without text", async () => (await see.rows.count()) === 6);
  await page.locator("#chips").getByRole("button", { name: /^Text/ }).click();
  await press("/");
  await page.keyboard.type("digging");
  await expect("the event with that word", async () => (await see.rows.count()) === 1);
  await press("Escape");
  await page.locator(".lane-name", { hasText: "reader" }).click();
  await expect("the events of one lane", async () => (await see.rows.count()) === 2);
  await page.locator("#lane-chip").click();
  await expect("all events", async () => (await see.rows.count()) > 10);
  await press("Home", "ArrowDown", "j", "Enter");
  await expect("the whole event", async () => (await page.locator(".more .tree").textContent()).includes('subagentRunId: "sub-1"'));
  await press("x", "3");
  await expect("the event", () => page.locator("#pane-event").getByRole("heading", { name: "TEXT_MESSAGE_START" }).isVisible());
  await picture("event");

  // Events arrive while the run goes on, and the state changes with them.
  await press("2");
  await see.agent("/agentic_generative_ui").click();
  await see.is("Running");
  const early = await see.types();
  await expect("more events, live", async () => (await see.types()).length > early.length + 2);
  await see.ended();
  const steps = await see.state(() => globalThis.inspector.store.states.versions.length);
  equal("versions of the state", steps >= 11, true);
  await page.locator("#state-slider").fill("4");
  await expect("one step is done by then", async () => (await page.locator("#state-diff").textContent()).includes("/steps/2/status"));
  await press("[", "]", "]");
  await expect("the next change", async () => (await page.locator("#state-diff").textContent()).includes("/steps/3/status"));
  await picture("state");
  await page.locator("#slider").fill("0");
  await press("v", " ");
  await expect("a replay", async () => (await see.state(() => globalThis.inspector.store.at)) > 2);
  await press(" ", "v");
  const paused = await see.state(() => globalThis.inspector.store.at);
  equal("paused", paused < (await see.types()).length - 1, true);

  // Questions and tools of the page are answered in it.
  await press("1");
  await see.run("/lab/interrupts_two");
  await see.is("Waits for you");
  const [first, second] = [page.getByRole("form", { name: "What is your name?" }), page.getByRole("form", { name: "Are you sure?" })];
  await first.getByRole("textbox").fill("Ada");
  await first.getByRole("button", { name: "Answer" }).click();
  await second.getByRole("button", { name: "Cancel it" }).click();
  await see.says("Resumed one=resolved, two=cancelled");
  await see.run("/lab/interrupt");
  await picture("question");
  await page.getByRole("button", { name: "Deny" }).click();
  await see.says('Resumed lab-int-1: resolved {"approved": false}');
  equal("two runs", (await page.locator(".lane-name").allTextContents()).filter((name) => name.startsWith("run ")), ["run 1", "run 2"]);
  await see.run("/lab/tool");
  await page.getByRole("form", { name: "Result of choose" }).getByRole("textbox").fill("red");
  await page.getByRole("button", { name: "Send the result" }).click();
  await see.says("Tool said: red");
  await see.ended();

  // A run is stopped, and the agent hears of it; trouble is the end of the request.
  allowTrouble("request", /inspector\/run: net::ERR_ABORTED/);
  await see.agent("/lab/slow").click();
  await expect("some pieces", async () => (await see.types()).length > 4);
  await press(".");
  await see.is("Stopped");

  // An input is edited and run.
  await press("4");
  await see.run("/lab/echo_input");
  const input = page.getByLabel("Input of the run");
  await input.fill((await input.inputValue()).replace("Hello!", "Edited"));
  await page.getByRole("button", { name: "Run this input" }).click();
  await see.ended();
  await press("1");
  await see.says('"content":"Edited"');

  // Every agent: the page and the program agree about the conversation and the state.
  const copied = [];
  for (const url of agents.filter((url) => url !== "/lab/slow")) {
    await see.run(url);
    equal(`${url}: the conversation`, await see.difference(), null);
    equal(`${url}: findings`, (await see.verdicts()).filter((verdict) => verdict !== "ok"), []);
    if (job.copy.includes(url)) {
      copied.push({ url, types: await see.types(), curl: await see.copy("c"), fixture: await see.copy("f"), rust: await see.copy("t") });
    }
  }

  // The page stops reading after the line of the end; if the end of the body has not come yet, the browser reports that.
  allowTrouble("request", /inspector\/read: net::ERR_ABORTED/);
  // A saved conversation can be opened again, here and by `agui-cli`.
  await see.run("/lab/messages_snapshot");
  await page.getByLabel("Message", { exact: true }).fill("Again");
  await press("Enter");
  await see.ended();
  const before = await see.types();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const recording = await readFile(await download.path(), "utf8");
  await page.locator("#file").setInputFiles({ name: "saved.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(recording) });
  await expect("the recording", () => page.getByText("saved.jsonl:").isVisible());
  await press("End");
  equal("the events of the recording", await see.types(), before);
  equal("findings in it", [...new Set(await see.verdicts())], ["ok"]);
  equal("its conversation", await see.difference(), null);

  // Keyboard, names, contrast, dark, phone.
  equal("controls without a name", await nameless(page), []);
  await press("?");
  await expect("the shortcuts", () => page.getByRole("dialog").getByText("only events with findings").isVisible());
  await picture("help");
  await press("Escape");
  await page.locator("body").click({ position: { x: 640, y: 5 } });
  const rings = [];
  for (let at = 0; at < 6; at += 1) {
    await press("Tab");
    rings.push(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle));
  }
  equal("focus is visible", rings.every((style) => style !== "none"), true);
  // The way of the keyboard to the message is short, however many agents there are.
  await page.locator("body").click({ position: { x: 640, y: 5 } });
  let stops = 0;
  do {
    await press("Tab");
    stops += 1;
  } while (stops < 60 && (await page.evaluate(() => document.activeElement.id)) !== "message");
  equal("stops of Tab before the message", stops <= 12, true);
  await page.getByRole("button", { name: agents[0] }).first().focus();
  await press("ArrowDown");
  equal("the arrows go through the agents", await page.evaluate(() => document.activeElement.querySelector(".name")?.textContent), agents[1]);
  await see.run("/lab/subagent");
  await press("1");
  equal("faint texts", await faint(page), []);
  await picture("light");
  await press("d", "3");
  equal("faint texts in the dark", await faint(page), []);
  await see.run("/lab/reasoning");
  await picture("dark");
  for (const [width, height] of [[320, 568], [390, 780]]) {
    await page.setViewportSize({ width, height });
    for (const pane of ["agents", "events", "chat", "state", "input"]) {
      await page.locator(`#tab-${pane}`).click();
      await see.fits();
      const small = await page.evaluate(() => [...document.querySelectorAll("button")].filter((one) => one.checkVisibility() && one.offsetParent && one.getBoundingClientRect().height < 34 && !one.matches(".lane, .quiet, .agent")).map((one) => one.id || one.className));
      equal(`${pane}: small buttons`, small, []);
    }
    await page.locator("#tab-agents").click();
    await see.run("/lab/interrupt");
    await picture(`phone-events-${width}`);
    await page.locator("#tab-chat").click();
    await page.getByRole("button", { name: "Approve" }).click();
    await see.says('"approved": true');
    await picture(`phone-${width}`);
  }
  return { agents, copied, recording };
});
