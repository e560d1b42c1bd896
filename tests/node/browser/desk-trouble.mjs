// The desk with a model that is slow, breaks off, and is missing for a while: text appears piece by piece, and each failure is
// shown with a way on.
import { browse } from "./driver.mjs";
import { counter } from "./desk-page.mjs";

await browse(async ({ page, job, expect, expectTrouble }) => {
  const desk = counter(page, expect);
  const alert = page.getByRole("alert");
  const told = (words) => expect(`an alert about "${words}"`, async () => (await alert.textContent()).includes(words));
  const again = () => alert.getByRole("button", { name: "Try again" }).click();

  // The text grows while the model writes.
  await page.evaluate(() => {
    const lengths = (window.lengths = new Set());
    const look = () => {
      lengths.add([...document.querySelectorAll(".from-desk")].at(-1)?.textContent.length);
      requestAnimationFrame(look);
    };
    look();
  });
  await desk.say("Hello!");
  await desk.is("Writing");
  await desk.says("Good day, how can I help you with your order?");
  await desk.is("Ready");
  const pieces = await page.evaluate(() => window.lengths.size);
  if (pieces < 5) throw new Error(`the text came in ${pieces} pieces`);

  // The model breaks off after the order: another try keeps the order, and not the half of a sentence.
  await desk.say("Order 8 is broken.");
  await told("The desk could not finish");
  await desk.says("Your ket");
  await desk.card("order", "done", "Order 8|kettle|59.00 €");
  await desk.picture(job.pictures.failed);
  await again();
  await desk.says("Your kettle is broken: shall I refund it?");
  await desk.is("Ready");
  await expect("no alert", async () => (await alert.count()) === 0);
  await expect("no half of a sentence", async () => (await page.getByText("Your ket", { exact: true }).count()) === 0);
  await expect("one card", async () => (await page.locator(".tool").count()) === 1);

  // The answer to a question finds no server: another try sends it again.
  await desk.say("Yes");
  await desk.asked("Refund the kettle?", "59.00");
  expectTrouble("request", /net::ERR_CONNECTION_REFUSED/);
  expectTrouble("console.error", /net::ERR_CONNECTION_REFUSED/);
  expectTrouble("console.error", /Agent execution failed: TypeError/);
  const posts = (url) => url.pathname === "/";
  const missing = (route) => route.abort("connectionrefused");
  await page.route(posts, missing);
  await desk.question.getByRole("button", { name: /^Approve/ }).click();
  await told("The desk cannot be reached");
  await page.unroute(posts, missing);
  await again();
  await desk.says("Done.");
  await desk.shows({ refunded: "−59.00 €" });
  await desk.is("Ready");

  // The server refuses.
  expectTrouble("response", /: 503$/);
  expectTrouble("console.error", /503 \(Service Unavailable\)/);
  expectTrouble("console.error", /Agent execution failed: Error: HTTP 503/);
  const body = JSON.stringify({ error: { code: "server_busy", message: "try again later" } });
  const refuse = (route) => route.fulfill({ status: 503, contentType: "application/json", body });
  await page.route(posts, refuse);
  await desk.say("Thank you");
  await told("The server refused with status 503");
  await told("try again later");
  await told("server_busy");
  await page.unroute(posts, refuse);

  // The stream ends without an end of the run.
  const cut = (route) => {
    const { threadId, runId } = route.request().postDataJSON();
    const event = (type, more) => `data: ${JSON.stringify({ type, ...more })}\n\n`;
    const begun = event("RUN_STARTED", { threadId, runId }) + event("TEXT_MESSAGE_START", { messageId: "cut", role: "assistant" });
    const body = begun + event("TEXT_MESSAGE_CONTENT", { messageId: "cut", delta: "You are" });
    return route.fulfill({ status: 200, contentType: "text/event-stream", body });
  };
  await page.route(posts, cut);
  await again();
  await told("The answer broke off");
  await page.unroute(posts, cut);

  // The customer stops the answer before it begins, and in the middle of it.
  expectTrouble("request", /net::ERR_ABORTED/);
  const stops = async () => {
    await page.getByRole("button", { name: "Stop" }).click();
    await told("Stopped");
    await desk.is("Ready");
  };
  const silent = () => {};
  await page.route(posts, silent);
  await again();
  await desk.is("Writing");
  const aborted = page.waitForEvent("requestfailed");
  await stops();
  // Without its route, a request that the browser still holds would go on to the server.
  await aborted;
  await page.unroute(posts, silent);
  await again();
  await desk.says("You ");
  await stops();
});
