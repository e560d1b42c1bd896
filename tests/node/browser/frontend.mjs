// The pages of the text for frontends, as their reader sees them.
//
// job: { "react": true for the page with React, false for the one that writes to the console }
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  if (!job.react) {
    // Requests end when their page is left.
    allowTrouble("request", /: net::ERR_ABORTED/);
    return onTheConsole(page, job.url, expect);
  }
  const inside = (section) => {
    const part = page.getByRole("region", { name: section });
    const texts = async (selector) => (await part.locator(selector).allTextContents()).map((text) => text.trim());
    return {
      press: (button) => part.getByRole("button", { name: button, exact: true }).click(),
      has: (selector, text) => expect(`"${text}" in ${section}`, async () => (await texts(selector)).includes(text)),
      hasNo: (selector) => expect(`no ${selector} in ${section}`, async () => (await texts(selector)).length === 0),
      part,
    };
  };
  const shop = inside("Shop");
  const asked = [];
  const answers = [true, false];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void (answers.shift() ? dialog.accept() : dialog.dismiss());
  });
  const buy = async (name) => {
    await shop.part.getByLabel("Item").fill(name);
    await shop.press("Buy");
    await shop.has("li", `One ${name}, coming up.`);
  };
  await buy("rice");
  await shop.has("h2", "rice: 180 cents");
  await buy("saffron");
  await shop.has("h2", "rice, saffron: 1130 cents");
  await expect("two questions", () => asked.join("|") === "180 cents. Is that all?|1130 cents. Is that all?");
  await shop.has("p", "idle");

  const desk = inside("Desk");
  const question = "Pay 5900 cents back?";
  await desk.press("My kettle is broken");
  await desk.has("li", "Order 8 is a kettle for 59.00 €.");
  await desk.has("[role=group] span", question);
  await desk.press("No");
  await desk.hasNo("[role=group]");
  await desk.has("p", "0 cents paid back");
  await desk.press("My kettle is broken");
  await desk.has("[role=group] span", question);
  await desk.press("Yes");
  await desk.has("li", "Done: 59.00 € for the kettle are on their way to you.");
  await desk.has("p", "5900 cents paid back");
});

/** The lines that the page writes while it is loaded, which it does once more here. */
async function onTheConsole(page, url, expect) {
  await page.goto("about:blank");
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(url);
  await expect("the number of messages", () => said.includes("6 messages"));
  const lines = said.filter((line) => !line.startsWith("[vite]"));
  if (lines.join("|") !== "[] 0|[rice] 180|6 messages") throw new Error(lines.join("|"));
}
