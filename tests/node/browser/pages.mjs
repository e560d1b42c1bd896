// One scene on one page that people use (shown-pages.mjs): stopped, without network, loaded again, in two tabs. In the end the page
// shows what the store has.
//
// job: { "page": the name of its description, "address": its address, "scene": one of those below, "key": a name of its own for stories,
//   "agent": the address of the agent behind the network, "store": the same without a network between,
//   "control", "network": where stories go on, and the network is cut (tests/outside/tests/pages/place.rs),
//   "isRealTime": true if five minutes are five minutes }
import { HttpAgent } from "@ag-ui/client";
import { setTimeout as sleep } from "node:timers/promises";
import { allowItsOwn } from "./copilotkit-page.mjs";
import { browse } from "./driver.mjs";
import * as descriptions from "./shown-pages.mjs";

const MINUTES = 5 * 60_000;

/** A person with one or more tabs of a page. */
class Person {
  constructor({ page, job, watch, expect, allowTrouble }) {
    Object.assign(this, { tab: page, job, watch, expect, allowTrouble, context: page.context() });
    this.page = descriptions[job.page];
    this.given = crypto.randomUUID();
  }

  async open() {
    await this.tab.goto(this.page.address(this.job, this.given));
  }

  /** A second tab with the same conversation, as the browser makes it when a tab is duplicated. */
  async secondTab() {
    const opened = this.context.waitForEvent("page");
    await this.tab.evaluate(() => void window.open(location.href));
    return this.watch(await opened);
  }

  control(what) {
    return fetch(`${this.job.control}/${what}`, { method: "POST" }).then(({ ok }) => {
      if (!ok) throw new Error(what);
    });
  }

  shown = (tab = this.tab) => this.page.shown(tab);

  has = (text, tab = this.tab) =>
    this.expect(`"${text}" is shown`, async () => {
      const shown = await this.shown(tab);
      if (!shown.some((line) => line.includes(text))) throw new Error(JSON.stringify({ shown, problems: await this.page.problems(tab) }));
      return true;
    });

  isIdle = (tab = this.tab) => this.expect("nothing goes on", () => this.page.isIdle(tab));

  /** Sends a message as soon as the page accepts it. */
  async say(text, tab = this.tab) {
    const field = this.page.field(tab);
    let isTaken = false;
    await this.expect(`"${text}" is sent`, async () => {
      if ((await this.shown(tab)).includes(text)) return true;
      if (isTaken || !(await this.page.isIdle(tab))) return false;
      await field.fill(text);
      await field.press("Enter");
      await sleep(500);
      // A page that does not accept a message yet leaves the field as it is.
      isTaken = (await field.inputValue()) === "";
      return false;
    });
  }

  /** Sends a message during a story, which the message waits for; the story then goes on. */
  async sayDuring(story, text, tab = this.tab) {
    await this.say(text, tab);
    await sleep(500);
    await this.isNotAnswered(text, tab);
    await this.goOn(story);
    if (this.page.refuses) {
      await this.expect("the story ends at the server", async () => (await this.stored(tab)).some((line) => line.endsWith("w40 end.")));
      await sleep(500);
      await this.isNotAnswered(text, tab);
      text += ", again";
      await this.say(text, tab);
    }
    await this.isAnswered(text, tab);
  }

  async isNotAnswered(text, tab) {
    if ((await this.shown(tab)).some((line) => line.includes(`You said: ${text}`))) throw new Error(`"${text}" did not wait`);
  }

  async isAnswered(text, tab = this.tab) {
    await this.has(`You said: ${text}`, tab);
    await this.isIdle(tab);
  }

  /** The name of a story of this scene. */
  story = (number = 1) => `${this.job.key}-${number}`;

  goOn = (number = 1) => this.control(`open/${this.story(number)}`);

  /** Asks for a story, and waits for its middle. */
  async begin(number = 1, tab = this.tab) {
    await this.say(`Tell ${this.story(number)}`, tab);
    await this.has("w20", tab);
  }

  async stored(tab = this.tab) {
    const threadId = this.page.thread ? await this.page.thread(tab) : this.given;
    const agent = new HttpAgent({ url: `${this.job.store.replace(/\/$/, "")}/connect`, threadId });
    await agent.runAgent();
    const said = agent.messages.filter(({ role, content }) => ["user", "assistant"].includes(role) && content);
    return said.map(({ content }) => content.replace(/\s+/g, " ").trim());
  }

  /** The page shows what the store has, and complains about nothing. */
  async isRight(tab = this.tab) {
    await this.expect("the page shows what the store has", async () => {
      const [shown, stored] = [await this.shown(tab), await this.stored(tab)];
      if (JSON.stringify(shown) !== JSON.stringify(stored)) throw new Error(JSON.stringify({ shown, stored }));
      return true;
    });
    const problems = (await this.page.problems(tab)).filter((text) => !this.page.remarks?.test(text));
    if (problems.length > 0) throw new Error(`the page complains: ${JSON.stringify(problems)}`);
  }

  async loseNetwork() {
    // The complaints of a browser about requests without network.
    this.allowTrouble("request", /net::ERR_/);
    this.allowTrouble("console.error", /net::ERR_|Failed to fetch|network error/i);
    if (!this.page.follows) this.allowTrouble("exception", /^TypeError: (network error|Failed to fetch)/);
    await this.context.setOffline(true);
    await this.control(`cut/${this.job.network}`);
  }

  async findNetwork() {
    await this.control(`restore/${this.job.network}`);
    await this.context.setOffline(false);
  }

  /** The story that was cut off stays so, on a page that does not follow it by itself. */
  async isCutOff() {
    await sleep(1_000);
    if ((await this.shown()).some((text) => text.includes("w21"))) throw new Error("the page follows the story by itself");
  }

  /** Lets five minutes pass, on the clock of the page if it has one of its own. */
  async fiveMinutes() {
    if (this.job.isRealTime) return sleep(MINUTES);
    const step = 5_000;
    for (let passed = 0; passed < MINUTES; passed += step) {
      await this.context.clock.runFor(step);
      await sleep(10);
    }
  }
}

const scenes = {
  /** The user stops a text in its middle, which would never end, and writes on. */
  async stop(person) {
    await person.open();
    await person.begin();
    person.allowTrouble("request", /net::ERR_ABORTED$/);
    await person.page.stop(person.tab).click();
    await person.isIdle();
    await person.say("Thank you");
    await person.isAnswered("Thank you");
    await person.isRight();
  },

  /** Five seconds without network in the middle of a text, whose other half comes after them. */
  async offline(person) {
    await person.open();
    await person.begin();
    await person.loseNetwork();
    await sleep(5_000);
    await person.findNetwork();
    if (person.page.follows) {
      await person.goOn();
      await person.has("w40 end.");
      await person.isIdle();
      await person.isRight();
    } else {
      await person.isCutOff();
    }
    if (person.page.refuses) {
      await person.sayDuring(1, "I am back");
    } else {
      // Otherwise it replaces the story, which would never end.
      await person.say("I am back");
      await person.isAnswered("I am back");
    }
    await person.isRight();
  },

  /** Five minutes without network, in which the text ends. */
  async "long-offline"(person) {
    if (!person.job.isRealTime) await person.context.clock.install();
    await person.open();
    await person.begin();
    await person.loseNetwork();
    await person.goOn();
    await person.fiveMinutes();
    await person.findNetwork();
    if (person.page.follows) {
      await person.has("w40 end.");
      await person.isIdle();
      await person.isRight();
    } else {
      await person.isCutOff();
    }
    await person.say("I am back");
    await person.isAnswered("I am back");
    await person.isRight();
  },

  /** The page is loaded again in the middle of a text. */
  async reload(person) {
    await person.open();
    await person.begin();
    person.allowTrouble("request", /net::ERR_ABORTED$/);
    await person.tab.reload();
    if (person.page.restores) {
      await person.has("w20");
      await person.expect("the page shows that the run goes on", async () => !(await person.page.isIdle(person.tab)));
    }
    await person.goOn();
    await person.has("w40 end.");
    await person.isIdle();
    await person.isRight();
    await person.say("Thank you");
    await person.isAnswered("Thank you");
    await person.isRight();
  },

  /** The page is loaded again while it asks the user. */
  async question(person) {
    await person.open();
    await person.say("Ask me");
    await person.page.question(person.tab).waitFor();
    person.allowTrouble("request", /net::ERR_ABORTED$/);
    await person.tab.reload();
    if (person.page.restores) {
      await person.page.question(person.tab).waitFor();
      await person.page.accept(person.tab).click();
      await person.page.question(person.tab).waitFor({ state: "hidden" });
      await person.has(person.page.settled ?? "That is settled.");
    } else {
      await person.has("Let me see.");
      await sleep(500);
      if (await person.page.question(person.tab).isVisible()) throw new Error("the page asks again");
    }
    await person.isIdle();
    await person.isRight();
    await person.say("Thank you");
    await person.isAnswered("Thank you");
    await person.isRight();
  },

  /** Two tabs with one conversation. */
  async tabs(person) {
    await person.open();
    const first = person.tab;
    await person.say("Hello");
    await person.isAnswered("Hello");
    const second = await person.secondTab();
    await person.has("You said: Hello", second);

    // After its next message, a tab shows the conversation of the store.
    await person.say("From the first", first);
    await person.isAnswered("From the first", first);
    await person.say("From the second", second);
    await person.isAnswered("From the second", second);
    await person.isRight(second);

    // A message waits for the run that the other tab reads.
    await person.begin(1, first);
    await person.sayDuring(1, "Meanwhile", second);
    await person.has("w40 end.", first);
    await person.isRight(second);

    // The run of a tab that is closed is replaced: its text would never end.
    await person.say("Once more", first);
    await person.isAnswered("Once more", first);
    await person.isRight(first);
    await person.begin(2, second);
    if (person.page.refuses) {
      await second.close();
      await person.sayDuring(2, "At last", first);
    } else {
      await person.say("At last", first);
      await second.close();
      await person.isAnswered("At last", first);
    }
    await person.isRight(first);
  },
};

await browse(async (stage) => {
  const person = new Person(stage);
  allowItsOwn(stage.allowTrouble);
  await scenes[stage.job.scene](person);
});
