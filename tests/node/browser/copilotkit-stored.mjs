// A user on CopilotKit's page of an agent whose server stores its threads (copilotkit/stored.jsx), which is loaded again in the
// middle of a text, and while a question is open.
//
// job.direct?: the address of the agent, for a client in the page; without it the page uses CopilotKit's runtime.
// job.runtime?: the address of a server that needs no runtime of CopilotKit, with suggestions.
// job.more: the file that lets the second half of a text come. job.published: the file with a line for each publication.
// job.control: the address at which `POST /agent` and `POST /runtime` kill and start a server.
// job.inText, job.inQuestion: the servers to restart in the middle of the text, and while a question is open.
// job.pictures: paths by name.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { allowItsOwn, isIdle, onThread, restart, say } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect, allowTrouble }) => {
  allowItsOwn(allowTrouble);
  // A reload leaves the request that streams.
  allowTrouble("request", /\/(editor|run|suggest|copilotkit): net::ERR_ABORTED$/);
  const address = onThread(job);
  await page.goto(address);
  const chat = () => page.locator("#chat").innerText();
  const messages = async () => JSON.parse(await page.locator("#messages").textContent());
  const published = () => (existsSync(job.published) ? readFileSync(job.published, "utf8").trim().split("\n") : []);
  const same = (what, found, wanted) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}`);
    return true;
  };
  const count = (whole, part) => whole.split(part).length - 1;

  /** The chat shows each of these once, and the messages have these roles. */
  const shows = (when, parts, roles) =>
    expect(when, async () => {
      if (!(await isIdle(page))) throw new Error("a run goes on");
      const whole = (await chat()).replace(/\s+/g, " ");
      for (const part of parts) if (count(whole, part) !== 1) throw new Error(`${count(whole, part)} times ${JSON.stringify(part)} in ${whole}`);
      return same("roles", (await messages()).map(({ role }) => role), roles);
    });

  // A text, and a reload in its middle.
  const words = Array.from({ length: 40 }, (_, at) => `w${at + 1} `).join("");
  const story = ["Tell me a story", `${words}end.`];
  const half = async () => (await chat()).includes("w20") && !(await chat()).includes("w21");
  await say(page, expect, "Tell me a story");
  await expect("the first half", half);
  if (job.inText.length > 0) {
    // A page that is open would report its lost connection.
    await page.goto("about:blank");
    await restart(job, job.inText);
    await page.goto(address);
  } else {
    await page.reload();
  }
  await expect("the first half again, while the run goes on", async () => (await half()) && !(await isIdle(page)));
  await page.screenshot({ path: job.pictures.half });
  writeFileSync(job.more, "");
  const told = ["user", "assistant"];
  await shows("the whole text", story, told);
  await page.reload();
  await shows("the whole text after another reload", story, told);

  // A question, answered on the page that has asked it.
  const question = page.locator("form.question");
  const asked = (title) => expect(`the question about ${title}`, async () => (await question.innerText()).includes(`Publish ${title}?`));
  const approve = () => question.getByRole("button", { name: "Approve" }).click();
  const approval = ["user", "assistant", "tool", "assistant"];
  const answer = (title) => `The press says: published ${title}`;
  await say(page, expect, "Publish this: first");
  await asked("first");
  await approve();
  await shows("the first answer", [...story, answer("first")], [...told, ...approval]);
  same("published", published(), ["first"]);

  // A suggestion, by a run of its own that leaves no trace.
  if (job.runtime) {
    await expect("a suggestion", async () => (await page.getByRole("button", { name: "Another story" }).count()) === 1);
    await page.screenshot({ path: job.pictures.suggested });
  }

  // A question, and a reload before its answer.
  await say(page, expect, "Publish this: second");
  await asked("second");
  same("published before the answer", published(), ["first"]);
  await restart(job, job.inQuestion);
  await page.reload();
  await asked("second");
  await page.screenshot({ path: job.pictures.asked });
  await approve();
  const all = [...story, answer("first"), answer("second")];
  const roles = [...told, ...approval, ...approval];
  await shows("the second answer", all, roles);
  same("published", published(), ["first", "second"]);
  same("open questions", await question.count(), 0);
  same("cards", await page.locator(".call").allInnerTexts(), ["published first", "published second"]);
  await page.reload();
  await shows("the same after a reload", all, roles);
  same("published in the end", published(), ["first", "second"]);
  same("open questions in the end", await question.count(), 0);
}, { opensPages: true });
