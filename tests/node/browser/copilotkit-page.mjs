// The common parts of CopilotKit's pages: the trouble that they make by themselves, and how a user writes to them.

/** Allows the trouble of CopilotKit itself. */
export function allowItsOwn(allowTrouble) {
  // The page connects to its thread twice if React renders it twice, and aborts the first. It asks for the agents at
  // any time, and a page that is left or loaded again aborts that request.
  allowTrouble("request", /\/(connect|info): net::ERR_ABORTED$/);
  // CopilotKit looks for an agent `default` until it knows the agents, and then for the one that the page names.
  allowTrouble("console.warning", /^Agent default not found/);
  allowTrouble("exception", /Agent 'default' not found after runtime sync/);
}

/** Returns true if no run is going on. */
export const isIdle = async (page) => (await page.locator("#status").textContent()) === "idle";

/** Writes a message, as soon as the page accepts it: not during a run, nor before it knows its agents. */
export async function say(page, expect, said) {
  const field = page.locator("textarea").first();
  let isTaken = false;
  await expect(`"${said}" was sent`, async () => {
    if (!isTaken) {
      if (!(await isIdle(page))) return false;
      await field.fill(said);
      await field.press("Enter");
    }
    const isShown = (said) => document.querySelector("#root").innerText.includes(said);
    const shown = page.waitForFunction(isShown, said, { timeout: 2000 }).then(() => true, () => false);
    if (await shown) return true;
    // A page that does not accept a message yet leaves the field as it is.
    isTaken = (await field.inputValue()) === "";
    return false;
  });
}

/** The address of the page on a thread of its own; with `job.direct`, the address of an agent, a client in the page talks with it. */
export function onThread(job) {
  const address = new URL(job.url);
  address.searchParams.set("thread", crypto.randomUUID());
  if (job.direct) address.searchParams.set("direct", job.direct);
  if (job.runtime) address.searchParams.set("runtime", job.runtime);
  if (job.single) address.searchParams.set("single", "");
  return address.href;
}

/** Kills servers and starts them again, one after the other. */
export async function restart(job, servers) {
  for (const server of servers) {
    const { ok } = await fetch(`${job.control}/${server}`, { method: "POST" });
    if (!ok) throw new Error(`${server} did not start again`);
  }
}
