// A customer on the page of CopilotKit's quickstart (copilotkit/starter.jsx) over the example desk: tools, shared state, suggestions, a
// question whose server is killed and started again, a reload, a second tab; then stop and an error with a model that hangs.
//
// job.page: the address of the page. job.runtime: the desk's address for CopilotKit's pages. job.troubled: the same of the desk with
// the model. job.control: the address at which `POST /agent` kills and starts the desk. job.pictures: paths by name
import { allowItsOwn, restart } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, watch, expect, expectTrouble, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  // A page that is left, loaded again or stopped.
  allowTrouble("request", /\/(run|suggest|stop\/.*): net::ERR_ABORTED$/);
  const address = (runtime) => {
    const url = new URL(job.page);
    url.search = new URLSearchParams({ agent: "default", more: "", thread: crypto.randomUUID(), runtime });
    return url.href;
  };
  const chat = async (tab) => (await tab.locator("body").innerText()).replace(/\s+/g, " ");
  const isIdle = async (tab) => (await tab.locator("#status").textContent()) === "idle";
  const idle = (tab = page) => expect("nothing goes on", () => isIdle(tab));
  const shows = (words, tab = page) => expect(words, async () => (await chat(tab)).includes(words));
  const order = async (tab = page) => JSON.parse(await tab.locator("#state").textContent()).order;
  const question = (tab = page) => tab.locator(".question");
  const isAsked = (tab = page) => expect("a question", async () => (await question(tab).count()) === 1);
  const approve = (tab = page) => question(tab).getByRole("button", { name: "Approve" }).click();
  const say = async (said, tab = page, isReady = isIdle) => {
    const field = tab.locator("textarea").first();
    let isSent = false;
    await expect(`"${said}" was sent`, async () => {
      // A page that does not accept a message yet leaves the field as it is.
      if (!isSent && (await isReady(tab))) {
        await field.fill(said);
        await field.press("Enter");
        isSent = (await field.inputValue()) === "";
      }
      return (await chat(tab)).includes(said);
    });
  };

  // Tools, text, state, a tool that fails, and a suggestion.
  await page.goto(address(job.runtime));
  await say("Where is order 7?");
  await shows("Order 7: a teapot, 24.00 €, 0.00 € refunded.");
  await expect("the shared state", async () => (await order())?.item === "teapot");
  await say("Where is order 1?");
  await shows("there is no order 1");
  await expect("a suggestion", async () => (await page.getByRole("button", { name: "A refund" }).count()) === 1);

  // The suggestion is taken; the server is killed while it asks, and the page goes on.
  await page.getByRole("button", { name: "A refund" }).click();
  await isAsked();
  await page.screenshot({ path: job.pictures.asked });
  await restart(job, ["agent"]);
  await approve();
  await shows("Done: 8.50 € for the cup are on their way to you.");
  await expect("the refund in the state", async () => (await order())?.refunded === 850);

  // Loaded again, also while a question is open.
  await page.reload();
  await shows("Done: 8.50 € for the cup are on their way to you.");
  await expect("the state after a reload", async () => (await order())?.refunded === 850);
  await idle();
  await say("Order 8 is broken. I want my money back.");
  await isAsked();
  await page.reload();
  await isAsked();

  // A second tab has the conversation and the question.
  const opened = page.context().waitForEvent("page");
  await page.evaluate(() => void window.open(location.href));
  const second = await watch(await opened);
  await shows("Order 7: a teapot", second);
  await isAsked(second);
  await approve(second);
  await shows("Done: 59.00 € for the kettle", second);
  await page.bringToFront();
  await page.reload();
  await shows("Done: 59.00 € for the kettle");
  await expect("no question is open", async () => (await question().count()) === 0);
  await page.screenshot({ path: job.pictures.end });
  await second.close();

  // Stop in the middle of a text that would never end, an error, and another message.
  await page.goto(address(job.troubled).replace("more=&", ""));
  // This page shows no status.
  const send = (said) => say(said, page, () => true);
  await send("Is the shop open?");
  await shows("Let me see.");
  await page.getByTestId("copilot-send-button").click();
  const cause = "the model's answer was cut off";
  expectTrouble("console.error", new RegExp(`^\\[CopilotKit\\] Error \\(agent_run_error_event\\): Error: ${cause}`));
  await send("And my kettle?");
  await shows("Your ket");
  const banner = page.getByTestId("copilot-error-banner");
  await expect("the error", async () => (await banner.allInnerTexts()).some((text) => text.includes(cause)));
  await send("Are you there?");
  await shows("All is well again.");
}, { opensPages: true });
