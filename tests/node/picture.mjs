// Writes a picture into a page of the guide: `node tests/node/picture.mjs from.png agui-runtime/src/guide/name.txt`.
//
// The page refers to it as `![…][name]`, and the file defines `[name]` as a small WebP inside of the link, so that the
// documentation has no other files. `AGUI_NODE_PACKAGES` is the folder of the packages that tests install.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, resolve } from "node:path";

const WIDTH = 960;
const QUALITY = 0.6;

const { chromium } = createRequire(resolve(process.env.AGUI_NODE_PACKAGES, "package.json"))("playwright-core");
const [from, to] = process.argv.slice(2);

/** In the browser: the picture, smaller, as the address of a WebP. */
async function smaller([png, width, quality]) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((image.height * width) / image.width);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", quality);
}

const executablePath = process.env.AGUI_CHROMIUM || "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
const address = await page.evaluate(smaller, [readFileSync(from, "base64"), WIDTH, QUALITY]);
writeFileSync(to, `[${basename(to, ".txt")}]: ${address}\n`);
await browser.close();
