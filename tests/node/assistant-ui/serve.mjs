// Serves a page of assistant-ui (page.jsx), for any agent.
//
// argv: one JSON job { "client"?: the package that everything gets for `@ag-ui/client`, as with `overrides` of npm }
// Prints the address, then serves until it is killed.
import { createServer } from "node:http";
import { answerWith, bundledPage } from "../bundled-page.mjs";

const { client } = JSON.parse(process.argv[2]);
const files = await bundledPage("assistant-ui", new URL("page.jsx", import.meta.url), { alias: client ? { "@ag-ui/client": client } : {} });
const server = createServer((request, response) => answerWith(files, request, response));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
