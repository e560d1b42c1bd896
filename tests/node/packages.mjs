// `node --import packages.mjs SCRIPT` lets scripts of this repository use the packages installed in
// AGUI_NODE_PACKAGES (a folder that holds `node_modules`), so that nothing is installed into the repository.
import { register } from "node:module";

const folder = process.env.AGUI_NODE_PACKAGES;
if (folder) register("./packages-hook.mjs", { parentURL: import.meta.url, data: { folder } });
