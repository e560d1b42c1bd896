// A conversation with the desk in the inspector, for the README: a refund that waits for the user.
import { browse } from "./driver.mjs";
import { inspector } from "./inspector-page.mjs";

await browse(async ({ page, job, expect }) => {
  const see = inspector(page, expect);
  await page.setViewportSize({ width: 1360, height: 820 });
  await page.getByLabel("Message", { exact: true }).fill("Order 8 is broken. I want my money back.");
  await page.keyboard.press("Enter");
  await see.ended();
  await see.is("Waits for you");
  await page.locator("body").click({ position: { x: 680, y: 5 } });
  await see.picture(job.pictures.readme);
});
