// A customer on CopilotKit's page of the desk (copilotkit/desk.jsx): approves a refund, changes the amount of another, refuses
// one, and leaves one. The page, loaded again, shows the same.
//
// job.direct?: the address of the agent, for a client in the page; job.runtime?: the server's address for CopilotKit's pages; without
// them the page uses CopilotKit's runtime.
// job.pictures: paths by name.
import { allowItsOwn, isIdle, onThread, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  await page.goto(onThread(job));
  const shown = (id) => page.locator(`#${id}`).textContent();
  const messages = async () => JSON.parse(await shown("messages"));

  /** Answers the open question by a button, and waits for the end of the run; returns the answers as they were sent. */
  async function answer(about, button, amount) {
    const question = page.locator("form.question");
    await expect(`the question ${about}`, async () => (await question.locator("p").innerText()) === about);
    if (amount !== undefined) await question.getByLabel("Amount").fill(amount);
    const sent = page.waitForRequest((sent) => sent.method() === "POST" && /"resume"/.test(sent.postData() ?? ""));
    await question.getByRole("button", { name: button, exact: true }).click();
    const body = (await sent).postDataJSON();
    const { resume } = body.resume ? body : body.body;
    await expect("the question is gone", async () => (await question.count()) === 0 && (await isIdle(page)));
    return resume.map(({ status, payload }) => ({ status, payload }));
  }

  function same(what, found, wanted) {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}`);
  }

  /** The results of all calls, in their order: one for each call. */
  const results = async () =>
    (await messages()).flatMap((message) => (message.role === "tool" ? [JSON.parse(message.content)] : []));
  const last = async () => (await results()).at(-1);

  await say(page, expect, "Please take order 7 back.");
  same("approved", await answer("Run `refund`? refund: 2400 cents of order 7", "Approve"), [
    { status: "resolved", payload: { approved: true } },
  ]);
  await expect("the first refund", async () => (await shown("refunded")) === "teapot: 2400");
  same("its result", (await last()).refunded, 2400);

  await say(page, expect, "Order 8 is broken. I want my money back.");
  const edited = await answer("Run `refund`? refund: 5900 cents of order 8", "Approve", "950");
  same("edited", edited, [
    { status: "resolved", payload: { approved: true, editedArgs: { number: 8, cents: 950 } } },
  ]);
  await expect("the changed refund", async () => (await shown("refunded")) === "kettle: 950");
  same("its result", (await last()).refunded, 950);
  await page.screenshot({ path: job.pictures.edited });

  await say(page, expect, "Please take order 9 back.");
  same("refused", await answer("Run `refund`? refund: 850 cents of order 9", "Refuse"), [
    { status: "resolved", payload: { approved: false, reason: "I like it" } },
  ]);
  same("its result", await last(), { error: "the user refused: I like it" });

  await say(page, expect, "I want my money back for order 8.");
  same("left", await answer("Run `refund`? refund: 4950 cents of order 8", "Leave it"), [{ status: "cancelled" }]);
  same("its result", await last(), { error: "the user refused" });
  await expect("nothing more was paid", async () => (await shown("refunded")) === "kettle: 950");

  const all = [
    "order 7: teapot, 0 refunded",
    "order 7: teapot, 2400 refunded",
    "order 8: kettle, 0 refunded",
    "order 8: kettle, 950 refunded",
    "order 9: cup, 0 refunded",
    "order 9: the user refused: I like it",
    "order 8: kettle, 950 refunded",
    "order 8: the user refused",
  ];
  const hasCards = (when) =>
    expect(`the cards ${when}`, async () => {
      const found = await page.locator(".call").allInnerTexts();
      if (JSON.stringify(found) !== JSON.stringify(all)) throw new Error(JSON.stringify(found));
      return true;
    });
  await hasCards("in the end");
  same("the number of results", (await results()).length, all.length);
  await page.screenshot({ path: job.pictures.end });
  // A client in the page stores no threads, nor does the server for it.
  if (job.direct) return;
  await page.reload();
  await hasCards("loaded again");
}, { opensPages: true });
