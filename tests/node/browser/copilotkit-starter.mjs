// A user on the page of CopilotKit's quickstart (copilotkit/starter.jsx), whose server is killed and started again while a question
// is open: the page goes on without being loaded again.
//
// job.runtime: the server's address for CopilotKit's pages. job.published: the file with a line for each publication.
// job.control: the address at which `POST /agent` kills and starts the server. job.picture: path
import { readFileSync } from "node:fs";
import { allowItsOwn, restart } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  const chat = async () => (await page.locator("body").innerText()).replace(/\s+/g, " ");
  const say = async (said) => {
    const field = page.locator("textarea").first();
    let isSent = false;
    await expect(`"${said}" was sent`, async () => {
      // A page that does not accept a message yet leaves the field as it is.
      if (!isSent) {
        await field.fill(said);
        await field.press("Enter");
        isSent = (await field.inputValue()) === "";
      }
      return (await chat()).includes(said);
    });
  };
  const approve = () => page.locator(".question").last().getByRole("button", { name: "Approve" }).click();
  const shows = (words) => expect(words, async () => (await chat()).includes(words));

  await say("Tell me a story");
  await shows("w40 end.");
  await say("Publish this: first");
  await expect("a question", async () => (await page.locator(".question").count()) === 1);
  await page.screenshot({ path: job.picture });
  await approve();
  await shows("The press says: published first");
  await say("Publish this: second");
  await expect("another question", async () => (await page.locator(".question").count()) === 1);
  await restart(job, ["agent"]);
  await approve();
  await shows("The press says: published second");
  await say("Publish this: third");
  await expect("a third question", async () => (await page.locator(".question").count()) === 1);
  await approve();
  await shows("The press says: published third");
  const published = readFileSync(job.published, "utf8").trim();
  if (published !== "first\nsecond\nthird") throw new Error(published);
});
