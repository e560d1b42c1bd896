// The user loads the page again: in the middle of an answer, and while an order waits for them. Nothing is lost.
//
// job.pictures: paths by name, for pictures on the way.
import { browse } from "./driver.mjs";
import { kitchen } from "./recipe-page.mjs";

await browse(async ({ page, job, expect, expectTrouble }) => {
  const cook = kitchen(page, expect);
  // A reload leaves the request that streams.
  expectTrouble("request", /cook(\/connect)?: net::ERR_ABORTED/);
  await cook.say("Let's cook a risotto!");
  await expect("half of the list", async () => (await cook.names()).length >= 2);
  await page.reload();
  await page.screenshot({ path: job.pictures["reloaded"] });
  await cook.idle();
  await cook.shows({ title: "Mushroom risotto", servings: "2", diet: "for everyone" });
  await cook.lists("onion", "butter", "rice", "stock", "mushroom", "parmesan");
  await expect("the user's words", () => page.locator(".by-person", { hasText: "Let's cook a risotto!" }).isVisible());
  const said = await page.locator(".by-cook").allTextContents();
  if (said.length !== 1) throw new Error(`the cook said ${JSON.stringify(said)}`);

  await page.reload();
  await cook.idle();
  await expect("the same words", async () =>
    JSON.stringify(await page.locator(".by-cook").allTextContents()) === JSON.stringify(said),
  );

  // The question waits for the user, wherever the page is.
  await cook.say("Order it");
  await cook.asked();
  await page.reload();
  const dialog = await cook.asked();
  await dialog.getByRole("button", { name: "Confirm order" }).click();
  await cook.idle();
  await expect("the order", async () => (await page.locator("#order").textContent()).startsWith("ordered, no. "));
});
