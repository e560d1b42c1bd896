// A page of an attacker, which attacks the agents in "agents", and those in "rebound" after its own host has come to
// point to them. Reports the readable part of each attempt: { "what", "status"?, "text"?, "error"? }.
import { browse } from "./driver.mjs";

/** Runs in the page. */
async function attempts({ agents, body }) {
  const json = { "content-type": "application/json" };
  const ways = [
    ["a request that asks first", "", { method: "POST", headers: json, body }],
    ["a request with a token", "", { method: "POST", headers: { ...json, authorization: "Bearer x" }, body }],
    ["a plain request", "", { method: "POST", headers: { "content-type": "text/plain" }, body }],
    ["a request without a type", "", { method: "POST", body: new Blob([body]) }],
    ["a request that reads nothing", "", { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body }],
    ["with cookies", "", { method: "POST", credentials: "include", headers: json, body }],
    ["what the agent can do", "capabilities", {}],
    ["what the program is made of", "agui/manifest.json", {}],
  ];
  const results = [];
  for (const agent of agents) {
    for (const [what, path, options] of ways) {
      const result = { what: `${agent}: ${what}` };
      try {
        const answer = await fetch(agent + path, options);
        Object.assign(result, { status: answer.status, text: await answer.text() });
      } catch (cause) {
        result.error = String(cause);
      }
      results.push(result);
    }
  }
  return results;
}

await browse(async ({ page, job, expectTrouble }) => {
  if (job.refused) {
    // The browser complains about every attempt.
    expectTrouble("console.error", /./);
    expectTrouble("request", /./);
    expectTrouble("response", /403/);
  } else {
    // Types that start no run, and cookies, which only named origins may send.
    expectTrouble("console.error", /credentials/);
    expectTrouble("console.error", /Failed to load resource/);
    expectTrouble("request", /POST/);
    expectTrouble("response", /415/);
  }
  const results = await page.evaluate(attempts, { agents: job.agents, body: job.body });
  for (const rebound of job.rebound ?? []) {
    await page.goto(`${rebound}capabilities`);
    results.push(...(await page.evaluate(attempts, { agents: [rebound], body: job.body })));
  }
  return results;
});
