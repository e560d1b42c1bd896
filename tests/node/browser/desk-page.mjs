// A customer's actions and view of the desk's page.

/** Actions on `page`; those that read wait for their target, by `expect`. */
export function counter(page, expect) {
  const field = page.getByLabel("Message to the desk");
  const question = page.locator("form.question");
  return {
    field,
    question,
    amount: question.getByLabel("Amount in euros"),

    async say(text) {
      // The page sends nothing while it loads the conversation.
      await expect("the desk is ready", async () => (await page.locator("#status").textContent()) === "Ready");
      await field.fill(text);
      await field.press("Enter");
    },

    /** Waits until the page shows that status. */
    is: (status) => expect(`the status ${status}`, async () => (await page.locator("#status").textContent()) === status),

    /** The cards of a tool's calls with that status. */
    calls: (tool, status) => page.locator(`.tool[data-tool=${tool}][data-status=${status}]`),

    /** Waits for a card with these words, in their order. */
    async card(tool, status, words) {
      const card = page.locator(`.tool[data-tool=${tool}]`).last();
      const parts = card.locator("b, .detail, .amount");
      await expect(`the card ${tool}: ${words}`, async () => plain((await parts.allTextContents()).join("|")) === words);
      await expect(`the card ${tool} is ${status}`, async () => (await card.getAttribute("data-status")) === status);
    },

    /** Waits for the desk's newest message. */
    says: (words) =>
      expect(`the desk says "${words}"`, async () => plain(await page.locator(".from-desk").last().textContent()) === words),

    /** Waits for the order beside the conversation. */
    async shows(order) {
      for (const [id, text] of Object.entries(order)) {
        await expect(`${id} ${text}`, async () => plain(await page.locator(`#${id}`).textContent()) === text);
      }
    },

    /** Waits for the question about a refund, with that amount. */
    async asked(heading, amount) {
      await expect("the question", async () => (await question.getByRole("heading").textContent()).trim() === heading);
      await expect(`the amount ${amount}`, async () => (await question.getByLabel("Amount in euros").inputValue()) === amount);
    },

    /** Takes a picture when nothing moves any more, except what moves until something happens. */
    async picture(path) {
      await page.evaluate(() => {
        const ending = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations === 1);
        return Promise.all(ending.map(({ finished }) => finished));
      });
      await page.screenshot({ path });
    },

    /** Fails if the page is wider than the screen. */
    async fits() {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wide > 0) throw new Error(`the page is ${wide} px wider than the screen`);
    },
  };
}

/** Text with plain spaces. */
export function plain(text) {
  return text.replaceAll("\u00a0", " ");
}
