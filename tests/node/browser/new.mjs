// A user of a new project's page: adds a task, refuses its removal, then removes it. If the server keeps the
// conversation, the page shows it after a reload.
//
// job: { "react": true if the page asks with buttons, and not with a dialog, "threads": true if conversations are kept }
// value: the time of the first answer, in milliseconds since 1970
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  let approves = false;
  page.on("dialog", (dialog) => (approves ? dialog.accept() : dialog.dismiss()));
  const texts = (list) => page.locator(`${list} li`).allTextContents();
  const say = async (text) => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  const said = (text) => expect(text, async () => (await texts("#messages")).includes(`assistant: ${text}`));
  const answer = async (button) => {
    if (job.react) await page.getByRole("group").getByRole("button", { name: button }).click();
  };

  await say("Buy rice");
  await said("On your list: Buy rice.");
  const first = Date.now();
  await expect("the task", async () => (await texts("#tasks")).join() === "Buy rice");

  await say("remove Buy rice");
  await answer("No");
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

  approves = true;
  await say("remove Buy rice");
  await answer("Yes");
  await said("Your list is empty.");
  await expect("no task", async () => (await texts("#tasks")).length === 0);
  if ((await page.getByRole("alert").textContent()).trim() !== "") throw new Error("the page shows a problem");
  return first;
});
