// A customer with several conversations at the desk: they are listed, found again, renamed, archived and deleted; another browser
// sees none of them.
//
// job.pictures: paths by name, for pictures on the way.
import { accessibility } from "./axe.mjs";
import { counter, plain } from "./desk-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, watch, expect }) => {
  const desk = counter(page, expect);
  const rows = page.locator("#thread-list li");
  const names = async () => (await rows.locator("strong").allTextContents()).map(plain);
  const lists = (when, wanted) =>
    expect(when, async () => {
      const found = await names();
      if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(found));
      return true;
    });
  const row = (name) => rows.filter({ hasText: name });
  const press = (name, label) => row(name).getByRole("button", { name: new RegExp(`^${label}`) }).click();
  const anew = async () => {
    await page.getByRole("link", { name: "New conversation" }).click();
    await expect("an empty conversation", async () => (await page.locator(".said").count()) === 0);
  };
  const current = () => page.locator("#thread-list [aria-current] strong").textContent().then(plain);

  await expect("no list before the first conversation", async () => !(await page.locator("#threads").isVisible()));
  await desk.say("Where is order 7?");
  await desk.is("Ready");
  // The model of the server writes titles.
  const first = "About order 7";
  await lists("the first conversation", [first]);
  await anew();
  await desk.say("Order 8 is broken. I want my money back.");
  await desk.asked("Refund the kettle?", "59.00");
  const second = "About order 8";
  await lists("both conversations", [second, first]);
  await expect("the current one", async () => (await current()) === second);

  // The first one again, and the question of the second one after that.
  await press(first, first);
  await expect("the first conversation again", async () => plain(await page.locator(".said").first().textContent()) === "Where is order 7?");
  await desk.is("Ready");
  await press(second, second);
  await desk.asked("Refund the kettle?", "59.00");
  await desk.question.getByRole("button", { name: /^Approve/ }).click();
  await desk.is("Ready");
  await expect("the refund in the list", async () => plain(await row(second).locator(".last").textContent()).startsWith("Done: 59.00 €"));

  await press(second, "Rename");
  await page.getByLabel("Title").fill("The broken kettle");
  await page.getByRole("button", { name: "Save" }).click();
  await lists("a title", ["The broken kettle", first]);
  await expect("the last message below the title", async () => plain(await row("The broken kettle").locator(".last").textContent()).startsWith("Done"));
  await desk.picture(job.pictures.list);
  const found = await accessibility(page);
  if (found.length > 0) throw new Error(found.join("\n"));
  await press(first, "Archive");
  await lists("one is archived", ["The broken kettle"]);
  await page.getByLabel("Show archived").check();
  await expect("the archived one is there", async () => (await names()).length === 2);
  await press(first, "Restore");
  await page.getByLabel("Show archived").uncheck();
  await expect("none is archived", async () => (await names()).length === 2);

  // Another browser knows nothing of it.
  const other = await (await page.context().browser().newContext()).newPage();
  watch(other);
  await other.goto(job.url);
  await expect("the other browser is ready", async () => (await other.locator("#status").textContent()) === "Ready");
  if (await other.locator("#threads").isVisible()) throw new Error("another browser sees the conversations");
  await other.context().close();

  page.once("dialog", (dialog) => dialog.accept());
  await press("The broken kettle", "Delete");
  await lists("one is deleted", [first]);
  await expect("a new conversation", async () => (await page.locator(".said").count()) === 0);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: "dark" });
  await desk.fits();
  await desk.picture(job.pictures.phone);
});
