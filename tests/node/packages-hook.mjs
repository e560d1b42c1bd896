// See packages.mjs. Bare names asked for by our own scripts are looked up from the folder given there;
// the packages themselves, and everything with a path or a scheme, resolve as always.
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

let from;

export function initialize({ folder }) {
  from = pathToFileURL(join(folder, "package.json")).href;
}

export function resolve(specifier, context, next) {
  const bare = /^[@\w]/.test(specifier) && !/^[a-z]+:/.test(specifier) && !isBuiltin(specifier);
  const ours = !context.parentURL?.includes("/node_modules/");
  return next(specifier, bare && ours ? { ...context, parentURL: from } : context);
}
