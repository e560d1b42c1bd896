// The pages that people use, each as a few actions and views of a person:
//
// { "address": (job, thread) => the address of the page, "thread"?: the function that finds the thread of a page which makes one,
//   "field": the field of a message, "stop": the button that stops, "isIdle": true if a message can be sent,
//   "shown": the texts of the conversation, "problems": what the page complains about,
//   "remarks"?: what it says of an answer that was stopped or cut, and leaves below it,
//   "question": what is shown while the user is asked, "accept": the button that agrees,
//   "settled"?: what the agent then says, if that is not the model's,
//   "follows": true if a page that was without network continues by itself,
//   "restores": true if a page that is loaded again shows the answer that is being written, and the question that is open,
//   "refuses"?: true if a message is not answered while a run goes on that the page does not show }

const words = (texts) => texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
const all = async (locator) => words(await locator.allTextContents());
const button = (name) => (tab) => tab.getByRole("button", { name, exact: true });
const isStatus = (text) => async (tab) => (await tab.locator("#status").textContent()) === text;
const ofTab = (tab) => tab.evaluate(() => sessionStorage.getItem("thread"));

const ours = { follows: true, restores: true };

/** The cook: examples/recipe. */
export const recipe = {
  ...ours,
  address: (job) => job.address,
  thread: ofTab,
  field: (tab) => tab.getByLabel("Message to the cook"),
  stop: button("Stop"),
  isIdle: isStatus("Ready"),
  shown: async (tab) => (await all(tab.locator(".said"))).filter((text) => !text.startsWith("Hello! Tell me")),
  problems: (tab) => all(tab.getByRole("alert")),
  question: (tab) => tab.getByRole("dialog", { name: "Order this?" }),
  accept: button("Confirm order"),
  settled: "Ordered, number",
};

/** The desk: examples/desk. */
export const desk = {
  ...ours,
  address: (job) => job.address,
  thread: ofTab,
  field: (tab) => tab.getByLabel("Message to the desk"),
  stop: button("Stop"),
  isIdle: isStatus("Ready"),
  shown: (tab) => all(tab.locator(".said")),
  problems: async (tab) => (await all(tab.getByRole("alert"))).filter((text) => !text.startsWith("Stopped")),
  question: (tab) => tab.locator("form.question"),
  accept: (tab) => tab.getByRole("button", { name: /^Approve/ }),
};

/** The page of a new project, with React and without. */
export const template = {
  ...ours,
  address: (job) => `${job.address}?url=${encodeURIComponent(job.agent)}`,
  thread: (tab) => tab.evaluate(() => localStorage.getItem("thread")),
  field: (tab) => tab.getByLabel("Message"),
  stop: button("Stop"),
  isIdle: isStatus("Ready"),
  shown: (tab) => all(tab.locator("#messages .user, #messages .assistant")),
  problems: (tab) => all(tab.getByRole("alert")),
  question: (tab) => tab.getByRole("group", { name: "Remove “Buy rice”?" }),
  accept: button("Accept"),
};

const copilotkit = {
  field: (tab) => tab.locator("textarea").first(),
  stop: (tab) => tab.getByTestId("copilot-send-button"),
  isIdle: isStatus("idle"),
  shown: async (tab) => {
    const messages = tab.locator("[data-testid=copilot-user-message], [data-testid=copilot-assistant-message]");
    return words(
      await messages.evaluateAll((found) =>
        found.map((message) => {
          const copy = message.cloneNode(true);
          copy.querySelectorAll(".call, form, button, [data-testid$=toolbar]").forEach((part) => part.remove());
          return copy.textContent;
        }),
      ),
    );
  },
  problems: (tab) => all(tab.locator("[data-testid=copilot-error-banner], output")),
  question: (tab) => tab.locator("form.question"),
  accept: button("Approve"),
};

/** CopilotKit with the generated client in the page. */
export const copilotkitDirect = {
  ...ours,
  ...copilotkit,
  address: (job, thread) => `${job.address}?thread=${thread}&direct=${encodeURIComponent(job.agent)}`,
};

/** CopilotKit with the routes that the server of the agent has for its pages. */
export const copilotkitServer = {
  ...copilotkit,
  follows: false,
  restores: true,
  address: (job, thread) =>
    `${job.address}?thread=${thread}&runtime=${encodeURIComponent(new URL("/api/copilotkit", job.agent).href)}`,
};

/** CopilotKit with its own runtime, and the runner of the generator's README. */
export const copilotkitRunner = {
  ...copilotkit,
  follows: false,
  restores: true,
  address: (job, thread) => `${job.address}?thread=${thread}`,
};

/** CopilotKit with its own runtime as it comes, which reads each run to its end, and then refuses another: "Thread already running". */
export const copilotkitRuntime = { ...copilotkitRunner, refuses: true };

/** assistant-ui. */
export const assistantUi = {
  follows: false,
  restores: false,
  address: (job, thread) => `${job.address}?thread=${thread}&url=${encodeURIComponent(job.agent.replace(/\/$/, ""))}`,
  field: (tab) => tab.getByLabel("Message"),
  stop: button("Stop"),
  isIdle: isStatus("idle"),
  shown: (tab) => all(tab.locator("#chat .text")),
  problems: (tab) => all(tab.locator("#failure, .error")),
  // Its own words below an answer that was stopped or cut.
  remarks: /^(signal is aborted without reason|network error)$/,
  question: (tab) => tab.getByRole("button", { name: "Approve" }),
  accept: (tab) => tab.getByRole("button", { name: "Approve" }),
};
