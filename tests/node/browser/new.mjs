// A user of a new project's page: adds a task by a suggestion, refuses its removal, stops a run, tries a failed one again, and
// removes the task. If the server keeps the conversation, the page shows it after a reload. axe-core looks at each state.
//
// job: { "light", "dark": the paths of pictures, "threads": true if conversations are kept }
// value: the time of the first answer, in milliseconds since 1970
import { accessibility } from "./axe.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  const texts = (list) => page.locator(`${list} li`).allTextContents();
  const say = async (text) => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const said = (text) => expect(text, async () => (await page.locator("#messages .assistant").allTextContents()).includes(text));
  const isStatus = (text) => expect(`the status ${text}`, async () => (await page.getByRole("status").textContent()) === text);
  /** The cards of calls: the words, and what became of the call. */
  const isLastCall = (...parts) =>
    expect(`the call ${parts}`, async () => (await page.locator("#messages .call").last().locator("> b, > span").allTextContents()).join() === parts.join());
  const check = async (where) => {
    const found = await accessibility(page, ["minor", "moderate", "serious", "critical"]);
    if (found.length > 0) throw new Error(`axe: ${where}: ${found}`);
  };
  const question = page.getByRole("group", { name: "Remove “Buy rice”?" });
  /** The focus is on the question: Tab goes to its buttons, and an answer gives the focus back to the message. */
  const answer = async (button) => {
    await question.waitFor();
    await expect("the focus on the question", () => question.evaluate((card) => card === document.activeElement));
    for (let tabs = button === "Accept" ? 1 : 2; tabs > 0; tabs -= 1) await page.keyboard.press("Tab");
    await expect(`the focus on ${button}`, () => question.getByRole("button", { name: button }).evaluate((one) => one === document.activeElement));
    await page.keyboard.press("Enter");
    await expect("the question goes", async () => !(await question.isVisible()));
    await expect("the focus on the message", () => page.getByLabel("Message").evaluate((field) => field === document.activeElement));
  };

  // Screen readers read what is added to the list: nothing in it is made again while the answer grows, and they wait for whole sentences.
  await page.evaluate(() => {
    const list = document.getElementById("messages");
    window.seen = { removed: 0, busy: 0 };
    const look = (changes) => {
      for (const { target, removedNodes } of changes) if (target === list) window.seen.removed += removedNodes.length;
      if (list.getAttribute("aria-busy") === "true") window.seen.busy += 1;
    };
    new MutationObserver(look).observe(list, { childList: true, subtree: true, characterData: true });
  });

  await page.getByText("Your list is empty.", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "What has to be done?" }).waitFor();
  await check("empty");
  await page.getByRole("button", { name: "Buy rice" }).click();
  await said("On your list: Buy rice.");
  await isLastCall("Add “Buy rice”", "done");
  await expect("no greeting", async () => (await page.getByText("What has to be done?").isVisible()) === false);
  const first = Date.now();
  await expect("the task", async () => (await texts("#tasks")).join() === "Buy rice");
  await expect("whole sentences can be read", () => page.locator("#messages[aria-busy=false]").isVisible());
  const seen = await page.evaluate(() => window.seen);
  if (seen.removed > 0 || seen.busy === 0) throw new Error(`the live list: ${JSON.stringify(seen)}`);

  await say("remove Buy rice");
  await isStatus("Waits for you");
  await isLastCall("Remove “Buy rice”", "waits for you");
  await check("a question");
  await page.screenshot({ path: job.light });
  await answer("Decline");
  await said("The list stays as it is.");
  await isLastCall("Remove “Buy rice”", "the user refused");
  await isStatus("Ready");
  if ((await texts("#tasks")).join() !== "Buy rice") throw new Error("the user has refused");

  const isAgent = (path) => (url) => url.port === new URL(job.agent).port && url.pathname === path;
  const runs = isAgent("/");
  const headers = { "access-control-allow-origin": "*", "content-type": "application/json" };
  const refuse = (route) => route.fulfill({ status: 400, headers, body: '{"error":{"code":"tired","message":"The agent rests."}}' });
  const tryAgain = page.getByRole("button", { name: "Try again" });

  if (job.threads) {
    // The page asks for the conversation when it is loaded.
    allowTrouble("request", /connect: net::ERR_ABORTED/);
    const before = await texts("#messages");
    await page.reload();
    await expect("the conversation after a reload", async () => (await texts("#messages")).join() === before.join());
    await expect("the tasks after a reload", async () => (await texts("#tasks")).join() === "Buy rice");

    // The server refuses once to show the conversation: the page asks for the conversation again, and starts no run.
    const connects = isAgent("/connect");
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.route(connects, refuse);
    await page.reload();
    await tryAgain.waitFor();
    await page.unroute(connects, refuse);
    asked.length = 0;
    await tryAgain.click();
    await expect("the conversation after a failed load", async () => (await texts("#messages")).join() === before.join());
    await expect("no failure", async () => !(await tryAgain.isVisible()));
    if (asked.join() !== "/connect") throw new Error(`after a failed load the page asks for ${asked}`);
  }

  // A run is stopped while the server has not answered: no error, and the next message can be sent.
  allowTrouble("request", /net::ERR_ABORTED/);
  const isOpen = new Promise((arrived) => page.route(runs, arrived)); // the request stays open
  const isLeft = page.waitForEvent("requestfailed", (request) => runs(new URL(request.url())));
  await say("Sleep");
  await isStatus("Writing");
  await isOpen;
  await page.getByRole("button", { name: "Stop" }).click();
  await isStatus("Ready");
  await isLeft; // otherwise the end of the route would send the request
  await page.unroute(runs);
  if ((await page.getByRole("alert").count()) > 0 && (await page.getByRole("alert").textContent()) !== "") throw new Error("a stop is no error");

  // The server refuses once: the same message is sent again.
  expectTrouble("response", /: 400$/);
  expectTrouble("console.error", /400 \(Bad Request\)/);
  allowTrouble("console.error", /Agent execution failed/);
  await page.route(runs, refuse);
  await say(" well"); // the model gets both messages
  await tryAgain.waitFor();
  await expect("the reason", async () => (await page.getByRole("alert").textContent()).includes("The agent rests."));
  await check("a failure");
  await page.unroute(runs, refuse);
  await tryAgain.click();
  await said("On your list: Buy rice, Sleep well.");
  await expect("no alert", async () => !(await tryAgain.isVisible()));

  // The answer to a question does not arrive: another try sends the answer, without a second question.
  await say("remove Sleep well");
  await isStatus("Waits for you");
  await page.route(runs, refuse);
  await page.getByRole("button", { name: "Accept" }).click();
  await tryAgain.waitFor();
  await page.unroute(runs, refuse);
  await tryAgain.click();
  await expect("one task", async () => (await texts("#tasks")).join() === "Buy rice");
  await isStatus("Ready");

  // In the dark, the page is as dark as its controls.
  await page.emulateMedia({ colorScheme: "dark" });
  await say("remove Buy rice");
  await question.waitFor();
  const corner = (await page.screenshot({ path: job.dark })).toString("base64");
  const level = await page.evaluate(async (picture) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return Math.max(...context.getImageData(0, 0, 1, 1).data.slice(0, 3));
  }, corner);
  if (level > 64) throw new Error(`the page is bright (${level}) in the dark`);
  await check("in the dark");
  await answer("Accept");
  await said("Your list is empty.");
  await expect("no task", async () => (await texts("#tasks")).length === 0);
  await page.setViewportSize({ width: 360, height: 640 });
  await check("on a phone");
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) throw new Error("a phone scrolls sideways");
  if (await tryAgain.isVisible()) throw new Error("the page shows a problem");
  return first;
});
