//! The programs that the command builds and asks for their manifests.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use agui_runtime::manifest::hook;

use super::kitchen;
use crate::project::{run, workspace};

/// A program that prints its manifest on request.
pub(super) const ANSWERS: &str = "fn main() {
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
    assert_eq!(left.collect::<Vec<_>>(), ["answers-answers.cached.json"]);
}

#[test]
fn an_answer_is_cached_until_something_changes() {
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

/// One of two members selects a feature of a library that both have.
#[test]
fn the_features_of_the_whole_workspace() {
    let folder = workspace("unified", &[("loud", "fn main() {}"), ("shop", ANSWERS), ("words", "")]);
    let depend = |package: &str, features: &str| {
        let path = folder.join(package).join("Cargo.toml");
        let before = fs::read_to_string(&path).unwrap();
        let line = format!("[dependencies]\nwords = {{ path = \"../words\", features = [{features}] }}\n");
        fs::write(path, before + &line).unwrap();
    };
    depend("loud", "\"loud\"");
    depend("shop", "");
    let manifest = fs::read_to_string(folder.join("words/Cargo.toml")).unwrap();
    fs::write(folder.join("words/Cargo.toml"), manifest + "[features]\nloud = []\n").unwrap();
    fs::rename(folder.join("words/src/main.rs"), folder.join("words/src/lib.rs")).unwrap();
    fs::write(folder.join("words/src/lib.rs"), "pub const LOUD: bool = cfg!(feature = \"loud\");").unwrap();
    fs::write(folder.join("shop/src/manifest.json"), kitchen()).unwrap();
    let main = ANSWERS.replace(
        "fn main() {",
        "fn main() { if !words::LOUD { eprintln!(\"quiet\"); std::process::exit(3); }",
    );
    assert_ne!(main, ANSWERS);
    fs::write(folder.join("shop/src/main.rs"), main).unwrap();
    let generate = |more: &[&str]| run(&folder, &[&["generate", "-p", "shop", "--ts", "web"], more].concat());
    generate(&[]).assert(3, &["quiet"]);
    generate(&["--workspace"]).assert(0, &["wrote web/kitchen/agent.ts"]);
    // Not a word about the build stands in the files.
    let header = fs::read_to_string(folder.join("web/kitchen/agent.ts")).unwrap();
    assert!(!header.contains("--workspace"), "{header}");
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
    assert!(text.contains("// From:       answers 0.1.0, hotel 0.1.0\n"), "{text}");
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
    // Two agents cannot have one name.
    fs::write(folder.join("hotel/src/manifest.json"), kitchen()).unwrap();
    generate(&[])
        .assert(2, &["agent `kitchen` of `cases`: is named as an agent of `answers` is", "with `-p`"]);
}
