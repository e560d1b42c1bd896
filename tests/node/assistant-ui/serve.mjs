// Serves a page of assistant-ui, for any agent.
//
// argv: one JSON job { "page": the script of the page, beside this file,
//   "client"?: the package that everything gets for `@ag-ui/client`, as with `overrides` of npm,
//   "alias"?: the places of other modules that the page imports, by name }
// Prints the address, then serves until it is killed.
import { createServer } from "node:http";
import { answerWith, bundledPage } from "../bundled-page.mjs";

const { page, client, alias } = JSON.parse(process.argv[2]);
const options = { alias: { ...alias, ...(client ? { "@ag-ui/client": client } : {}) } };
const files = await bundledPage("assistant-ui", new URL(page, import.meta.url), options);
const server = createServer((request, response) => answerWith(files, request, response));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
