//! The command: the files it writes, the input it refuses, its exit codes.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[path = "choices/mod.rs"]
mod choices;
#[path = "doctor/mod.rs"]
mod doctor;
#[path = "expand/mod.rs"]
mod expand;
#[cfg(feature = "frontend-tools")]
#[path = "frontend/mod.rs"]
mod frontend;
#[path = "new/mod.rs"]
mod new;
#[path = "watch/mod.rs"]
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_runtime::manifest::hook;

use crate::cases;
use crate::project::{Ended, folder, run, workspace};

fn kitchen() -> String {
    cases::all().into_iter().find(|case| case.name == "kitchen").unwrap().manifest().to_json()
}

const BOTH: [&str; 6] = ["--manifest", "agui.manifest.json", "--ts", "web/agui", "--python", "client/agui"];

fn generate(folder: &Path, more: &[&str]) -> Ended {
    run(folder, &[&["generate"], BOTH.as_slice(), more].concat())
}

#[test]
fn files_are_up_to_date_until_a_field_is_renamed() {
    let folder = folder("renamed-field");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &["--check"]).assert(1, &["kitchen/types.ts: is missing", "NOT up to date"]);
    assert!(!folder.join("web").exists(), "a check writes nothing");

    generate(&folder, &[]).assert(0, &["wrote web/agui/kitchen/types.ts", "wrote client/agui/py.typed"]);
    generate(&folder, &["--check"]).assert(0, &["TypeScript in web/agui is up to date"]);
    let written = |path: &str| fs::metadata(folder.join(path)).unwrap().modified().unwrap();
    let before = written("web/agui/kitchen/types.ts");
    generate(&folder, &[])
        .assert(0, &["TypeScript in web/agui is up to date", "Python in client/agui is up to date"]);
    assert_eq!(
        written("web/agui/kitchen/types.ts"),
        before,
        "a file that is up to date is not written again"
    );

    fs::write(folder.join("agui.manifest.json"), kitchen().replace("\"title\"", "\"name\"")).unwrap();
    generate(&folder, &["--check"]).assert(
        1,
        &["-  title: string;\n+  name: string;\n", "-    title: str\n+    name: str\n", "NOT up to date"],
    );
    let last = generate(&folder, &["--check"]).said;
    let last = last.lines().last().unwrap();
    let command = format!("agui-codegen generate {}", BOTH.join(" "));
    assert_eq!(last, format!("run: {command}"));
    let support = fs::read_to_string(folder.join("web/agui/_support.ts")).unwrap();
    assert!(support.contains(&format!("// Regenerate: {command}\n")), "{support}");

    // Only the affected files are written again.
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
    generate(&folder, &["--check"]).assert(0, &["is up to date"]);
}

/// One line for each file would hide the warning.
#[test]
fn many_files_are_counted_and_a_warning_comes_last() {
    let folder = folder("many-files");
    let all = cases::all();
    let agents: Vec<_> = all.iter().filter(|case| ["matrix", "numbers"].contains(&case.name)).collect();
    let agents: Vec<_> = agents.into_iter().map(|case| case.agent.clone()).collect();
    let manifest = agui_codegen::Manifest::build("cases", "0.1.0", &agents).unwrap();
    fs::write(folder.join("agui.manifest.json"), manifest.to_json()).unwrap();
    let arguments = ["generate", "--manifest", "agui.manifest.json", "--ts", "web", "--schemas", "schemas"];
    let ended = run(&folder, &arguments);
    ended.assert(0, &["wrote web/numbers/types.ts", "cases: JSON Schema in schemas: changed "]);
    assert!(!ended.said.contains("wrote schemas"), "{}", ended.said);
    let warnings: Vec<_> = ended.err.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(matches!(warnings[..], [one] if one.contains("64-bit integers")), "{}", ended.err);
    assert!(ended.err.lines().last().unwrap().starts_with("warning: "), "{}", ended.err);
}

#[test]
fn a_formatter_may_have_gone_over_it() {
    let folder = folder("formatted");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let path = folder.join("web/agui/kitchen/types.ts");
    let formatted = fs::read_to_string(&path).unwrap().replace("  ", "\t");
    fs::write(&path, formatted).unwrap();
    generate(&folder, &["--check"]).assert(0, &["is up to date"]);
}

#[test]
fn stale_files_are_found_and_removed() {
    let folder = folder("stale");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let old = folder.join("web/agui/bakery/types.ts");
    let own = folder.join("web/agui/mine.ts");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::copy(folder.join("web/agui/kitchen/types.ts"), &old).unwrap();
    fs::write(&own, "export {};\n").unwrap();
    generate(&folder, &["--check"]).assert(1, &["bakery/types.ts: is stale: it would not be generated now"]);
    assert!(old.exists());
    generate(&folder, &[]).assert(0, &["removed web/agui/bakery/types.ts"]);
    assert!(!old.parent().unwrap().exists() && own.exists());
}

#[test]
fn a_file_that_was_not_generated_is_not_overwritten() {
    let folder = folder("not-ours");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    let own = folder.join("web/agui/kitchen/types.ts");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "// my own types\n").unwrap();
    generate(&folder, &[]).assert(2, &["types.ts was not generated", "stays as it is"]);
    assert_eq!(fs::read_to_string(&own).unwrap(), "// my own types\n");
    assert!(!folder.join("web/agui/kitchen/agent.ts").exists(), "all or nothing");

    // A file of any language.
    fs::remove_file(&own).unwrap();
    let own = folder.join("client/agui/kitchen/types.py");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "# my own types\n").unwrap();
    generate(&folder, &[]).assert(2, &["types.py was not generated"]);
    assert_eq!(fs::read_dir(folder.join("web/agui/kitchen")).unwrap().count(), 0);
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
        let code = if expected.starts_with("type ") { 2 } else { 3 };
        generate(&folder, &[]).assert(code, &[expected]);
    }
    fs::remove_file(folder.join("agui.manifest.json")).unwrap();
    generate(&folder, &[]).assert(3, &["agui.manifest.json: No such file"]);
}

#[test]
fn two_manifests_are_compared() {
    let folder = folder("diff");
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("old.json", kitchen());
    write("same.json", kitchen().replace("\"description\": \"", "\"description\": \"Really: "));
    write("new.json", kitchen().replace("\"title\"", "\"name\""));
    run(&folder, &["diff", "old.json", "old.json"]).assert(0, &["compatible"]);
    run(&folder, &["diff", "old.json", "same.json", "--level", "source"]).assert(0, &["compatible"]);
    run(&folder, &["diff", "old.json", "new.json"]).assert(
        1,
        &[
            "breaking (wire) kitchen: OUT: the state $.title: is missing, and the reader needs it",
            "breaking (wire) kitchen: IN: the state $.name: is missing, and the reader needs it",
            "2 breaking changes",
        ],
    );
    run(&folder, &["diff", "old.json", "new.json", "--format", "github"]).assert(
        1,
        &["::error file=new.json,title=breaking for wire of agent kitchen::OUT: the state $.title"],
    );
    run(&folder, &["diff", "old.json", "new.json", "--format", "json", "--level", "source"])
        .assert(1, &["\"breaking\": ", "\"level\": \"source\"", "\"path\": \"$.title\""]);
    run(&folder, &["diff", "nowhere.json", "old.json"]).assert(3, &["nowhere.json"]);
    run(&folder, &["diff"]).assert(2, &["<OLD>"]);
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
fn the_help_explains_the_command() {
    let folder = folder("help");
    for arguments in [["--help"].as_slice(), &["-h"], &["generate", "--help"]] {
        run(&folder, arguments).assert(
            0,
            &["AGUI_MANIFEST_OUT", "agui-codegen.toml", "features = [", "generate --check", "\n  2  "],
        );
    }
}

/// A program that prints its manifest on request.
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
        .assert(0, &["cases: TypeScript in web is up to date"]);
    let printed = run(&folder, &["manifest", "-p", "answers"]);
    printed.assert(0, &["\"agui_manifest\": 1"]);
    let written = || {
        run(&folder, &["manifest", "-p", "answers", "-o", "agui.json"]).assert(0, &[]);
        assert_eq!(fs::read_to_string(folder.join("agui.json")).unwrap(), printed.out);
        fs::metadata(folder.join("agui.json")).unwrap().modified().unwrap()
    };
    assert_eq!(written(), written(), "what is the same is not written again");

    // With a file that names the folders, no options are needed.
    run(&folder, &["generate"]).assert(2, &["no package has an `agui-codegen.toml`"]);
    run(&folder, &["generate", "-p", "answers"]).assert(2, &["package `answers` has no `agui-codegen.toml`"]);
    fs::write(folder.join("answers/agui-codegen.toml"), "python = \"agui\"\n").unwrap();
    run(&folder, &["generate"]).assert(0, &["answers/agui/kitchen/client.py"]);
    run(&folder, &["generate", "--check"]).assert(0, &["is up to date"]);
    fs::remove_file(folder.join("answers/agui/kitchen/client.py")).unwrap();
    run(&folder, &["generate", "--check"])
        .assert(1, &["kitchen/client.py: is missing", "\nrun: agui-codegen generate -p answers\n"]);
    fs::write(folder.join("answers/agui-codegen.toml"), "pyton = \"agui\"\n").unwrap();
    run(&folder, &["generate"]).assert(2, &["agui-codegen.toml", "unknown field `pyton`"]);
    // Only the answer is left of the request.
    let left =
        fs::read_dir(folder.join("target/agui-codegen")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["answers-answers.kept.json"]);
}

#[test]
fn an_answer_is_kept_until_something_changes() {
    let counts = ANSWERS.replace(
        "std::fs::write(path",
        "use std::io::Write as _;
    let mut log = std::fs::File::options().create(true).append(true).open(\"../log\").unwrap();
    writeln!(log, \"asked\").unwrap();
    std::fs::write(path",
    );
    let folder = workspace("kept", &[("answers", &counts)]);
    let write = |path: &str, text: &str| {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    };
    write("answers/src/manifest.json", &kitchen());
    let asked = || fs::read_to_string(folder.join("log")).unwrap_or_default().lines().count();
    let generate = |more: &[&str]| {
        // A file written just now might have changed during the build.
        std::thread::sleep(std::time::Duration::from_millis(100));
        run(&folder, &[&["generate", "--ts", "web"], more].concat()).assert(0, &["web"]);
        let first = asked();
        run(&folder, &[&["generate", "--ts", "web"], more].concat())
            .assert(0, &["TypeScript in web is up to date"]);
        assert_eq!(asked(), first, "kept");
        first
    };
    // This writes a Cargo.lock, while it builds.
    run(&folder, &["manifest"]).assert(0, &["agui_manifest"]);
    assert_eq!(generate(&[]), 2);
    // A source that is not Rust.
    write("answers/src/manifest.json", &kitchen().replace("\"title\"", "\"name\""));
    assert_eq!(generate(&[]), 3);
    assert!(fs::read_to_string(folder.join("web/kitchen/types.ts")).unwrap().contains("  name: string;"));
    // Settings of cargo: options, files that existed, and files that did not.
    write(
        "answers/Cargo.toml",
        &format!("{}\n[features]\nx = []\n", fs::read_to_string(folder.join("answers/Cargo.toml")).unwrap()),
    );
    assert_eq!(generate(&[]), 4);
    assert_eq!(generate(&["-F", "x"]), 5);
    write(".cargo/config.toml", "[env]\nX = \"1\"\n");
    assert_eq!(generate(&["-F", "x"]), 6);
    // The program is gone.
    fs::remove_file(folder.join("target/debug/answers")).unwrap();
    assert_eq!(generate(&["-F", "x"]), 7);
    // Any variable of the environment, because a build may read it.
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    command.current_dir(&folder).env_remove("CARGO_TARGET_DIR").env("SOME_SETTING", "1");
    assert!(command.args(["generate", "--ts", "web", "-F", "x"]).status().unwrap().success());
    assert_eq!(asked(), 8);
    // A build script may depend on anything.
    write("answers/build.rs", "fn main() {}");
    for times in [9, 10] {
        run(&folder, &["generate", "--ts", "web"]).assert(0, &["web"]);
        assert_eq!(asked(), times);
    }
}

#[test]
fn programs_that_do_not_answer() {
    let serves = "fn main() { println!(\"listening on port 8000\"); loop { std::thread::park(); } }";
    // It has the hook, and does not get there.
    let waits = "fn main() { println!(\"connecting\"); while std::env::args().count() > 0 { std::thread::park(); } \
                 println!(\"{:?}\", std::env::var_os(\"AGUI_MANIFEST_OUT\")); }";
    let fails = "fn main() { eprintln!(\"two agents are named `chef`\"); std::process::exit(3); }";
    let none = hook::NONE_YET;
    let agentless = |then: &str| format!("fn main() {{ eprintln!(\"{none}\"); {then} }}");
    let folder = workspace(
        "silent",
        &[
            ("agentless", &agentless("")),
            ("idle", &agentless("loop { std::thread::park(); }")),
            ("ends", "fn main() { println!(\"done already\"); }"),
            ("serves", serves),
            ("waits", waits),
            ("fails", fails),
            ("broken", "fn main() { let x: u8 = \"text\"; }"),
        ],
    );
    // A program without the hook is not waited for: with this limit, the test would not end.
    let at_once =
        |package: &str| run(&folder, &["generate", "-p", package, "--ts", "web", "--timeout", "6000"]);
    let generate =
        |package: &str| run(&folder, &["generate", "-p", package, "--ts", "web", "--timeout", "2"]);
    generate("ends").assert(3, &["ended without describing", "#[agui_runtime::main]", "done already"]);
    let no_code =
        ["has no code that describes its agents", "#[agui_runtime::main]", "listening on port 8000"];
    at_once("serves").assert(3, &no_code);
    // The program is built now: it takes as long as Cargo needs to see that, and not a part of the limit.
    let begun = Instant::now();
    at_once("serves").assert(3, &no_code);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let late = ["does other things before", "still ran after 2 s", "#[agui_runtime::main]", "connecting"];
    generate("waits").assert(3, &late);
    for package in ["agentless", "idle"] {
        generate(package).assert(3, &["no agent is linked into", "`#[agent]`", "the linker drops"]);
    }
    generate("fails").assert(3, &["exit status: 3", "two agents are named `chef`"]);
    generate("broken").assert(3, &["mismatched types", "package `broken` does not build"]);
    generate("nowhere")
        .assert(2, &["no package `nowhere`", "agentless, broken, ends, fails, idle, serves, waits"]);
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

/// A stand-in for the runtime, so that these tests build fast: it has one agent, and prints it on request.
const RUNTIME: &str = "pub mod manifest {
    pub type ManifestError = String;

    pub mod hook {
        pub fn registered() -> Vec<&'static str> {
            vec![\"kitchen\"]
        }

        pub fn write_if_asked(name: &str, version: &str, agents: Vec<&'static str>) -> Result<bool, String> {
            if agents.is_empty() {
                return Err(format!(\"`{name}` has no agents\"));
            }
            let path = std::env::var_os(\"AGUI_MANIFEST_OUT\").ok_or(\"not asked\")?;
            let text = include_str!(\"manifest.json\").replace(\"0.1.0\", version);
            std::fs::write(path, text).map(|()| true).map_err(|error| error.to_string())
        }
    }
}
";

/// A workspace of libraries over that runtime.
fn libraries(name: &str, packages: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let mut members: Vec<&str> = packages.iter().map(|(package, _)| *package).collect();
    members.push("runtime");
    let shared = "agui-runtime = { path = \"runtime\", default-features = false }";
    write(
        "Cargo.toml",
        &format!(
            "[workspace]\nmembers = {members:?}\nresolver = \"3\"\n\n[workspace.dependencies]\n{shared}\n\n[profile.dev]\ndebug = false\n"
        ),
    );
    write(
        "runtime/Cargo.toml",
        "[package]\nname = \"agui-runtime\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    write("runtime/src/lib.rs", RUNTIME);
    write("runtime/src/manifest.json", &kitchen());
    for (package, more) in packages {
        let uses = "[dependencies]\nagui-runtime = { workspace = true }\n";
        let head = format!("[package]\nname = \"{package}\"\nversion = \"0.3.1\"\nedition = \"2024\"\n");
        write(&format!("{package}/Cargo.toml"), &format!("{head}\n{uses}\n{more}"));
        write(
            &format!("{package}/src/lib.rs"),
            "#[cfg(feature = \"broken\")]\ncompile_error!(\"the feature is on\");\n",
        );
    }
    folder
}

#[test]
fn a_library_gets_a_program_around_it() {
    // The folder may have any name.
    let folder = libraries(
        "libraries 100% ü",
        &[("my-agents", "[features]\nbroken = []\n"), ("wasm-agents", "[lib]\ncrate-type = [\"cdylib\"]\n")],
    );
    // The target folder has another name: rust-lld misreads a `%` in the path of its output.
    let target = self::folder("libraries target ü");
    fs::create_dir_all(folder.join(".cargo")).unwrap();
    fs::write(folder.join(".cargo/config.toml"), format!("[build]\ntarget-dir = {target:?}\n")).unwrap();
    let generate = |package: &str, more: &[&str]| {
        run(&folder, &[&["generate", "-p", package, "--ts", "web", "--offline"], more].concat())
    };
    generate("my-agents", &[]).assert(0, &["wrote web/kitchen/types.ts"]);
    generate("my-agents", &["--check"]).assert(0, &["is up to date"]);
    let shim = fs::read_to_string(target.join("agui-codegen/shim/my-agents/Cargo.toml")).unwrap();
    assert!(shim.contains("[profile.dev]\ndebug = false"), "{shim}");
    let text = fs::read_to_string(folder.join("web/kitchen/agent.ts")).unwrap();
    assert!(text.contains("VERSION = \"0.3.1\""), "the package's version, not the shim's");
    generate("my-agents", &["--features", "broken"]).assert(3, &["the feature is on", "does not build"]);
    generate("wasm-agents", &[])
        .assert(3, &["only a library of the kind \"cdylib\"", "crate-type = [\"lib\", \"cdylib\"]"]);
    generate("agui-runtime", &[]).assert(3, &["does not depend on `agui-runtime`, so it has no agents"]);
    // From another folder, by its Cargo.toml.
    let elsewhere = self::folder("libraries-elsewhere");
    let path = folder.join("my-agents/Cargo.toml");
    run(&elsewhere, &["manifest", "--manifest-path", path.to_str().unwrap(), "--offline"])
        .assert(0, &["\"agui_manifest\": 1"]);
    let nowhere = folder.join("nowhere/Cargo.toml");
    run(&elsewhere, &["manifest", "--manifest-path", nowhere.to_str().unwrap()]).assert(3, &["nowhere"]);
    assert!(!folder.join("target").exists(), "the settings are those of the package, wherever one is");
}

#[test]
fn several_packages_go_to_one_folder() {
    let folder =
        workspace("together", &[("answers", ANSWERS), ("hotel", ANSWERS), ("other", "fn main() {}")]);
    let mut members = String::new();
    for (package, agent) in [("answers", "kitchen"), ("hotel", "porter")] {
        let text = kitchen()
            .replace("\"kitchen\"", &format!("{agent:?}"))
            .replace("\"cases\"", &format!("{package:?}"));
        fs::write(folder.join(package).join("src/manifest.json"), text).unwrap();
        let path = folder.join(package).join("Cargo.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\n[dependencies]\nagui-runtime = {{ path = \"../runtime\" }}\n"))
            .unwrap();
        members += &format!("{package:?}, ");
    }
    fs::create_dir_all(folder.join("runtime/src")).unwrap();
    let runtime = "[package]\nname = \"agui-runtime\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(folder.join("runtime/Cargo.toml"), runtime).unwrap();
    fs::write(folder.join("runtime/src/lib.rs"), "").unwrap();
    let root = format!("[workspace]\nmembers = [{members}\"other\", \"runtime\"]\nresolver = \"3\"\n");
    fs::write(folder.join("Cargo.toml"), root).unwrap();

    // Without a name and a file, every package that depends on the runtime is generated.
    let generate = |more: &[&str]| run(&folder, &[&["generate", "--ts", "web"], more].concat());
    generate(&[]).assert(0, &["wrote web/kitchen/types.ts", "wrote web/porter/types.ts"]);
    let text = fs::read_to_string(folder.join("web/_support.ts")).unwrap();
    assert!(text.contains("from answers 0.1.0, hotel 0.1.0. Do not edit."), "{text}");
    assert!(text.contains("// Regenerate: agui-codegen generate -p answers -p hotel --ts web\n"), "{text}");
    generate(&["--check"]).assert(0, &["answers, hotel: TypeScript in web is up to date"]);
    generate(&["-p", "answers", "-p", "hotel", "--check"]).assert(0, &["is up to date"]);
    generate(&["-p", "answers", "--check"])
        .assert(1, &["porter/types.ts: is stale: it would not be generated now"]);
    run(&folder, &["manifest"]).assert(2, &["choose it with `-p`: answers, hotel"]);
    // With separate files, one would remove the other's output.
    for package in ["answers", "hotel"] {
        fs::write(folder.join(package).join("agui-codegen.toml"), "ts = \"../shared\"\n").unwrap();
    }
    run(&folder, &["generate"]).assert(2, &["`answers` and `hotel` both have", "with `--ts DIR`"]);
    generate(&[]).assert(0, &["answers, hotel: TypeScript in web is up to date"]);
    for package in ["answers", "hotel"] {
        fs::remove_file(folder.join(package).join("agui-codegen.toml")).unwrap();
    }
    // Two agents cannot have one folder.
    fs::write(folder.join("hotel/src/manifest.json"), kitchen()).unwrap();
    generate(&[]).assert(2, &["agent `kitchen` of `cases`: would be generated as `kitchen`", "with `-p`"]);
}

#[test]
fn a_newer_runtime_is_pointed_out() {
    let folder = folder("newer");
    let own = concat!("agui-runtime ", env!("CARGO_PKG_VERSION"));
    fs::write(folder.join("agui.manifest.json"), kitchen().replace(own, "agui-runtime 99.1.0")).unwrap();
    generate(&folder, &[])
        .assert(0, &["warning: the manifest is by agui-runtime 99.1.0", "install agui-codegen 99.1.0"]);
    let compared = run(&folder, &["diff", "agui.manifest.json", "agui.manifest.json", "--format", "json"]);
    compared.assert(0, &["warning: the manifest is by agui-runtime 99.1.0"]);
    assert!(!compared.out.contains("warning: "), "{}", compared.out);
}

#[test]
fn a_server_is_asked() {
    use std::io::{Read as _, Write as _};

    let folder = folder("url");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/agui/manifest.json", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        for answer in [format!("200 OK\r\n\r\n{}", kitchen()), "404 Not Found\r\n\r\n".into()] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = [0; 4096];
            let length = stream.read(&mut asked).unwrap();
            assert!(asked[..length].starts_with(b"GET /agui/manifest.json HTTP/1.1\r\n"));
            stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).unwrap();
        }
    });
    run(&folder, &["generate", "--url", &url, "--ts", "web"]).assert(0, &["wrote web/kitchen/types.ts"]);
    let text = fs::read_to_string(folder.join("web/kitchen/types.ts")).unwrap();
    assert!(text.contains(&format!("// Regenerate: agui-codegen generate --url {url} --ts web\n")), "{text}");
    run(&folder, &["generate", "--url", &url, "--ts", "web"]).assert(3, &["it answered 404 Not Found"]);
    server.join().unwrap();
    run(&folder, &["generate", "--url", "https://127.0.0.1:1/", "--ts", "web"])
        .assert(3, &["https://127.0.0.1:1/: "]);
}

#[test]
fn the_machine_to_build_for() {
    let folder = workspace("machine", &[("answers", ANSWERS)]);
    fs::write(folder.join("answers/src/manifest.json"), kitchen()).unwrap();
    let generate =
        |more: &[&str]| run(&folder, &[&["generate", "-p", "answers", "--ts", "web"], more].concat());
    generate(&["--host"]).assert(0, &["wrote web/kitchen/types.ts"]);
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    assert!(folder.join("target").join(host).is_dir());
    // Runs with the runner of the configuration, as `cargo run` does.
    fs::create_dir_all(folder.join(".cargo")).unwrap();
    let runner = folder.join("runner.sh");
    fs::write(&runner, "#!/bin/sh\necho asked >> \"$RUNNER_LOG\"\nexec \"$@\"\n").unwrap();
    let config = format!(
        "[target.{host}]\nrunner = [\"sh\", {:?}]\n\n[env]\nRUNNER_LOG = {:?}\n",
        runner,
        folder.join("log")
    );
    fs::write(folder.join(".cargo/config.toml"), config).unwrap();
    generate(&["--target", host, "--check"]).assert(0, &["is up to date"]);
    assert_eq!(fs::read_to_string(folder.join("log")).unwrap(), "asked\n");
    generate(&["--target", "no-such-machine"]).assert(3, &["does not build"]);
}

#[test]
fn a_package_is_set_up() {
    let folder = libraries("init", &[("my-agents", "")]);
    let init = |more: &[&str]| run(&folder, &[&["init", "-p", "my-agents"], more].concat());
    let where_to = ["--ts", "web/agui", "--schemas", "schemas"];
    init(&[&where_to[..], &["--react", "v2"]].concat())
        .assert(0, &["agui-codegen.toml", "agui-codegen generate -p my-agents --check"]);
    // The command is in the folder beside the runtime.
    init(&where_to).assert(0, &["- run: cargo install --locked --path agui-codegen\n"]);
    let manifest = folder.join("my-agents/Cargo.toml");
    let said = fs::read_to_string(&manifest).unwrap();
    for (dependency, install) in [
        (
            "{ git = \"https://example.com/agui\", branch = \"main\" }",
            "--git https://example.com/agui --branch main agui-codegen",
        ),
        ("\"0.1.3\"", "--version \"^0.1.3\" agui-codegen"),
    ] {
        fs::write(&manifest, said.replace("{ workspace = true }", dependency)).unwrap();
        init(&where_to).assert(0, &[&format!("- run: cargo install --locked {install}\n")]);
    }
    fs::write(&manifest, said).unwrap();
    let read = |path: &str| fs::read_to_string(folder.join("my-agents").join(path)).unwrap();
    assert_eq!(read("agui-codegen.toml"), "ts = \"web/agui\"\nschemas = \"schemas\"\nreact = \"v2\"\n");
    let attributes = "web/agui/** linguist-generated=true\nschemas/** linguist-generated=true\n";
    assert_eq!(read(".gitattributes"), attributes);
    init(&["--ts", "web/agui", "--schemas", "schemas", "--program"])
        .assert(0, &["agui-codegen.toml exists already", "wrote", "agui_manifest.rs"]);
    assert_eq!(read(".gitattributes"), attributes, "said once");
    // The written program is the one that runs.
    run(&folder, &["generate", "-p", "my-agents", "--offline"])
        .assert(0, &["my-agents/schemas/kitchen/types/Recipe.json", "my-agents/web/agui/kitchen/types.ts"]);
    run(&folder, &["generate", "-p", "my-agents", "--offline", "--check"])
        .assert(0, &["JSON Schema in", "is up to date"]);
    assert!(!folder.join("target/agui-codegen/shim").exists());
    // An unreadable file is not overwritten.
    init(&["--ts", "my web"]).assert(0, &[".gitattributes"]);
    assert!(read(".gitattributes").ends_with("\n\"my web/**\" linguist-generated=true\n"));
    let attributes = folder.join("my-agents/.gitattributes");
    fs::write(&attributes, b"*.\xff text\n").unwrap();
    init(&where_to).assert(2, &[".gitattributes cannot be read or written"]);
    assert_eq!(fs::read(&attributes).unwrap(), b"*.\xff text\n");
}

#[test]
fn completions_are_printed_for_shells() {
    let folder = folder("completions");
    for shell in ["bash", "zsh", "fish"] {
        run(&folder, &["completions", shell]).assert(0, &["agui-codegen", "generate"]);
    }
}
