// The whole conversation of a user with the cook: ask, watch the recipe change, change it too, see prices, decline an
// order, accept one, see it fail. No complaint on the page is allowed.
//
// job.pictures: paths by name, for pictures on the way.
import { browse } from "./driver.mjs";
import { kitchen } from "./recipe-page.mjs";

await browse(async ({ page, job, expect }) => {
  const cook = kitchen(page, expect);
  const picture = (name) => page.screenshot({ path: job.pictures[name] });

  // The recipe grows on screen while the cook is still talking.
  const frames = await cook.watch(async () => {
    await cook.say("Let's cook a risotto!");
    await cook.idle();
  });
  const growing = frames.filter(({ lines, busy }) => busy && lines > 0 && lines < 6);
  const steps = new Set(growing.map(({ lines }) => lines));
  if (steps.size < 3) throw new Error(`the list came in ${steps.size} pieces: ${JSON.stringify(frames)}`);
  if (!growing.every(({ text }) => text > 0)) throw new Error("the list came before the words");
  const last = frames.at(-1);
  if (!(growing[0].text < last.text)) throw new Error("the text did not grow with the list");
  if (frames.some(({ lines }, at) => at > 0 && lines < frames[at - 1].lines)) throw new Error("the list shrank");
  await cook.shows({ title: "Mushroom risotto", servings: "2", diet: "for everyone" });
  await cook.lists("onion", "butter", "rice", "stock", "mushroom", "parmesan");
  await expect("the method", async () => (await page.locator("#steps li").count()) === 5);

  await cook.say("Make it vegan");
  await cook.idle();
  await cook.shows({ diet: "vegan" });
  await cook.lists("onion", "olive oil", "rice", "stock", "mushroom", "nutritional yeast");
  await cook.says("Olive oil instead of butter. Nutritional yeast instead of parmesan.");

  await page.getByRole("button", { name: "For six" }).click();
  await cook.idle();
  await cook.shows({ servings: "6" });
  await expect("three times the rice", async () => (await cook.amount("rice")) === "540 g");
  await expect("stock in litres", async () => (await cook.amount("stock")) === "1.8 l");

  // Prices: each a call of a tool that runs in the agent.
  await page.getByRole("button", { name: "How much is it?" }).click();
  await expect("the first price", async () => (await cook.calls("price", "done").count()) > 0);
  await picture("prices");
  await cook.idle();
  await expect("a card for each price", async () => (await cook.calls("price", "done").count()) === 6);
  const step = page.getByRole("region", { name: "Step prices" });
  await expect("the cards belong to the step", async () => (await step.locator(".tool").count()) === 6);
  const rice = cook.calls("price", "done").filter({ has: page.getByText("rice", { exact: true }) });
  await rice.locator("summary").click();
  await expect("the arguments as JSON", async () =>
    (await rice.locator("code").allTextContents()).join() === '{ "name": "rice", "amount": 540 },216',
  );
  await cook.says("Together that is €20.31 for 6.");
  await expect("the sum", async () => (await page.locator("#sum").textContent()) === "€20.31");

  // The person edits; the cook works with that.
  await page.getByRole("button", { name: "One less" }).click();
  await page.getByLabel("Title").fill("Grandma's risotto");
  await page.getByLabel("Title").press("Enter");
  await cook.shows({ title: "Grandma's risotto", servings: "5" });
  await expect("less rice", async () => (await cook.amount("rice")) === "450 g");
  await expect("no price holds any more", async () => !(await page.locator("#total").isVisible()));
  await expect("a word about it", async () => page.getByText("The cook sees it next time").isVisible());
  const [request] = await Promise.all([page.waitForRequest("**/cook"), cook.say("add some saffron")]);
  const { state } = request.postDataJSON();
  if (state.servings !== 5 || state.title !== "Grandma's risotto") throw new Error(`sent: ${JSON.stringify(state)}`);
  await cook.idle();
  await cook.shows({ title: "Grandma's risotto", servings: "5" });
  await expect("saffron for five", async () => (await cook.amount("saffron")) === "0.5 g");
  await page.getByRole("spinbutton", { name: "Servings" }).fill("0");
  await page.getByLabel("Message to the cook").focus();
  await cook.shows({ servings: "5" });

  // No to an order: the dialog is closed with the keyboard.
  await cook.say("Order it");
  await cook.asked("€16.93");
  await expect("a tool that failed", async () =>
    (await cook.calls("price", "failed").textContent()).includes("saffron is sold out today"),
  );
  await expect("the order waits", async () => (await cook.calls("confirm_order", "waiting").count()) === 1);
  await expect("and the recipe says so", async () => (await page.locator("#order").textContent()) === "to confirm: €16.93");
  await page.keyboard.press("Escape");
  await cook.idle();
  await cook.says("All right, nothing was ordered.");
  await expect("the recipe says so", async () => (await page.locator("#order").textContent()) === "not ordered");
  await expect("the card says so", async () =>
    (await cook.calls("confirm_order", "done").textContent()).includes("declined"),
  );

  // Yes to the next, with a note to the shop.
  await page.getByRole("button", { name: "Order it" }).click();
  const dialog = await cook.asked("€16.93");
  await expect("what is ordered", async () => (await dialog.getByRole("listitem").count()) === 6);
  await dialog.getByLabel("A note to the shop").fill("Ring twice");
  await picture("dialog");
  await dialog.getByRole("button", { name: "Confirm order" }).click();
  await cook.idle();
  await cook.says("Ordered, number 1000. It will be at your door in half an hour. I passed on your note: “Ring twice”");
  await expect("the order's number", async () => (await page.locator("#order").textContent()) === "ordered, no. 1000");
  await picture("ordered");
  await expect("the newest in sight", () => cook.seesTheEnd());
  await cook.say("order once more");
  await cook.idle();
  await cook.says("That is ordered already, number 1000. Change it and I order again.");

  // A failed run is shown, and is not the end.
  await cook.say("burn it");
  await cook.idle();
  const alert = page.getByRole("alert");
  await expect("the failure", async () => {
    const told = await alert.textContent();
    return told.includes("The kitchen is on fire.") && told.includes("KITCHEN_FIRE");
  });
  await picture("failed");
  await alert.getByRole("button", { name: "Dismiss" }).click();
  await expect("no alert", async () => (await alert.count()) === 0);
  await cook.say("a pancake breakfast for four");
  await expect("half of the list", async () => (await cook.names()).includes("egg"));
  await picture("streaming");
  await cook.idle();
  await cook.shows({ title: "Pancakes", servings: "4", diet: "for everyone" });
  await expect("nothing keeps spinning", async () =>
    (await page.locator(".streaming, .step.open, [data-status=running], [data-status=waiting]").count()) === 0,
  );

  // The same in the dark, on a phone.
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("dark");
  await page.setViewportSize({ width: 390, height: 780 });
  await expect("one pane", async () => !(await page.locator("#card").isVisible()));
  await picture("phone");
  // A change of the hidden recipe is said in words, and nothing moves while the cook works.
  const changed = page.getByRole("button", { name: "The recipe changed. Look" });
  const height = () => page.evaluate(() => document.querySelector(".masthead").getBoundingClientRect().height);
  const before = await height();
  if (before >= 64) throw new Error(`the header takes ${before} px of a phone`);
  await cook.say("double it");
  await expect("a word about the change", () => changed.isVisible());
  if ((await height()) !== before) throw new Error("the header jumps");
  await cook.idle();
  await picture("phone-changed");
  await changed.click();
  await expect("the other pane", async () => page.locator("#card").isVisible());
  await cook.shows({ servings: "8" });
  if (await changed.isVisible()) throw new Error("the change is announced after it was seen");
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    for (const pane of ["Recipe", "Talk"]) {
      await page.getByRole("button", { name: pane, exact: true }).click();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      if (wide) throw new Error(`the page is wider than ${width} px`);
      if ((await height()) !== before) throw new Error(`the header wraps at ${width} px`);
      await picture(`${pane.toLowerCase()}-${width}`);
    }
    await page.getByRole("button", { name: "Recipe", exact: true }).click();
    for (const name of ["One less", "One more"]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      if (box.width < 40 || box.height < 40) throw new Error(`${name} is ${box.width} by ${box.height} px`);
    }
    await page.getByRole("button", { name: "Talk", exact: true }).click();
    await page.getByRole("button", { name: "Order it" }).click();
    const order = await cook.asked();
    const box = await order.boundingBox();
    if (box.x < 0 || box.x + box.width > width) throw new Error(`the order needs more than ${width} px`);
    await picture(`dialog-${width}`);
    await page.keyboard.press("Escape");
    await cook.idle();
  }
  // Emoji stand in recipes, in titles and in the arguments of calls.
  const fonts = await page.evaluate(() => {
    const tokens = getComputedStyle(document.documentElement);
    return ["--serif", "--sans", "--mono"].filter((name) => !tokens.getPropertyValue(name).endsWith('"Noto Color Emoji"'));
  });
  if (fonts.length > 0) throw new Error(`without a font for emoji: ${fonts}`);
  // Emoji alone are drawn in colours; a box in their place has that of the text.
  const isColoured = await page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `32px ${getComputedStyle(document.documentElement).getPropertyValue("--sans")}`;
    context.fillText("🍅", 0, 32);
    const { data } = context.getImageData(0, 0, 48, 48);
    return data.some((level, at) => at % 4 === 0 && Math.abs(level - data[at + 1]) > 64);
  });
  if (job.hasEmoji && !isColoured) throw new Error("the pictures show boxes for emoji");
  return { frames: frames.length, pieces: steps.size };
});
