#!/usr/bin/env node
// Starts the program in the package of this platform. npm installs that package alone: the others name another `os`, `cpu` or `libc`.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

/** The names of the packages that can have a program for this machine, the best first. */
function candidates() {
  const name = `agui-codegen-${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [name];
  // A report also resolves the addresses of open sockets, which takes time.
  process.report.excludeNetwork = true;
  const hasGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  // The program for musl is static, so that it runs on every Linux.
  return hasGlibc ? [`${name}-gnu`, `${name}-musl`] : [`${name}-musl`];
}

/** The path of the program, or undefined if no package of this platform is installed. */
function program() {
  const { resolve } = createRequire(import.meta.url);
  const file = process.platform === "win32" ? "agui-codegen.exe" : "agui-codegen";
  for (const name of candidates()) {
    try {
      return resolve(`${name}/${file}`);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

const path = program();
if (path === undefined) {
  console.error(
    `error: the package ${candidates().join(" or ")} is not installed. Install agui-codegen again with optional dependencies ` +
      "(without --omit=optional); if there is no such package: cargo install agui-codegen",
  );
  process.exit(2);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: ${path} cannot be started: ${error.message}`);
  process.exit(2);
});
const signals = ["SIGHUP", "SIGINT", "SIGTERM"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const each of signals) process.removeAllListeners(each);
  process.kill(process.pid, signal);
});
