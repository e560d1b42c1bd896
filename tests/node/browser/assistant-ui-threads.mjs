// A person on assistant-ui's page with a list of threads (assistant-ui/threads.jsx): two threads, each found again after a
// reload, renamed, archived, listed again and deleted.
//
// job.address: the address of the agent. job.visitor: the name of who asks. job.picture: path
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowTrouble("request", /net::ERR_ABORTED$/);
  // The first title is asked for before the first run has stored the thread.
  allowTrouble("response", /GET .*\/threads\/[^/]*: 404$/);
  allowTrouble("console.error", /status of 404 .*\/threads\//);
  const address = new URL(job.url);
  address.searchParams.set("url", job.address);
  address.searchParams.set("visitor", job.visitor);
  await page.goto(address.href);

  const chat = async () => (await page.locator("#chat").innerText()).replace(/\s+/g, " ").trim();
  const titles = (selector) => page.locator(selector).evaluateAll((items) => items.map((item) => item.querySelector("button").textContent));
  const lists = (when, shown, archived = []) =>
    expect(when, async () => {
      const found = JSON.stringify([await titles(".item:not(.archived)"), await titles(".item.archived")]);
      if (found !== JSON.stringify([shown, archived])) throw new Error(found);
      return true;
    });
  const isIdle = async () => (await page.locator("#status").textContent()) === "idle";
  const shows = (when, whole) =>
    expect(when, async () => {
      const found = await chat();
      if (found !== whole || !(await isIdle())) throw new Error(found);
      return true;
    });
  const item = (title) => page.locator(".item", { has: page.getByRole("button", { name: title, exact: true }) });
  const press = (title, button) => item(title).getByRole("button", { name: button, exact: true }).click();
  const say = async (said) => {
    await expect("the page is idle", isIdle);
    await page.getByLabel("Message").fill(said);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(`"${said}" is in the chat`, async () => (await chat()).includes(said));
  };

  const story = `${Array.from({ length: 40 }, (_, at) => `w${at + 1} `).join("")}end.`;
  await lists("no thread at first", []);
  await say("Tell me a story");
  await shows("the first story", `Tell me a story ${story}`);
  await lists("the first thread has its title", ["Tell me a story"]);
  await page.getByRole("button", { name: "New", exact: true }).click();
  await shows("a new thread", "");
  await say("Tell me another one");
  await shows("the second story", `Tell me another one ${story}`);
  const both = ["Tell me another one", "Tell me a story"];
  await lists("both threads", both);
  await page.reload();
  await lists("both threads, loaded again", both);
  await shows("a new thread after a reload", "");
  await press("Tell me a story", "Tell me a story");
  await shows("the first thread again", `Tell me a story ${story}`);
  await say("Tell me more");
  await shows("the first thread goes on", `Tell me a story ${story} Tell me more ${story}`);

  const renamed = "A story, and more";
  page.once("dialog", (dialog) => dialog.accept(renamed));
  await press("Tell me a story", "Rename");
  await expect("the new title", async () => (await titles(".item")).includes(renamed));
  await press("Tell me another one", "Archive");
  await lists("an archived thread", [renamed], ["Tell me another one"]);
  await page.screenshot({ path: job.picture });
  await page.reload();
  await lists("an archived thread, loaded again", [renamed], ["Tell me another one"]);
  await press("Tell me another one", "Tell me another one");
  await shows("the archived thread", `Tell me another one ${story}`);
  await page.reload();
  await expect("the list", async () => (await titles(".item")).length === 2);
  if ((await titles(".item.archived")).length > 0) await press("Tell me another one", "Unarchive");
  await expect("no archived thread", async () => (await titles(".item:not(.archived)")).length === 2);
  await press(renamed, "Delete");
  await lists("a thread less", ["Tell me another one"]);
  await page.reload();
  await lists("a thread less, loaded again", ["Tell me another one"]);
}, { opensPages: true });
