//! The command: what it writes, what it refuses, how it ends.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod cases;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// How the command ended, and everything it said.
struct Ended {
    code: i32,
    said: String,
}

impl Ended {
    fn assert(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.said);
        for part in parts {
            assert!(self.said.contains(part), "no {part:?} in: {}", self.said);
        }
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    // The workspaces of these tests have targets of their own.
    command.current_dir(folder).env_remove("CARGO_TARGET_DIR").args(arguments);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    Ended { code: output.status.code().unwrap(), said: String::from_utf8(said).unwrap() }
}

fn kitchen() -> String {
    cases::all().into_iter().find(|case| case.name == "kitchen").unwrap().manifest().to_json()
}

const BOTH: [&str; 6] = ["--manifest", "agui.manifest.json", "--ts", "web/agui", "--python", "client/agui"];

fn generate(folder: &Path, more: &[&str]) -> Ended {
    run(folder, &[&["generate"], BOTH.as_slice(), more].concat())
}

#[test]
fn what_is_written_is_fresh_until_a_field_is_renamed() {
    let folder = folder("renamed-field");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &["--check"]).assert(1, &["kitchen/types.ts: is missing", "NOT fresh"]);
    assert!(!folder.join("web").exists(), "a check writes nothing");

    generate(&folder, &[]).assert(0, &["wrote web/agui/kitchen/types.ts", "wrote client/agui/py.typed"]);
    generate(&folder, &["--check"]).assert(0, &["TypeScript in web/agui is fresh"]);
    let written = |path: &str| fs::metadata(folder.join(path)).unwrap().modified().unwrap();
    let before = written("web/agui/kitchen/types.ts");
    generate(&folder, &[]).assert(0, &["TypeScript in web/agui is fresh", "Python in client/agui is fresh"]);
    assert_eq!(written("web/agui/kitchen/types.ts"), before, "what is fresh is not written again");

    fs::write(folder.join("agui.manifest.json"), kitchen().replace("\"title\"", "\"name\"")).unwrap();
    generate(&folder, &["--check"]).assert(
        1,
        &["-  title: string;\n+  name: string;\n", "-    title: str\n+    name: str\n", "NOT fresh"],
    );
    let last = generate(&folder, &["--check"]).said;
    let last = last.lines().last().unwrap();
    let command = format!("agui-codegen generate {}", BOTH.join(" "));
    assert_eq!(last, format!("run: {command}"));
    let support = fs::read_to_string(folder.join("web/agui/_support.ts")).unwrap();
    assert!(support.contains(&format!("// Regenerate: {command}\n")), "{support}");

    // Only what has to do with it is written again.
    let ended = generate(&folder, &[]);
    let written: Vec<&str> = ended.said.lines().filter_map(|line| line.strip_prefix("wrote ")).collect();
    assert_eq!(
        written,
        [
            "web/agui/kitchen/agent.ts",
            "web/agui/kitchen/types.ts",
            "client/agui/kitchen/agent.py",
            "client/agui/kitchen/types.py",
        ]
    );
    generate(&folder, &["--check"]).assert(0, &["is fresh"]);
}

#[test]
fn a_formatter_may_have_gone_over_it() {
    let folder = folder("formatted");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let path = folder.join("web/agui/kitchen/types.ts");
    let formatted = fs::read_to_string(&path).unwrap().replace("  ", "\t");
    fs::write(&path, formatted).unwrap();
    generate(&folder, &["--check"]).assert(0, &["is fresh"]);
}

#[test]
fn files_nobody_generates_any_more_are_found_and_removed() {
    let folder = folder("stale");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let old = folder.join("web/agui/bakery/types.ts");
    let own = folder.join("web/agui/mine.ts");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::copy(folder.join("web/agui/kitchen/types.ts"), &old).unwrap();
    fs::write(&own, "export {};\n").unwrap();
    generate(&folder, &["--check"]).assert(1, &["bakery/types.ts: would not be generated any more"]);
    assert!(old.exists());
    generate(&folder, &[]).assert(0, &["removed web/agui/bakery/types.ts"]);
    assert!(!old.exists() && own.exists());
}

#[test]
fn a_file_of_somebody_else_is_not_overwritten() {
    let folder = folder("not-ours");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    let own = folder.join("web/agui/kitchen/types.ts");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "// my own types\n").unwrap();
    generate(&folder, &[]).assert(2, &["types.ts is not ours", "stays as it is"]);
    assert_eq!(fs::read_to_string(&own).unwrap(), "// my own types\n");
    assert!(!folder.join("web/agui/kitchen/agent.ts").exists(), "all or nothing");
}

#[test]
fn manifests_that_cannot_be_used() {
    let folder = folder("manifests");
    for (text, expected) in [
        (
            kitchen().replace("\"agui_manifest\": 1", "\"agui_manifest\": 7"),
            "version 7, this program reads version 1",
        ),
        ("{}".into(), "not a manifest: missing field"),
        (
            kitchen().replace("\"minimum\": 0", "\"minimum\": 0, \"if\": {}"),
            "type `Euro` at `/properties/cents/if`: the keyword `if` is not supported",
        ),
    ] {
        fs::write(folder.join("agui.manifest.json"), text).unwrap();
        generate(&folder, &[]).assert(2, &[expected]);
    }
    fs::remove_file(folder.join("agui.manifest.json")).unwrap();
    generate(&folder, &[]).assert(2, &["agui.manifest.json: No such file"]);
}

#[test]
fn usage_errors() {
    let folder = folder("usage");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    run(&folder, &["generate", "--manifest", "agui.manifest.json"]).assert(2, &["--ts DIR"]);
    run(&folder, &["generate", "--manifest", "x", "-p", "y", "--ts", "z"])
        .assert(2, &["cannot be used with"]);
    run(&folder, &["generate", "--tss", "x"]).assert(2, &["unexpected argument"]);
}

#[test]
fn the_help_teaches() {
    let folder = folder("help");
    for arguments in [["--help"].as_slice(), &["-h"], &["generate", "--help"]] {
        run(&folder, arguments).assert(
            0,
            &["AGUI_MANIFEST_OUT", "agui-codegen.toml", "features = [", "generate --check", "\n  2  "],
        );
    }
}

/// A workspace of small programs that need nothing: what matters is how they answer when they are asked.
fn workspace(name: &str, packages: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    let members: Vec<&str> = packages.iter().map(|(package, _)| *package).collect();
    let manifest = format!("[workspace]\nmembers = {members:?}\nresolver = \"3\"\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    for (package, main) in packages {
        fs::create_dir_all(folder.join(package).join("src")).unwrap();
        let manifest = format!("[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        fs::write(folder.join(package).join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join(package).join("src/main.rs"), main).unwrap();
    }
    folder
}

/// A program that describes its agents when it is asked.
const ANSWERS: &str = "fn main() {
    let path = std::env::var_os(\"AGUI_MANIFEST_OUT\").expect(\"not asked\");
    std::fs::write(path, include_str!(\"manifest.json\")).unwrap();
}
";

#[test]
fn the_program_itself_is_asked() {
    let folder = workspace("asked", &[("answers", ANSWERS), ("other", "fn main() {}")]);
    fs::write(folder.join("answers/src/manifest.json"), kitchen()).unwrap();
    run(&folder, &["generate", "-p", "answers", "--ts", "web"]).assert(0, &["wrote web/kitchen/types.ts"]);
    run(&folder, &["generate", "-p", "answers", "--ts", "web", "--check", "--offline"])
        .assert(0, &["cases: TypeScript in web is fresh"]);
    let printed = run(&folder, &["manifest", "-p", "answers"]);
    printed.assert(0, &["\"agui_manifest\": 1"]);

    // With a file that says where things go, nothing needs to be said.
    run(&folder, &["generate"]).assert(2, &["no package has an `agui-codegen.toml`"]);
    run(&folder, &["generate", "-p", "answers"]).assert(2, &["package `answers` has no `agui-codegen.toml`"]);
    fs::write(folder.join("answers/agui-codegen.toml"), "python = \"agui\"\n").unwrap();
    run(&folder, &["generate"]).assert(0, &["answers/agui/kitchen/client.py"]);
    run(&folder, &["generate", "--check"]).assert(0, &["is fresh"]);
    fs::remove_file(folder.join("answers/agui/kitchen/client.py")).unwrap();
    run(&folder, &["generate", "--check"])
        .assert(1, &["kitchen/client.py: is missing", "\nrun: agui-codegen generate -p answers\n"]);
    fs::write(folder.join("answers/agui-codegen.toml"), "pyton = \"agui\"\n").unwrap();
    run(&folder, &["generate"]).assert(2, &["agui-codegen.toml", "unknown field `pyton`"]);
    // Nothing is left behind of how it was asked.
    let left: Vec<_> = fs::read_dir(folder.join("target/agui-codegen")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn programs_that_do_not_answer() {
    let serves = "fn main() { println!(\"listening on port 8000\"); loop { std::thread::park(); } }";
    let fails = "fn main() { eprintln!(\"two agents are named `chef`\"); std::process::exit(3); }";
    let folder = workspace(
        "silent",
        &[
            ("ends", "fn main() { println!(\"done already\"); }"),
            ("serves", serves),
            ("fails", fails),
            ("broken", "fn main() { let x: u8 = \"text\"; }"),
        ],
    );
    let generate =
        |package: &str| run(&folder, &["generate", "-p", package, "--ts", "web", "--timeout", "2"]);
    generate("ends").assert(2, &["ended without describing", "#[agui_runtime::main]", "done already"]);
    generate("serves").assert(2, &["still ran after 2 s", "#[agui_runtime::main]", "listening on port 8000"]);
    generate("fails").assert(2, &["exit status: 3", "two agents are named `chef`"]);
    generate("broken").assert(2, &["mismatched types", "package `broken` does not build"]);
    generate("nowhere").assert(2, &["no package `nowhere`", "broken, ends, fails, serves"]);
    assert!(!folder.join("web").exists());
}

#[test]
fn a_package_with_several_programs_says_which() {
    let folder = workspace("several", &[("shop", "fn main() {}")]);
    fs::create_dir_all(folder.join("shop/src/bin")).unwrap();
    fs::write(folder.join("shop/src/bin/admin.rs"), ANSWERS.replace("manifest.json", "../manifest.json"))
        .unwrap();
    fs::write(folder.join("shop/src/manifest.json"), kitchen()).unwrap();
    let generate = |more: &[&str]| run(&folder, &[&["generate", "-p", "shop", "--ts", "web"], more].concat());
    generate(&[]).assert(2, &["several binaries", "admin, shop"]);
    generate(&["--bin", "admin"]).assert(0, &["wrote web/kitchen/agent.ts"]);
    generate(&["--bin", "cellar"]).assert(2, &["no binary `cellar`"]);
}
