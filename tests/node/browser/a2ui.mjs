// A user of the page of A2UI's renderer (a2ui/page.tsx), in front of one agent.
//
// job: { "pictures": { "drawn", "bought" } }
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect }) => {
  const text = async (selector) => (await page.locator(selector).innerText()).replace(/\s+/g, " ");
  const shows = (selector, wanted) =>
    expect(`${selector} shows ${wanted}`, async () => {
      const found = await text(selector);
      if (!found.includes(wanted)) throw new Error(found);
      return true;
    });

  await page.getByRole("button", { name: "Order" }).click();
  // The data, the list that is repeated for the data, and the value of the page's function.
  await shows("main", "Bread");
  await shows("main", "Milk");
  await shows("main", "In the cart (3)");
  // The agent has called the page's function too, and the page has answered.
  await shows("#said", "You have 3 items.");
  await page.screenshot({ path: job.pictures.drawn });

  await page.getByRole("button", { name: "Ask the price" }).click();
  await shows("#price", "Bread: 300 cents");
  await page.getByRole("button", { name: "Ask for nothing" }).click();
  await shows("#price", "There is no such item. (UNKNOWN_ITEM)");

  // The setter changes the data, and the action sends the data as it is.
  await page.getByLabel("Note").fill("at eight");
  await page.getByRole("button", { name: "Buy" }).click();
  await shows("#said", "Bought c-1: at eight.");
  await shows("main", "Sold");
  await page.screenshot({ path: job.pictures.bought });
  await expect("no failure", async () => (await text("#failure")) === "");
});
