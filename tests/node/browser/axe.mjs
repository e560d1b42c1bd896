// The findings of axe-core in a page: the rules of WCAG 2.2 at level AA, and its own of good practice.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The findings of these levels, one line each: the rule, and the elements. Without a level, all of them. */
export async function accessibility(page, levels = ["serious", "critical"]) {
  const path = join(process.env.AGUI_NODE_PACKAGES, "node_modules/axe-core/axe.min.js");
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await readFile(path, "utf8"));
  const violations = await page.evaluate(async (values) => {
    const found = await globalThis.axe.run(document, { runOnly: { type: "tag", values }, resultTypes: ["violations"] });
    return found.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target }) => target.join(" ")) }));
  }, TAGS);
  return violations.filter(({ impact }) => levels.includes(impact)).map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 4).join(", ")} (${nodes.length})`);
}
