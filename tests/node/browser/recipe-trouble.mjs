// The cook's page when things go wrong around it: a stopped answer, a server that refuses, that is missing, that stops
// in the middle. Each time the user is informed, and can continue.
import { browse } from "./driver.mjs";
import { kitchen } from "./recipe-page.mjs";

await browse(async ({ page, expect, expectTrouble }) => {
  const cook = kitchen(page, expect);
  const alert = page.getByRole("alert");
  const told = (words) => expect(`an alert about "${words}"`, async () => (await alert.textContent()).includes(words));

  const waits = () => expect("it waits for the server", () => page.getByText("Reconnecting…").isVisible());

  // Stop in the middle of an answer.
  const stopped = cook.stopAt(2);
  await cook.say("Let's cook a risotto!");
  await stopped;
  await cook.idle();
  await expect("it says so", () => page.getByText("Stopped.").isVisible());
  await expect("nothing keeps spinning", async () => (await page.locator(".streaming").count()) === 0);
  const kept = (await cook.names()).length;
  if (kept >= 6) throw new Error("everything had come before it was stopped");
  await cook.say("for six");
  await cook.idle();
  await cook.says("Enough for 6 now.");

  // Stop before the answer begins.
  expectTrouble("request", /cook: net::ERR_ABORTED/);
  const silent = () => {};
  await page.route("**/cook", silent);
  await cook.say("for five");
  await page.getByRole("button", { name: "Stop" }).click();
  await cook.idle();
  await expect("it says so again", async () => (await page.getByText("Stopped.").count()) === 2);
  await page.unroute("**/cook", silent);

  // The server is busy: the page goes on by itself when the server accepts again.
  expectTrouble("response", /cook: 503$/);
  expectTrouble("console.error", /503 \(Service Unavailable\)/);
  const busy = (route) => route.fulfill({ status: 503 });
  await page.route("**/cook", busy);
  await cook.say("for seven");
  await waits();
  await page.unroute("**/cook", busy);
  await cook.idle();
  await cook.says("Enough for 7 now.");

  // The server refuses the request.
  expectTrouble("response", /cook: 400$/);
  expectTrouble("console.error", /400 \(Bad Request\)/);
  expectTrouble("console.error", /Agent execution failed: Error: HTTP 400/);
  const refuse = (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({ error: { code: "closed", message: "the kitchen is closed", path: "messages[0]" } }),
    });
  await page.route("**/cook", refuse);
  await cook.say("for four");
  await told("The server refused with status 400");
  await told("the kitchen is closed (at messages[0])");
  await told("closed");
  await page.unroute("**/cook", refuse);
  await cook.say("for four");
  await cook.idle();
  await cook.says("Enough for 4 now.");
  await expect("the alert is gone", async () => (await alert.count()) === 0);

  // No server.
  expectTrouble("request", /cook: net::ERR_CONNECTION_REFUSED/);
  expectTrouble("console.error", /net::ERR_CONNECTION_REFUSED/);
  const nobody = (route) => route.abort("connectionrefused");
  await page.route("**/cook", nobody);
  await cook.say("for three");
  await waits();
  await page.unroute("**/cook", nobody);
  await cook.idle();
  await cook.says("Enough for 3 now.");
  await expect("the alert is gone", async () => (await alert.count()) === 0);

  // The answer breaks off.
  const event = (type, more) => `data: ${JSON.stringify({ type, ...more })}\n\n`;
  const cut = (route) => {
    const { threadId, runId } = route.request().postDataJSON();
    const body =
      event("RUN_STARTED", { threadId, runId }) +
      event("TEXT_MESSAGE_START", { messageId: "cut", role: "assistant" }) +
      event("TEXT_MESSAGE_CONTENT", { messageId: "cut", delta: "Well, I" });
    return route.fulfill({ status: 200, contentType: "text/event-stream", body });
  };
  await page.route("**/cook", cut);
  await cook.say("for two");
  await told("The answer broke off");
  await expect("nothing keeps spinning", async () => (await page.locator(".streaming").count()) === 0);
  await page.unroute("**/cook", cut);
  await alert.getByRole("button", { name: "Say it again" }).click();
  await cook.idle();
  await cook.says("Enough for 2 now.");
  await expect("the alert is gone", async () => (await alert.count()) === 0);

  // A cook that sends something other than the page was made for.
  const strange = (route) => {
    const { threadId, runId } = route.request().postDataJSON();
    const body =
      event("RUN_STARTED", { threadId, runId }) +
      event("STATE_SNAPSHOT", { snapshot: { title: 7 } }) +
      event("RUN_FINISHED", { threadId, runId });
    return route.fulfill({ status: 200, contentType: "text/event-stream", body });
  };
  await page.route("**/cook", strange);
  await cook.say("for one");
  await told("do not understand each other");
});
