// The user's actions and view of the cook's page.

/** Actions on `page`; those that read wait for their target, by `expect`. */
export function kitchen(page, expect) {
  const lines = page.locator("#ingredients li:not(.leaving)");
  /** Waits until the cook has finished. */
  const idle = () => expect("the cook is done", async () => (await page.locator("#status").textContent()) === "Ready");
  return {
    async say(text) {
      // The page sends nothing while it loads the conversation.
      await idle();
      const field = page.getByLabel("Message to the cook");
      await field.fill(text);
      await field.press("Enter");
    },

    idle,

    names: () => lines.locator(".name").allTextContents(),

    amount: (name) => lines.filter({ hasText: name }).locator(".amount").textContent(),

    /** The cards of a tool's calls with that status. */
    calls: (tool, status) => page.locator(`.tool[data-tool=${tool}][data-status=${status}]`),

    async shows({ title, servings, diet }) {
      if (title !== undefined) {
        await expect(`the title ${title}`, async () => (await page.getByLabel("Title").inputValue()) === title);
      }
      if (servings !== undefined) {
        const field = page.getByRole("spinbutton", { name: "Servings" });
        await expect(`${servings} servings`, async () => (await field.inputValue()) === servings);
      }
      if (diet !== undefined) {
        await expect(`the diet ${diet}`, async () => (await page.locator("#diet").textContent()) === diet);
      }
    },

    async lists(...expected) {
      await expect(`the ingredients ${expected}`, async () =>
        JSON.stringify(await lines.locator(".name").allTextContents()) === JSON.stringify(expected),
      );
    },

    /** The cook's newest message. */
    async says(words) {
      const newest = page.locator(".by-cook").last();
      await expect(`the cook says "${words}"`, async () => (await newest.textContent()).trim() === words);
    },

    /** The dialog of an order, once it is there and about that total. */
    async asked(total) {
      const dialog = page.getByRole("dialog", { name: "Order this?" });
      await expect("the dialog", () => dialog.isVisible());
      const shown = () => dialog.locator("#confirm-total").textContent();
      if (total !== undefined) await expect(`the total ${total}`, async () => (await shown()) === total);
      return dialog;
    },

    /** True if the log is scrolled to its end. */
    seesTheEnd: () =>
      page.locator("#log").evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2),

    /** Presses Stop in the moment in which that many ingredients are there; a driver outside may come too late. */
    stopAt: (count) =>
      page.evaluate((count) => {
        const list = document.querySelector("#ingredients");
        return new Promise((stopped) => {
          new MutationObserver((_, observer) => {
            if (list.children.length < count) return;
            observer.disconnect();
            document.querySelector("#stop").click();
            stopped();
          }).observe(list, { childList: true });
        });
      }, count),

    /** The screen in each frame during `work`, without repetitions. */
    async watch(work) {
      await page.evaluate(() => {
        const frames = (window.frames_ = []);
        const look = () => {
          const frame = {
            lines: document.querySelectorAll("#ingredients li").length,
            text: [...document.querySelectorAll(".by-cook")].at(-1).textContent.length,
            busy: document.querySelector("#status").textContent !== "Ready",
          };
          if (JSON.stringify(frame) !== JSON.stringify(frames.at(-1))) frames.push(frame);
          requestAnimationFrame(look);
        };
        look();
      });
      await work();
      return page.evaluate(() => window.frames_);
    },
  };
}
