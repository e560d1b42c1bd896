// A customer whose conversation gets its title from a slow model: the list shows the title without another message.
//
// job.pictures: paths by name
import { counter, plain } from "./desk-page.mjs";
import { browse } from "./driver.mjs";

await browse(async ({ page, job, expect }) => {
  const desk = counter(page, expect);
  const listed = page.locator("#thread-list strong");
  const lists = (name) => expect(`the list has "${name}"`, async () => plain((await listed.allTextContents()).join("|")) === name);
  await desk.say("Good morning");
  await desk.says("Good day.");
  await desk.is("Ready");
  await lists("Good day.");
  await lists("A greeting");
  await desk.picture(job.pictures.titled);
});
