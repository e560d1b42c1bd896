// A page made of one script: its bundle, and the answers to a browser that loads it.

const HTML = (title) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css"></head><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`;
const TYPES = { ".js": "text/javascript", ".css": "text/css" };

/** The script at an address of this folder, bundled with its packages, and its styles; `options` go to esbuild. */
export async function bundledPage(title, script, options = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: { page: script.pathname },
    bundle: true,
    write: false,
    outdir: "/",
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [`${process.env.AGUI_NODE_PACKAGES}/node_modules`],
    // Fonts of formulas, which are not needed here.
    loader: { ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
    logLevel: "error",
    ...options,
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
  return { "/": HTML(title), "/page.css": "", ...files };
}

/** Answers a request with a file of the page. */
export function answerWith(files, request, response) {
  const { pathname } = new URL(request.url, "http://page");
  const text = files[pathname];
  if (text === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[pathname.slice(pathname.lastIndexOf("."))] ?? "text/html; charset=utf-8" });
  response.end(text);
}
