// A customer gets a part of the money back: asks for an order, sees it, changes the amount, approves it. No complaint on
// the page is allowed.
//
// job.pictures: paths by name, for pictures on the way.
import { browse } from "./driver.mjs";
import { counter, plain } from "./desk-page.mjs";

await browse(async ({ page, job, expect }) => {
  const desk = counter(page, expect);
  const picture = (name) => desk.picture(job.pictures[name]);

  await expect("no order yet", () => page.getByText("Your order appears here").isVisible());
  await picture("start");
  await page.getByRole("button", { name: "Where is order 7?" }).click();
  await desk.is("Ready");
  await desk.card("order", "done", "Order 7|teapot|24.00 €");
  await desk.shows({ number: "7", item: "teapot", price: "24.00 €", refunded: "0.00 €", total: "24.00 €" });

  // Another order takes the place of the first, and the desk asks before it pays.
  await desk.say("Order 8 is broken. I want my money back.");
  await desk.is("Waits for you");
  await desk.card("refund", "waiting", "Refund|Order 8|59.00 €");
  await desk.shows({ number: "8", item: "kettle", price: "59.00 €", refunded: "0.00 €" });
  await desk.asked("Refund the kettle?", "59.00");
  const focused = () => page.evaluate(() => document.activeElement.className);
  await expect("the question has the keyboard", async () => (await focused()) === "question");
  await picture("desktop");

  // An amount that cannot be paid back cannot be approved.
  const approve = desk.question.getByRole("button", { name: /^Approve/ });
  for (const wrong of ["", "59.01", "0", "-1", "9.999", "many"]) {
    await desk.amount.fill(wrong);
    await expect(`${wrong} is refused`, () => approve.isDisabled());
    await desk.amount.press("Enter");
    await expect(`${wrong} has a hint`, async () =>
      plain(await desk.question.getByRole("status").textContent()).includes("up to 59.00 €"),
    );
  }
  await desk.amount.fill("9,5");
  await expect("the amount on the button", async () => plain(await approve.textContent()) === "Approve 9.50 €");
  await picture("edited");
  const [request] = await Promise.all([page.waitForRequest((sent) => sent.method() === "POST"), approve.click()]);
  const [{ status, payload }] = request.postDataJSON().resume;
  const sent = JSON.stringify({ status, payload });
  const expected = { status: "resolved", payload: { approved: true, editedArgs: { number: 8, cents: 950 } } };
  if (sent !== JSON.stringify(expected)) throw new Error(`sent: ${sent}`);
  await desk.is("Ready");
  await desk.card("refund", "done", "Refund|Order 8, kettle|9.50 €");
  await desk.says("Done: 9.50 € for the kettle are on their way to you.");
  await desk.shows({ refunded: "−9.50 €", total: "49.50 €", stamp: "Partly refunded" });
  await expect("no question is left", async () => (await desk.question.count()) === 0);

  // The rest, by the suggestion.
  await page.getByRole("button", { name: "I want my money back for order 8." }).click();
  await desk.asked("Refund the kettle?", "49.50");
  await picture("again");
  await desk.question.getByRole("button", { name: /^Approve/ }).click();
  await desk.is("Ready");
  await expect("the refund of before", async () =>
    plain(await desk.calls("order", "done").last().textContent()).includes("kettle, 9.50 € refunded"),
  );
  await desk.shows({ refunded: "−59.00 €", total: "0.00 €", stamp: "Refunded" });
  await picture("done");
  await page.emulateMedia({ colorScheme: "dark" });
  await desk.say("I bought number 1 as well.");
  await desk.card("order", "failed", "Order 1|there is no order 1|");
  await desk.say("Please take order 9 back.");
  await desk.asked("Refund the cup?", "8.50");
  await picture("dark");

  // On a phone the order is a strip above, and everything is in reach of a thumb.
  for (const [width, height, scheme] of [[320, 568, "dark"], [390, 780, "light"]]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await desk.fits();
    for (const control of [desk.amount, ...(await desk.question.getByRole("button").all())]) {
      await control.scrollIntoViewIfNeeded();
      const box = await control.boundingBox();
      if (box.height < 40 || box.x < 0 || box.x + box.width > width) throw new Error(`a control: ${JSON.stringify(box)}`);
    }
    await picture(`phone-${width}`);
  }
  await desk.question.getByRole("button", { name: /^Approve/ }).click();
  await desk.is("Ready");
  await desk.shows({ item: "cup", refunded: "−8.50 €" });
  await picture("phone-done");

  await page.getByRole("link", { name: "New conversation" }).click();
  await expect("the order is gone", async () => !(await page.locator("#receipt").isVisible()));
  await expect("no message", async () => (await page.locator(".said").count()) === 0);
});
