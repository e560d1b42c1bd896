// The inspector as people use it: what it says before a run and after a refused one, hidden characters, questions and tools
// of the page with forms of their schemas, the search, the work for each frame, and what axe-core finds.
//
// job.agents: addresses by name. job.pictures: paths by name.
import { accessibility } from "./axe.mjs";
import { browse } from "./driver.mjs";
import { inspector } from "./inspector-page.mjs";

const equal = (what, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
};

await browse(async ({ page, job, expect }) => {
  const see = inspector(page, expect);
  const { agents, pictures } = job;
  const check = async (where) => equal(`axe: ${where}`, await accessibility(page), []);
  const height = async (selector) => (await page.locator(selector).boundingBox())?.height ?? 0;
  const say = async (text) => {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await see.ended();
  };
  await expect("the agents", () => see.agent(agents.cook).isVisible());

  // Before the first run the page says what to do, in the room of the events.
  await expect("a word about what to do", () => page.getByText("Run an agent").isVisible());
  equal("the room of the empty list", (await height("#empty")) > 200, true);
  await see.picture(pictures.empty);
  await check("empty");

  // A refused connection is a line below the list.
  await see.run(agents.gone);
  equal("a line about the connection", (await height("#ended")) < 80 && (await height("#list")) > 200, true);
  await see.picture(pictures.gone);
  await check("refused");

  // Hidden characters are seen, and lists share lines.
  await see.run(agents.hidden);
  await see.is("Finished");
  const hidden = () => page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) found.push(texts.currentNode.data);
    for (const one of document.querySelectorAll("[title], [aria-label], textarea")) found.push(one.title, one.getAttribute("aria-label") ?? "", one.value ?? "");
    return found.filter((text) => /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/.test(text));
  });
  for (const pane of ["2", "3", "4", "1"]) {
    await page.locator("#events").focus();
    await page.keyboard.press(pane);
    await see.picture(pictures.hidden);
    equal(`hidden characters in pane ${pane}`, await hidden(), []);
  }
  await expect("the name of the file as it is", () => page.locator(".said .words").getByText("invoice\\u202efdp.exe").isVisible());
  const lines = (await page.locator(".call .args").first().textContent()).split("\n").length;
  equal("lines of a list of 60 numbers", lines <= 14, true);

  // The search says how many it found.
  await page.locator("#events").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("TOOL_CALL");
  await expect("the count", async () => (await page.locator("#found").textContent()) === "4 of 10");
  await page.keyboard.press("Escape");
  await expect("no count", async () => (await page.locator("#found").textContent()) === "");

  // A question: what it is about, and a form for edited arguments.
  await see.agent(agents.desk).click();
  await see.ended();
  await say("Order 8 is broken. I want my money back.");
  await see.is("Waits for you");
  const question = page.locator("form.ask");
  await expect("the payload", async () => (await question.locator(".subject").textContent()).includes("number: 8"));
  equal("the arguments are closed", await question.getByLabel("cents").isVisible(), false);
  await question.getByRole("checkbox", { name: "editedArgs" }).check();
  await question.getByLabel("cents").fill("100");
  await see.picture(pictures.asked);
  await check("asked");
  await question.getByRole("button", { name: "Approve" }).click();
  await see.ended();
  const answers = await see.state(() => globalThis.inspector.store.runs.at(-1).input.resume.map(({ payload }) => payload));
  equal("the answer", answers, [{ approved: true, editedArgs: { number: 8, cents: 100 } }]);

  // A tool of the page, as the agent declares it, with a form of its results.
  await see.agent(agents.cook).click();
  await see.ended();
  equal("the declared tools", await see.state(() => globalThis.inspector.store.runs[0].input.tools.map(({ name, metadata }) => [name, metadata ?? null])), [["confirm_order", null]]);
  await say("pancakes");
  await say("order it");
  const order = page.getByRole("form", { name: "Result of confirm_order" });
  await order.getByRole("checkbox", { name: "approved" }).check();
  await order.getByLabel("note").fill("Ring twice");
  await see.picture(pictures.tool);
  await check("tool of the page");
  await order.getByRole("button", { name: "Send the result" }).click();
  await see.ended();
  await see.says(/^Ordered, number/);
  for (const [pane, name] of [["2", "state"], ["3", "event"], ["4", "input"], ["5", "agent"], ["1", "conversation"]]) {
    await page.locator("#events").focus();
    await page.keyboard.press(pane);
    if (pane === "3") await page.keyboard.press("Enter");
    await check(name);
  }
  await page.keyboard.press("?");
  await check("shortcuts");
  await page.keyboard.press("Escape");
  await page.locator("#events").focus();
  await page.keyboard.press("d");
  await check("dark");
  await page.keyboard.press("d");
  await page.setViewportSize({ width: 390, height: 780 });
  for (const pane of ["agents", "events", "chat", "state", "input"]) {
    await page.locator(`#tab-${pane}`).click();
    await check(`phone: ${pane}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator("#tab-chat").click();

  // The work for a new event does not grow with those before it.
  const frame = () => page.evaluate(async () => {
    const { inspector } = globalThis;
    const times = [];
    const { messageId } = inspector.store.events.findLast(({ json }) => json?.messageId).json;
    for (let at = 0; at < 30; at += 1) {
      const text = JSON.stringify({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: `word ${at} ` });
      inspector.addEvent({ kind: "event", at: 10_000 + at, bytes: text.length, text, isCut: false, findings: [], becomes: [] });
      const begun = performance.now();
      inspector.draw();
      document.body.getBoundingClientRect();
      times.push(performance.now() - begun);
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
    return times.sort((a, b) => a - b)[15];
  });
  const work = {};
  for (const kind of ["few", "many", "messages"]) {
    await see.run(agents[kind]);
    work[kind] = await frame();
  }
  const most = Math.max(12, 6 * work.few);
  if (work.many > most || work.messages > most) throw new Error(`milliseconds for each frame: ${JSON.stringify(work)}`);
  return work;
});
