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
  // The page connects twice and aborts the first request, whose body a page cannot be asked for any more: the network keeps them.
  let connections = [];
  await page.route(/\/connect$/, async (route) => {
    const response = await route.fetch();
    connections.push(await response.text());
    await route.fulfill({ response }).catch(() => {});
  });
  /** The events that the page gets when it is loaded again. */
  const loaded = async () => {
    connections = [];
    await page.reload();
    await expect("the end of the connection", async () => connections.length > 0 && (await isIdle(page)));
    return connections.join("");
  };
  if (!/data:/.test(await loaded())) throw new Error("CopilotKit's runtime has kept nothing at all");
  await expect("the question again", async () => (await question.count()) === 1);
  await restart(job, ["runtime"]);
  const events = await loaded();
  if (/data:/.test(events) || (await question.count()) > 0) throw new Error(`CopilotKit's runtime has restored ${events}`);
}, { opensPages: true });
