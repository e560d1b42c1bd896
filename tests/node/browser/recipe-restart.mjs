// The server is killed and started again: between two answers, while an order waits for the user, and in the middle of an answer.
// The user loads the page again each time, and everything that was seen is there.
//
// job.folder: a file "kill-N" in it asks for the kill with that number, a file "started-N" says that the server is back.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse } from "./driver.mjs";
import { kitchen } from "./recipe-page.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  const cook = kitchen(page, expect);
  // A page whose server is gone tries again.
  allowTrouble("request", /net::ERR_/);
  allowTrouble("console.error", /net::ERR_/);
  let kills = 0;
  const restart = async () => {
    writeFileSync(join(job.folder, `kill-${kills}`), "");
    await expect("the server is back", () => existsSync(join(job.folder, `started-${kills}`)));
    kills += 1;
    await page.reload();
  };
  const said = () => page.locator(".by-cook").allTextContents();

  await cook.say("Let's cook a risotto!");
  await cook.lists("onion", "butter", "rice", "stock", "mushroom", "parmesan");
  await cook.idle();
  // Without the greeting, which a page shows that has no conversation.
  const answer = (await said()).at(-1);
  await restart();
  await cook.idle();
  await cook.lists("onion", "butter", "rice", "stock", "mushroom", "parmesan");
  await cook.shows({ title: "Mushroom risotto", servings: "2", diet: "for everyone" });
  await expect(`the words "${answer}"`, async () => (await said()).join("\n") === answer);

  await cook.say("Order it");
  await cook.asked();
  await restart();
  const dialog = await cook.asked();
  await dialog.getByRole("button", { name: "Confirm order" }).click();
  await cook.idle();
  await expect("the order", async () => (await page.locator("#order").textContent()).startsWith("ordered, no. "));

  await cook.say("Now pancakes, please.");
  await expect("a part of the list", async () => {
    const names = await cook.names();
    return names.includes("flour") && names;
  });
  const listed = await cook.names();
  await restart();
  await expect("all that was seen", async () => {
    const names = await cook.names();
    return listed.every((name) => names.includes(name));
  });
  await expect("the user's words", () => page.locator(".by-person", { hasText: "Now pancakes, please." }).isVisible());
  await expect("the first answer", async () => (await said())[0] === answer);
});
