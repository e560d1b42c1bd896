// A person on assistant-ui's page (assistant-ui/page.jsx), with one agent after the other.
//
// job.visits: [{ "name", "url": the address of the agent, "thread"?: a thread that the server stores,
//   "sets"?: the state that the page sets first, "says": [text, …],
//   "presses"?: [button, …] after what was said,
//   "shows": [text, …] must be in the chat in the end, once each and in this order,
//   "state"?: the state in the end, "background"?: as the page's tool has painted it,
//   "failure"?: what the page reports, "reloads"?: true if the page is loaded again, and shows the same,
//   "picture": path }, …]
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  // The request of a run that is stopped.
  allowTrouble("request", /net::ERR_ABORTED$/);
  const shown = (id) => page.locator(`#${id}`).textContent();
  const chat = async () => (await page.locator("#chat").innerText()).replace(/\s+/g, " ");
  const isIdle = async () => (await shown("status")) === "idle";

  const inOrder = (whole, wanted) => {
    let at = 0;
    for (const part of wanted) {
      const found = whole.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return true;
  };

  const looksRight = (visit, when) =>
    expect(`${visit.name} ${when}: ${JSON.stringify(visit)}`, async () => {
      const [whole, state, background, failure] = [await chat(), await shown("state"), await shown("background"), await shown("failure")];
      const right =
        (await isIdle()) &&
        inOrder(whole, visit.shows) &&
        (visit.state === undefined || state === JSON.stringify(visit.state)) &&
        background === (visit.background ?? "none") &&
        failure === (visit.failure ?? "");
      if (!right) throw new Error(JSON.stringify({ whole, state, background, failure }));
      return true;
    });

  for (const visit of job.visits) {
    const address = new URL(job.url);
    address.searchParams.set("url", visit.url);
    if (visit.thread) address.searchParams.set("thread", visit.thread);
    await page.goto(address.href);
    if (visit.sets) {
      await page.getByLabel("State").fill(JSON.stringify(visit.sets));
      await page.getByRole("button", { name: "Set state" }).click();
    }
    for (const said of visit.says) {
      await expect(`${visit.name} is idle`, isIdle);
      await page.getByLabel("Message").fill(said);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expect(`"${said}" is in the chat`, async () => (await chat()).includes(said));
      await expect(`${visit.name} has answered "${said}"`, isIdle);
    }
    for (const button of visit.presses ?? []) await page.getByRole("button", { name: button }).last().click();
    await looksRight(visit, "in the end");
    await page.screenshot({ path: visit.picture });
    if (visit.reloads) {
      await page.reload();
      await looksRight(visit, "loaded again");
    }
  }
}, { opensPages: true });
