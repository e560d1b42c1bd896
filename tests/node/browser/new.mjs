// A user of a new project's page: adds a task, refuses its removal, then removes it. If the server keeps the
// conversation, the page shows it after a reload.
//
// job: { "picture": the path of a picture in the dark, "threads": true if conversations are kept }
// value: the time of the first answer, in milliseconds since 1970
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  const texts = (list) => page.locator(`${list} li`).allTextContents();
  const say = async (text) => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const said = (text) => expect(text, async () => (await texts("#messages")).includes(`assistant: ${text}`));
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

  await say("Buy rice");
  await said("On your list: Buy rice.");
  const first = Date.now();
  await expect("the task", async () => (await texts("#tasks")).join() === "Buy rice");
  await expect("whole sentences can be read", () => page.locator("#messages[aria-busy=false]").isVisible());
  const seen = await page.evaluate(() => window.seen);
  if (seen.removed > 0 || seen.busy === 0) throw new Error(`the live list: ${JSON.stringify(seen)}`);

  await say("remove Buy rice");
  await answer("Decline");
  await said("The list stays as it is.");
  if ((await texts("#tasks")).join() !== "Buy rice") throw new Error("the user has refused");

  if (job.threads) {
    // The page asks for the conversation when it is loaded.
    allowTrouble("request", /connect: net::ERR_ABORTED/);
    const before = await texts("#messages");
    await page.reload();
    await expect("the conversation after a reload", async () => (await texts("#messages")).join() === before.join());
    await expect("the tasks after a reload", async () => (await texts("#tasks")).join() === "Buy rice");
  }

  // In the dark, the page is as dark as its controls.
  await page.emulateMedia({ colorScheme: "dark" });
  await say("remove Buy rice");
  await question.waitFor();
  const corner = (await page.screenshot({ path: job.picture })).toString("base64");
  const level = await page.evaluate(async (picture) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return Math.max(...context.getImageData(0, 0, 1, 1).data.slice(0, 3));
  }, corner);
  if (level > 64) throw new Error(`the page is bright (${level}) in the dark`);
  await answer("Accept");
  await said("Your list is empty.");
  await expect("no task", async () => (await texts("#tasks")).length === 0);
  if ((await page.getByRole("alert").textContent()).trim() !== "") throw new Error("the page shows a problem");
  return first;
});
