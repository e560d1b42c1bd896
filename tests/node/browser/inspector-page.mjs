// A user's actions on the inspector's page, and the page's view of a conversation.

export function inspector(page, expect) {
  const state = (read, argument) => page.evaluate(read, argument);
  return {
    state,
    agent: (url) => page.locator(".agent", { has: page.locator(".name", { hasText: new RegExp(`^${url.replaceAll("/", "\\/")}$`) }) }),
    rows: page.locator(".event"),

    /** Waits until no run goes on, and the page shows that. */
    async ended() {
      await expect("the run ends", () => state(() => globalThis.inspector.store.runs.length > 0 && !globalThis.inspector.store.stop));
      await page.evaluate(() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)), 60)));
    },

    /** Runs an agent by its button, until its run ends. */
    async run(url) {
      await this.agent(url).click();
      await this.ended();
    },

    is: (words) => expect(`the status ${words}`, async () => (await page.locator("#status").textContent()) === words),

    /** Waits for the agent's newest words. */
    says: (words) => expect(`the agent says ${words}`, () => page.locator(".said[data-role=assistant] .words").last().getByText(words).isVisible()),

    types: () => state(() => globalThis.inspector.store.events.map(({ type }) => type)),

    verdicts: () => state(() => globalThis.inspector.store.events.map(({ verdict }) => verdict)),

    /** The differences between the conversation of the page and that of the program; both fold the same events. */
    difference: () =>
      state(() => {
        const text = (content) => (typeof content === "string" ? content : null);
        const calls = (list) => (list ?? []).map((call) => [call.id, call.name ?? call.function.name, call.args ?? call.function.arguments]);
        const run = globalThis.inspector.store.runs.at(-1);
        const theirs = run.end.messages.map((one) => [one.id, one.role, text(one.content), calls(one.toolCalls)]);
        const ours = globalThis.inspector.foldedMessages().map((one, at) => [one.id, one.role, theirs[at]?.[2] === null ? null : one.text, calls(one.calls)]);
        const [mine, its] = [globalThis.inspector.store.states.versions.at(-1)?.value, run.end.state];
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        return same(ours, theirs) && same(mine, its) ? null : { ours, theirs, mine, its };
      }),

    /** Takes a picture when nothing moves any more. */
    async picture(path) {
      await page.evaluate(() => Promise.all(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === 1).map(({ finished }) => finished)));
      await page.screenshot({ path });
    },

    /** Copies by a shortcut, and returns the text. */
    async copy(key) {
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await page.locator("#events").focus();
      await page.keyboard.press(key);
      return expect(`a text is copied by ${key}`, () => page.evaluate(() => navigator.clipboard.readText()));
    },

    async fits() {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) throw new Error(`the page is ${wide} px wider than the screen`);
    },
  };
}

/** The controls without a name for screen readers. */
export const nameless = (page) =>
  page.evaluate(() => {
    const named = (one) => one.hidden || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim() || one.title || one.labels?.length || one.placeholder;
    const controls = [...document.querySelectorAll("button, input, textarea, select, [role=tab], [role=grid]")];
    return controls.filter((one) => !named(one) && one.type !== "file").map((one) => one.outerHTML.slice(0, 120));
  });

/** The texts whose contrast with their background is below that of WCAG AA. */
export const faint = (page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const channels = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    const behind = (one) => {
      for (let at = one; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color[3] === 255) return color;
      }
      return [255, 255, 255];
    };
    const found = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const one = texts.currentNode.parentElement;
      const isShown = texts.currentNode.data.trim() && one.checkVisibility({ opacityProperty: true }) && !one.closest(".later, :disabled, [aria-hidden=true], .unseen, #notice");
      if (!isShown) continue;
      const [a, b] = [light(channels(getComputedStyle(one).color)), light(behind(one))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) found.add(`${one.className || one.id || one.tagName}: ${ratio.toFixed(2)}`);
    }
    return [...found];
  });
