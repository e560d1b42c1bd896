// The site in a browser: axe-core on pages in light, in dark and on a phone; search and navigation by keyboard; the recorded run of
// the front page. No request leaves the site.
//
// job.scene: "looks" (job.paths, job.scheme, job.width), "keyboard", or "plays" (the last two, and job.picture); job.site is the address
// of the site. Returns the findings, the page that was reached, or what was played.
import { accessibility } from "./axe.mjs";
import { browse } from "./driver.mjs";

const own = (page, job) => {
  const foreign = [];
  page.context().on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== new URL(job.site).origin) foreign.push(request.url());
  });
  return foreign;
};

/** Every page at its worst: the findings, and the pages that are wider than the screen. */
async function looks({ page, job }) {
  const found = [];
  await page.setViewportSize({ width: job.width, height: 800 });
  await page.emulateMedia({ colorScheme: job.scheme, reducedMotion: "reduce" });
  for (const path of job.paths) {
    await page.goto(new URL(path, job.site).href);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) found.push(`${path}: ${wide} px wider than the screen`);
    const isDark = await page.evaluate(() => document.body.dataset.mdColorScheme === "slate" || document.documentElement.dataset.theme === "dark");
    if (isDark !== (job.scheme === "dark")) found.push(`${path}: not in the colours of the system`);
    found.push(...(await accessibility(page)).map((finding) => `${path}: ${finding}`));
  }
  return found;
}

/** The words of the element that has the focus, and true if a reader sees it. */
const focused = (page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    // The switch of the colours shows the label behind it.
    const shown = one.matches(".md-option") ? [one, one.nextElementSibling] : [one];
    const boxes = shown.map((each) => each.getBoundingClientRect());
    const isSeen = boxes.some(({ width, height }) => width > 0 && height > 0);
    return { words: (one.getAttribute("aria-label") ?? one.textContent).trim(), isSeen, href: one.getAttribute("href") };
  });

async function keyboard({ page, job, expect }) {
  await page.goto(new URL("guide/tools/", job.site).href);
  // By Tab alone: past the navigation, into the search.
  const passed = [];
  for (let presses = 0; presses < 40 && !passed.some(({ words }) => words === "Search"); presses += 1) {
    await page.keyboard.press("Tab");
    passed.push(await focused(page));
  }
  const hidden = passed.filter(({ isSeen }) => !isSeen);
  if (hidden.length > 0) throw new Error(`the focus is nowhere: ${JSON.stringify(hidden)}`);
  if (passed[0]?.words !== "Skip to content") throw new Error(`the first stop is ${passed[0]?.words}`);
  await page.keyboard.type("approval");
  const results = page.locator(".md-search-result__link");
  await expect("results", async () => (await results.count()) > 2);
  const first = await expect("the focus on a result", async () => {
    // The list is drawn again while the index arrives.
    await page.keyboard.press("ArrowDown");
    const one = await focused(page);
    return one.href !== null && one.words.toLowerCase().includes("approv") && one;
  });
  await page.keyboard.press("Enter");
  await expect("the page that was found", async () => page.url().includes(new URL(first.href, page.url()).pathname));
  await expect("its title", async () => (await page.locator("h1").first().textContent()).length > 2);
  // A shortcut, and back without it.
  await expect("the search has the focus", async () => {
    // The page may not listen yet.
    if ((await focused(page)).words !== "Search") await page.keyboard.press("/");
    return (await focused(page)).words === "Search";
  });
  await page.keyboard.press("Escape");
  const links = [];
  for (let presses = 0; presses < 60 && !links.includes("Models"); presses += 1) {
    await page.keyboard.press("Tab");
    links.push((await focused(page)).words);
  }
  if (!links.includes("Models")) throw new Error(`the navigation is not reached: ${links}`);
  await page.keyboard.press("Enter");
  await expect("another page", () => page.url().endsWith("/models/") || page.url().endsWith("/model/"));
  return page.url();
}

async function plays({ page, job, expect }) {
  await page.setViewportSize({ width: job.width, height: 900 });
  await page.emulateMedia({ colorScheme: job.scheme });
  await page.goto(job.site);
  await page.locator("iframe.agui-play").scrollIntoViewIfNeeded();
  const frame = await expect("the inspector", () => page.frames().find((one) => one.url().endsWith("/inspector/index.html")));
  const status = (words) => expect(`the status ${words}`, async () => (await frame.locator("#status").textContent()) === words);
  const types = () => frame.evaluate(() => globalThis.inspector.store.events.map(({ type }) => type));
  await status("Waits for you");
  const asked = await types();
  // From here on there is no server either.
  await page.context().setOffline(true);
  await frame.getByRole("button", { name: "Approve" }).click();
  await status("Finished");
  await expect("the words of the end", async () => (await frame.locator(".said[data-role=assistant] .words").last().textContent()).includes("on their way"));
  const all = await types();
  const verdicts = await frame.evaluate(() => [...new Set(globalThis.inspector.store.events.map(({ verdict }) => verdict))]);
  const state = await frame.evaluate(() => globalThis.inspector.store.runs.at(-1).end.state);
  if (job.picture) await page.screenshot({ path: job.picture });
  await page.context().setOffline(false);
  await frame.evaluate(() => document.getElementById("new").click());
  await frame.getByLabel("Message", { exact: true }).fill("Where is order 7?");
  await frame.getByRole("button", { name: "Run", exact: true }).click();
  await expect("the reason why there is no answer", async () => (await frame.locator("#notice").textContent()).includes("recorded conversation"));
  return { asked, all, verdicts, state };
}

const SCENES = { looks, keyboard, plays };

await browse(async (tools) => {
  // A page that is left takes back what is still under way; what is missing has another failure.
  tools.allowTrouble("request", /net::ERR_ABORTED$/);
  const foreign = own(tools.page, tools.job);
  const value = await SCENES[tools.job.scene](tools);
  if (foreign.length > 0) throw new Error(`requests to other places: ${foreign}`);
  return value;
});
