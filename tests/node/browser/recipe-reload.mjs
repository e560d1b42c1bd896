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

  // The question waits for the user, wherever the page is. The calls before it keep their answers in words.
  const answers = (tool) => page.locator(`.tool[data-tool=${tool}]`).evaluateAll((cards) =>
    cards.map((card) => [card.dataset.status, ...[...card.querySelectorAll(".brief, .answer, dd")].map((part) => part.textContent)].join(" | ")),
  );
  await cook.say("add some saffron");
  await cook.say("Order it");
  await cook.asked();
  const prices = await answers("price");
  const wrong = prices.filter((price) => !/^done \| [a-z]+ \| €\d|^failed \| saffron \| saffron is sold out today/.test(price));
  if (prices.length !== 7 || wrong.length > 0) throw new Error(`prices: ${prices.join("\n")}`);
  await page.reload();
  const dialog = await cook.asked();
  await expect("the same prices", async () => JSON.stringify(await answers("price")) === JSON.stringify(prices));
  await expect("the order waits", async () => (await cook.calls("confirm_order", "waiting").count()) === 1);
  await expect("the page says so", async () => (await page.locator("#status").textContent()) === "Waiting for you");
  await dialog.getByRole("button", { name: "Confirm order" }).click();
  await cook.idle();
  await expect("the order", async () => (await page.locator("#order").textContent()).startsWith("ordered, no. "));
  const [order] = await answers("confirm_order");
  if (!order.startsWith("done") || !order.includes("confirmed")) throw new Error(`the order: ${order}`);
  await page.screenshot({ path: job.pictures["answered"] });
  await page.addInitScript(() => {
    const send = window.fetch;
    let cut = () => {};
    window.fetch = async (...request) => {
      if (window.isOffline) throw new TypeError("Failed to fetch");
      const response = await send(...request);
      const through = new TransformStream({ start: (stream) => (cut = () => stream.error(new TypeError("network error"))) });
      return response.body ? new Response(response.body.pipeThrough(through), response) : response;
    };
    window.goOffline = () => ((window.isOffline = true), cut());
  });
  await page.reload();
  await cook.idle();
  await expect("the same order", async () => (await answers("confirm_order")).join() === order);

  // Without a network the page says that it connects again, and goes on when it can.
  await cook.say("Now pancakes, please.");
  await expect("a part of the list", async () => (await cook.names()).includes("flour"));
  await page.evaluate(() => window.goOffline());
  await expect("the page says that it connects again", async () => (await page.locator("#status").textContent()) === "Reconnecting…");
  await page.evaluate(() => (window.isOffline = false));
  await cook.idle();
  await cook.lists("flour", "egg", "milk", "butter");
});
