// Drives one page in a headless Chromium for a script of a user's actions.
//
//   import { browse } from "./driver.mjs";
//   await browse(async ({ page, job, expect, expectTrouble, allowTrouble }) => { …; return anything });
//
// stdin: one JSON job { "url", "screenshot"?, "timeoutMs"?, "stepMs"?, "hosts"?, … whatever the script needs }, or several for one
// browser: { "jobs": [job, …], "hosts"?, "together"? }
//   "hosts": rules by which names are resolved, such as "MAP evil.example 127.0.0.1"
//   "together": the number of jobs at once, each with a profile of its own; otherwise one follows the other with the same profile
// stdout: { "ok", "value"?, "failure"?, "trouble": [{ kind, text }], "screenshot"? }, or a list of these
//
// Every complaint of the page is trouble, and trouble is failure: console warnings and errors, uncaught exceptions,
// requests that fail or answer 4xx or 5xx. A picture is taken either way. A script that causes trouble on purpose
// announces it: `expectTrouble("request", /refused/)`; it must then come. For trouble of a page of others that may or
// may not come there is `allowTrouble("request", /refused/)`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
  "--no-sandbox",
];

const VIEWPORT = { width: 1280, height: 800 };

/** Watches everything a page can complain about. */
function listenTo(page, trouble) {
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    trouble.push({ kind: `console.${message.type()}`, text: `${message.text()} (${message.location().url})` });
  });
  page.on("pageerror", (cause) => trouble.push({ kind: "exception", text: cause.stack || String(cause) }));
  page.on("requestfailed", (request) =>
    trouble.push({ kind: "request", text: `${request.method()} ${request.url()}: ${request.failure()?.errorText}` }),
  );
  page.on("response", (response) => {
    if (response.status() < 400) return;
    trouble.push({ kind: "response", text: `${response.request().method()} ${response.url()}: ${response.status()}` });
  });
}

/** Polls until `probe` gives something true, so that a script needs no sleeps; fails saying `what`. */
function expectWithin(limit) {
  return async (what, probe) => {
    const end = Date.now() + limit;
    let last;
    for (;;) {
      try {
        last = await probe();
        if (last) return last;
      } catch (cause) {
        last = cause;
      }
      if (Date.now() > end) {
        throw new Error(`${what}: not within ${limit} ms, last seen: ${last instanceof Error ? last.message : JSON.stringify(last)}`);
      }
      await new Promise((next) => setTimeout(next, 25));
    }
  };
}

/** Takes what was expected out of the trouble; what was expected and never came is trouble too. */
function withoutExpected(trouble, expected) {
  const matches = ({ kind, pattern }) => (found) => found.kind === kind && pattern.test(found.text);
  const missing = expected.filter((one) => !one.isOptional && !trouble.some(matches(one)));
  const left = trouble.filter((found) => !expected.some((one) => matches(one)(found)));
  return [...left, ...missing.map(({ kind, pattern }) => ({ kind: "missing", text: `no ${kind} like ${pattern}` }))];
}

function deadline(limit) {
  let clock;
  const expired = new Promise((_, reject) => {
    clock = setTimeout(() => reject(new Error(`the conversation did not end within ${limit} ms`)), limit);
  });
  expired.catch(() => {}); // reported by the race, which begins when the page is there
  return { expired, clear: () => clearTimeout(clock) };
}

async function readJob() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return JSON.parse(text);
}

/** Runs `conversation` on a page of the job, and returns what became of it. */
async function hold(conversation, job, page, opensPages) {
  const timeoutMs = job.timeoutMs ?? 120_000;
  // A step that hangs is reported before the whole conversation times out.
  const step = job.stepMs ?? 30_000;
  const trouble = [];
  const expected = [];
  const expectTrouble = (kind, pattern) => void expected.push({ kind, pattern });
  const allowTrouble = (kind, pattern) => void expected.push({ kind, pattern, isOptional: true });
  const report = { ok: false, trouble };
  /** Watches a page, and bounds its steps; so is each other page of the conversation. */
  const watch = (page) => {
    page.setDefaultTimeout(step);
    page.setDefaultNavigationTimeout(60_000);
    listenTo(page, trouble);
    return page;
  };
  watch(page);
  const { expired, clear } = deadline(timeoutMs);
  try {
    if (!opensPages) await page.goto(job.url);
    const story = conversation({ page, job, watch, expect: expectWithin(step), expectTrouble, allowTrouble });
    story.catch(() => {}); // reported by the race, or too late
    report.value = await Promise.race([story, expired]);
  } catch (cause) {
    report.failure = cause instanceof Error ? cause.message : String(cause);
  } finally {
    clear();
  }
  if (job.screenshot) {
    await page.screenshot({ path: job.screenshot });
    report.screenshot = job.screenshot;
  }
  report.trouble = withoutExpected(trouble, expected);
  report.ok = report.failure === undefined && report.trouble.length === 0;
  return report;
}

/**
 * Runs `conversation` on the page of each job, and prints what became of them. With `opensPages`, the conversation opens its pages
 * itself: a page that is left at once complains if it is as fast as its driver.
 */
export async function browse(conversation, { opensPages = false } = {}) {
  const each = (job, page) => hold(conversation, job, page, opensPages);
  const asked = await readJob();
  const jobs = asked.jobs ?? [asked];
  const reports = [];
  const profile = await mkdtemp(join(tmpdir(), "agui-chromium-"));
  let context;
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env.AGUI_CHROMIUM || "/usr/bin/chromium",
      headless: true,
      args: asked.hosts ? [...FLAGS, `--host-resolver-rules=${asked.hosts}`] : FLAGS,
      viewport: VIEWPORT,
      timeout: 60_000,
    });
    if (asked.together) await holdTogether(each, jobs, asked.together, context.browser(), reports);
    else await holdEach(each, jobs, context, reports);
  } catch (cause) {
    const failure = cause instanceof Error ? cause.message : String(cause);
    for (let at = 0; at < jobs.length; at += 1) reports[at] ??= { ok: false, trouble: [], failure };
  } finally {
    await context?.close();
    await rm(profile, { recursive: true, force: true });
  }
  const told = asked.jobs ? reports : reports[0];
  process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
}

/** One after the other, in one profile. */
async function holdEach(each, jobs, context, reports) {
  for (const job of jobs) {
    const page = (reports.length === 0 && context.pages()[0]) || (await context.newPage());
    reports.push(await each(job, page));
  }
}

/** Some at once, each in a profile of its own. */
async function holdTogether(each, jobs, together, browser, reports) {
  let next = 0;
  const work = async () => {
    while (next < jobs.length) {
      const at = next++;
      const context = await browser.newContext({ viewport: VIEWPORT });
      reports[at] = await each(jobs[at], await context.newPage());
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: together }, work));
}
