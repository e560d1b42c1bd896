// A user of the page of a new project with CopilotKit: adds a task by a suggestion, refuses its removal, stops a run, tries a failed
// one again, and removes the task. If the server keeps the conversation, the page shows it after a reload. axe-core looks at each state.
//
// job: { "agent": the server's address, "light", "dark": the paths of pictures, "threads": true if conversations are kept }
// value: the time of the first answer, in milliseconds since 1970
import { accessibility } from "./axe.mjs";
import { allowItsOwn } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  const tasks = async () => (await page.locator("#tasks li").allTextContents()).join();
  const field = page.getByLabel("Message");
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  const say = async (text) => {
    await field.fill(text);
    await press("Send");
  };
  const texts = () => page.getByTestId("copilot-assistant-message").allInnerTexts();
  const said = (text) => expect(text, async () => (await texts()).some((whole) => whole.includes(text)));
  const isStatus = (text) => expect(`the status ${text}`, async () => (await page.locator("#status").textContent()) === text);
  /** The cards of calls: the words, and what became of the call. */
  const isLastCall = (...parts) =>
    expect(`the call ${parts}`, async () => (await page.locator(".call").last().locator("> b, > span").allTextContents()).join() === parts.join());
  const check = async (where) => {
    const found = await accessibility(page);
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
    await expect("the focus on the message", () => field.evaluate((field) => field === document.activeElement));
  };

  const tryAgain = page.getByRole("button", { name: "Try again" });
  const greeting = page.getByRole("heading", { name: "What has to be done?" });
  await page.getByText("Your list is empty.", { exact: true }).waitFor();
  await greeting.waitFor();
  await page.getByRole("button", { name: "Buy rice", exact: true }).waitFor();
  await check("empty");

  // The server cannot be reached while the page loads: another try finds it.
  const isServed = ({ port, pathname }) => port === new URL(job.agent).port && pathname.startsWith("/api/copilotkit");
  expectTrouble("request", /net::ERR_CONNECTION_REFUSED/);
  allowTrouble("console.error", /ERR_CONNECTION_REFUSED|Failed to (fetch|load)/);
  allowTrouble("console.warning", /^(Failed to load runtime info|Agent assistant not found)/);
  await page.route(isServed, (route) => route.abort("connectionrefused"));
  await page.reload();
  await tryAgain.waitFor();
  await expect("the reason", async () => (await page.getByRole("alert").textContent()) === "The agent cannot be reached. Does it run?");
  await page.unroute(isServed);
  await tryAgain.click();
  await expect("no failure", async () => (await greeting.isVisible()) && !(await tryAgain.isVisible()));
  await page.getByRole("button", { name: "Buy rice", exact: true }).waitFor();

  await press("Buy rice");
  await said("On your list: Buy rice.");
  const first = Date.now();
  await isLastCall("Add “Buy rice”", "done");
  await expect("no greeting", async () => !(await greeting.isVisible()));
  await expect("the task", async () => (await tasks()) === "Buy rice");

  await say("remove Buy rice");
  await isStatus("Waits for you");
  await isLastCall("Remove “Buy rice”", "waits for you");
  await check("a question");
  await page.screenshot({ path: job.light });
  await answer("Decline");
  await said("The list stays as it is.");
  await isLastCall("Remove “Buy rice”", "the user refused");
  await isStatus("Ready");
  if ((await tasks()) !== "Buy rice") throw new Error("the user has refused");

  if (job.threads) {
    const before = (await texts()).join();
    await page.reload();
    await expect("the conversation after a reload", async () => (await texts()).join() === before);
    await expect("the tasks after a reload", async () => (await tasks()) === "Buy rice");
    await isStatus("Ready");
  }

  const runs = (url) => isServed(url) && url.pathname.endsWith("/agent/assistant/run");
  const headers = { "access-control-allow-origin": "*", "content-type": "application/json" };
  const refuse = (route) => route.fulfill({ status: 400, headers, body: '{"error":{"code":"tired","message":"The agent rests."}}' });

  // A run is stopped while the server has not answered: no error, and the next message can be sent.
  allowTrouble("request", /net::ERR_ABORTED/);
  const isOpen = new Promise((arrived) => page.route(runs, arrived)); // the request stays open
  const isStopped = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith("/api/copilotkit/agent/assistant/stop/"));
  await say("Lunch");
  await isStatus("Writing");
  const open = await isOpen;
  await press("Stop");
  await isStopped;
  await isStatus("Ready");
  await open.abort("aborted"); // otherwise the end of the route would send the request
  await page.unroute(runs);
  if (await tryAgain.isVisible()) throw new Error("a stop is no error");

  // The server refuses once: the same message is sent again.
  expectTrouble("response", /: 400$/);
  expectTrouble("console.error", /400 \(Bad Request\)/);
  allowTrouble("console.error", /Agent execution failed|\[CopilotKit\]/);
  await page.route(runs, refuse);
  await say("box"); // the model gets both messages
  await tryAgain.waitFor();
  await expect("the reason", async () => (await page.getByRole("alert").textContent()).includes("The agent rests."));
  await check("a failure");
  await page.unroute(runs, refuse);
  await tryAgain.click();
  await said("On your list: Buy rice, Lunchbox.");
  await expect("no alert", async () => !(await tryAgain.isVisible()));

  // The answer to a question does not arrive: another try sends the answer, without a second question.
  await say("remove Lunchbox");
  await isStatus("Waits for you");
  await page.route(runs, refuse);
  await press("Accept");
  await tryAgain.waitFor();
  await page.unroute(runs, refuse);
  await tryAgain.click();
  await expect("one task", async () => (await tasks()) === "Buy rice");
  await isStatus("Ready");

  // In the dark, the page is as dark as its controls.
  await page.emulateMedia({ colorScheme: "dark" });
  await say("remove Buy rice");
  await question.waitFor();
  await page.screenshot({ path: job.dark });
  const levels = await page.evaluate(() =>
    [document.body, ...document.querySelectorAll(".question, textarea, aside")].map((element) => {
      for (let at = element; at; at = at.parentElement) {
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context.fillStyle = getComputedStyle(at).backgroundColor;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
        if (alpha > 200) return Math.max(red, green, blue);
      }
      return 255;
    }),
  );
  if (levels.length < 4 || Math.max(...levels) > 64) throw new Error(`the page is bright (${levels}) in the dark`);
  await check("in the dark");
  await answer("Accept");
  await said("Your list is empty.");
  await expect("no task", async () => (await tasks()) === "");

  // Two questions are open, and their answers do not arrive: another try sends both.
  const asksTwice = async (route) => {
    const response = await route.fetch();
    const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, event]) => JSON.parse(event));
    const end = events.pop();
    const [{ id, toolCallId }] = end.outcome.interrupts;
    const another = (value) => JSON.parse(JSON.stringify(value).replaceAll(id, `${id}-2`).replaceAll(toolCallId, `${toolCallId}-2`));
    const call = events.filter((event) => event.toolCallId === toolCallId).map(another);
    end.outcome.interrupts.push(another(end.outcome.interrupts[0]));
    await route.fulfill({ response, body: [...events, ...call, end].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") });
  };
  await page.route(runs, asksTwice);
  await say("remove Buy rice");
  await expect("two questions", async () => (await question.count()) === 2);
  await page.unroute(runs, asksTwice);
  await page.route(runs, refuse);
  await question.first().getByRole("button", { name: "Accept" }).click();
  await question.last().getByRole("button", { name: "Decline" }).click();
  await tryAgain.waitFor();
  await page.unroute(runs, refuse);
  // The server knows one question alone.
  let answers;
  await page.route(runs, async (route) => {
    const { threadId, runId, resume } = route.request().postDataJSON();
    answers = resume?.map(({ payload }) => payload.approved).join();
    const events = [{ type: "RUN_STARTED" }, { type: "RUN_FINISHED", outcome: { type: "success" } }];
    const body = events.map((event) => `data: ${JSON.stringify({ ...event, threadId, runId })}\n\n`).join("");
    await route.fulfill({ headers: { ...headers, "content-type": "text/event-stream" }, body });
  });
  await tryAgain.click();
  await expect("both answers", () => answers === "true,false");
  await isStatus("Ready");
  await page.unroute(runs);

  await page.setViewportSize({ width: 360, height: 640 });
  await check("on a phone");
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) throw new Error("a phone scrolls sideways");
  if (await tryAgain.isVisible()) throw new Error("the page shows a problem");
  return first;
});
