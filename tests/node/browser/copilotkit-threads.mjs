// A user on CopilotKit's page with its hook `useThreads` (copilotkit/threads.jsx): threads are listed, opened, renamed, archived,
// listed again and deleted, also after a reload, and CopilotKit's own list waits for a licence.
//
// job.runtime: the server's address for CopilotKit's pages. job.single: true if all requests go there. job.visitor: who asks.
// job.picture: path
import { allowItsOwn, isIdle, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  // A page that is left or loaded again.
  allowTrouble("request", /\/(copilotkit|threads.*): net::ERR_ABORTED$/);
  const address = new URL(job.url);
  address.searchParams.set("runtime", job.runtime);
  address.searchParams.set("visitor", job.visitor);
  if (job.single) address.searchParams.set("single", "");
  await page.goto(address.href);

  const chat = () => page.locator("#chat").innerText();
  const items = () =>
    page.locator(".item").evaluateAll((all) => all.map((item) => `${item.querySelector("button").textContent}${item.className.includes("archived") ? " (archived)" : ""}`));
  const lists = (when, wanted) =>
    expect(when, async () => {
      const [found, failure] = [await items(), await page.locator("#failure").textContent()];
      if (JSON.stringify(found) !== JSON.stringify(wanted) || failure !== "") throw new Error(JSON.stringify({ found, failure }));
      return isIdle(page);
    });
  const isChange = (request) =>
    ["PATCH", "POST", "DELETE"].includes(request.method()) &&
    (request.url().includes("/threads/") || /"httpMethod":"(PATCH|POST|DELETE)"/.test(request.postData()));
  const press = (title, button) => {
    const item = page.locator(".item", { has: page.getByRole("button", { name: title, exact: true }) }).first();
    // The page shows a change before the server knows, and a reload would abort the request.
    const changed = button !== title && page.waitForResponse((response) => isChange(response.request()));
    return Promise.all([changed, item.getByRole("button", { name: button, exact: true }).click()]);
  };
  const rename = async (title, name) => {
    page.once("dialog", (dialog) => dialog.accept(name));
    await press(title, "Rename");
  };
  const tell = async (said, name) => {
    await say(page, expect, said);
    await expect(`the answer to ${said}`, async () => (await isIdle(page)) && (await chat()).includes("end."));
    await expect("the thread is listed", async () => (await items()).includes("New thread"));
    await rename("New thread", name);
    await expect(`the title ${name}`, async () => (await items()).includes(name));
  };
  const another = async () => {
    await page.getByRole("button", { name: "New", exact: true }).click();
    await expect("an empty chat", async () => !(await chat()).includes("end."));
  };

  await lists("no thread at first", []);
  await tell("Tell me a story", "First");
  await another();
  await tell("Tell me another one", "Second");
  await another();
  await tell("Tell me a third one", "Third");
  await page.reload();
  await lists("the first page", ["Third", "Second"]);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await lists("both pages", ["Third", "Second", "First"]);
  await press("Second", "Second");
  await expect("the second thread", async () => (await chat()).includes("Tell me another one") && (await chat()).includes("end."));
  await press("Second", "Archive");
  await expect("a thread less", async () => !(await items()).includes("Second"));
  await page.getByLabel("Archived").check();
  await expect("the archived thread is there", async () => (await items()).includes("Second (archived)") || (await page.getByRole("button", { name: "More", exact: true }).click().then(() => false, () => false)));
  await page.screenshot({ path: job.picture });
  await press("Second", "Unarchive");
  await expect("no thread is archived", async () => (await items()).includes("Second"));
  await press("Third", "Delete");
  await expect("a thread is deleted", async () => !(await items()).includes("Third"));
  await page.reload();
  await expect("the same threads after a reload", async () => JSON.stringify((await items()).sort()) === JSON.stringify(["First", "Second"]));

  // CopilotKit's own list asks for nothing before a licence is known, which only its platform gives.
  address.searchParams.set("drawer", "");
  await page.goto(address.href);
  await expect("the same threads beside CopilotKit's own list", async () => (await items()).length === 2);
  const drawer = page.locator("[data-testid=copilot-threads-drawer]");
  const shown = () => drawer.evaluate((element) => element.shadowRoot.textContent);
  await expect("CopilotKit's own list waits", async () => (await shown()).includes("Loading threads…"));
}, { opensPages: true });
