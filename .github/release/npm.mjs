// Packs agui-codegen for npm: one package that starts the program, and one with the program for each platform.
//
//   node .github/release/npm.mjs FOLDER TARGET=PROGRAM…
//
// writes FOLDER/*.tgz. The first package names all platforms of platforms.json, as optional dependencies of its own version.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const here = join(root, "agui-codegen/npm");
const json = (file) => JSON.parse(readFileSync(join(here, file), "utf8"));

const [folder, ...given] = process.argv.slice(2);
if (folder === undefined || given.length === 0) {
  console.error("usage: npm.mjs FOLDER TARGET=PROGRAM…");
  process.exit(2);
}
const version = execFileSync(join(root, ".github/release/version"), { encoding: "utf8" }).trim();
const place = /^repository = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
const base = json("package.json");
const shared = { version, license: base.license, repository: { type: "git", url: `git+${place}.git` } };

/** The name of a platform's package, as bin/agui-codegen.js makes it from the machine. */
function packageName({ os, cpu, libc }) {
  const end = { glibc: "-gnu", musl: "-musl" }[libc] ?? "";
  return `agui-codegen-${os}-${cpu}${end}`;
}

/** Writes a package, packs it, and removes its folder. */
function pack(description, fill) {
  const draft = join(folder, "draft");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, license), join(draft, license));
  fill(draft);
  const options = { encoding: "utf8", shell: process.platform === "win32" };
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, draft], options);
  rmSync(draft, { recursive: true });
  console.log(join(folder, packed.trim()));
}

const platforms = json("platforms.json");
for (const argument of given) {
  const [target, path] = argument.split("=");
  const platform = platforms.find((each) => each.target === target);
  if (platform === undefined) throw new Error(`platforms.json has no ${target}`);
  const { os, cpu, libc } = platform;
  const name = packageName(platform);
  const file = os === "win32" ? "agui-codegen.exe" : "agui-codegen";
  const only = { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
  const description = `The program of agui-codegen for ${target}. Install agui-codegen instead.`;
  pack({ name, description, ...shared, ...only, preferUnplugged: true }, (draft) => {
    writeFileSync(join(draft, "README.md"), `# ${name}\n\n${description}\n`);
    copyFileSync(path, join(draft, file));
    chmodSync(join(draft, file), 0o755);
  });
}
const optionalDependencies = Object.fromEntries(platforms.map((platform) => [packageName(platform), version]));
pack({ ...base, ...shared, optionalDependencies }, (draft) => {
  cpSync(join(here, "bin"), join(draft, "bin"), { recursive: true });
  copyFileSync(join(here, "README.md"), join(draft, "README.md"));
});
