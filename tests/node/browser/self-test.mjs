// The driver's own test: one question and its streamed answer on self-test.html. With "break" in the job the page
// causes one kind of trouble, with "expect" the script expects one.
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, expectTrouble }) => {
  if (job.expect) expectTrouble(job.expect, /deliberate/);
  if (job.break === "hang") await new Promise(() => {});
  if (job.break) await page.evaluate((how) => window.breakIt(how), job.break);
  await page.getByLabel("Question").fill("How are you?");
  await page.getByRole("button", { name: "Ask" }).click();
  await expect("the answer is complete", async () => (await page.locator("#answer.done").count()) === 1);
  return page.locator("#answer").textContent();
});
