// A customer refuses a refund with a reason, by the keyboard alone.
import { browse } from "./driver.mjs";
import { counter } from "./desk-page.mjs";

await browse(async ({ page, job, expect }) => {
  const desk = counter(page, expect);
  const { keyboard } = page;
  const has = (name) =>
    expect(`${name} has the keyboard`, async () =>
      (await page.evaluate(() => document.activeElement.dataset.part ?? document.activeElement.id)) === name,
    );

  await has("text");
  await keyboard.type("Please take order 9 back.");
  await keyboard.press("Enter");
  await desk.asked("Refund the cup?", "8.50");

  // Until the question is answered, a message can be written but not sent.
  await desk.field.fill("Or not?");
  await keyboard.press("Enter");
  await expect("it is still there", async () => (await desk.field.inputValue()) === "Or not?");
  await desk.field.fill("");

  await desk.question.focus();
  for (const next of ["amount", "other"]) {
    await keyboard.press("Tab");
    await has(next);
  }
  await keyboard.press("Enter");
  await has("reason");
  await keyboard.type("I like the cup");
  await desk.picture(job.pictures.refusing);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await keyboard.press("Enter");
  const [{ payload }] = (await sent).postDataJSON().resume;
  if (JSON.stringify(payload) !== '{"approved":false,"reason":"I like the cup"}') throw new Error(JSON.stringify(payload));
  await desk.is("Ready");
  await desk.card("refund", "refused", "Refund|Order 9|8.50 €");
  await expect("the desk knows the reason", async () =>
    (await page.locator(".from-desk").last().textContent()).includes("the user refused"),
  );
  await desk.shows({ item: "cup", refunded: "0.00 €" });
  await has("text");
  await desk.picture(job.pictures.refused);
});
