// Serves the page of A2UI's renderer (page.tsx), with generated code.
//
// argv: one JSON job { "generated": the folder that the page imports as `agui` }
// Prints the address, then serves until it is killed.
import { createServer } from "node:http";
import { answerWith, bundledPage } from "../bundled-page.mjs";

const { generated } = JSON.parse(process.argv[2]);
const files = await bundledPage("A2UI", new URL("page.tsx", import.meta.url), { alias: { agui: generated } });
const server = createServer((request, response) => answerWith(files, request, response));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
