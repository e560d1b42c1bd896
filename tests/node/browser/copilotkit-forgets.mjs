// CopilotKit's runtime as it comes has threads in its memory alone: after its restart the page shows nothing of the thread.
//
// job.control: the address at which `POST /runtime` kills and starts it.
import { allowItsOwn, isIdle, onThread, restart, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  await page.goto(onThread(job));
  const question = page.locator("form.question");
  await say(page, expect, "Publish this: lost");
  await expect("the question", async () => (await question.count()) === 1 && (await isIdle(page)));
  /** The events that the page gets when it is loaded again. */
  const loaded = async () => {
    // An answer to the page before would have no body any more.
    await page.reload({ waitUntil: "commit" });
    const connected = await page.waitForResponse((response) => /\/connect$/.test(response.url()) && response.ok());
    const events = await connected.text();
    await expect("the end of the connection", () => isIdle(page));
    return events;
  };
  if (!/data:/.test(await loaded())) throw new Error("CopilotKit's runtime has kept nothing at all");
  await expect("the question again", async () => (await question.count()) === 1);
  await restart(job, ["runtime"]);
  const events = await loaded();
  if (/data:/.test(events) || (await question.count()) > 0) throw new Error(`CopilotKit's runtime has restored ${events}`);
});
