//! The command over the runtime itself, which is compiled with the features of each program. This takes a minute, so it is
//! a command of its own: `cargo test -p agui-codegen --test real_runtime`.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[allow(dead_code, reason = "the tests of the command use the rest")]
mod project;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::project::{Ended, folder, run};

/// A package on the runtime itself, with the profile and the versions of the workspace, whose target folder it shares,
/// so that little is built again. Returns its folder, and that target.
fn over_the_runtime(name: &str, manifest: &str) -> (PathBuf, PathBuf) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = folder(name);
    let manifest = format!(
        r#"
            [package]
            name = "{name}"
            version = "0.1.0"
            edition = "2024"
            publish = false

            [profile.dev]
            debug = false

            [workspace]

            [dependencies]
            schemars = "1"
            serde = {{ version = "1", features = ["derive"] }}
            {manifest}
        "#
    );
    let manifest = manifest.replace("RUNTIME", workspace.join("agui-runtime").to_str().unwrap());
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_BIN_EXE_agui-codegen")).parent().unwrap().parent().unwrap();
    (folder, target.to_owned())
}

#[test]
fn the_macros_say_what_they_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let expand = |item: &str| -> Ended { run(root, &["expand", "-p", "shopper", "--locked", item]) };
    let tool = expand("price");
    tool.assert(
        0,
        &[
            "// #[tool] on `price`, examples/shopper/src/main.rs:",
            "impl ::agui_runtime::__private::Tool for price {\n",
        ],
    );
    assert!(!tool.said.contains("AGUI_EXPAND") && !tool.said.contains("Shopper"), "{}", tool.said);
    assert_eq!(expand("shopper::price").said, tool.said, "nothing changed, and it is said again");
    let file = expand("src/main.rs").said;
    for head in
        ["#[tool] on `price`", "#[tool] on `checkout`", "#[agent] on `shopper`", "#[derive(State)] on `List`"]
    {
        assert!(file.contains(&format!("// {head}, examples/shopper/src/main.rs:")), "{head}: {file}");
    }
    assert!(file.contains(tool.said.trim_end()), "{file}");
    expand("Shopper").assert(0, &["// #[agent] on `shopper`, ", "struct Shopper {}\n"]);
    expand("cost").assert(
        2,
        &[
            "no macro of agui-runtime is on `cost` in package `shopper` (--bin shopper)",
            "#[tool] on `checkout`",
        ],
    );
}

/// A library and a program with one name are two crates: the record of one does not hold the other, and the library of
/// the ordinary build is not recorded.
#[test]
fn a_library_and_a_program_may_have_one_name() {
    let (folder, target) =
        over_the_runtime("expand-twice", "agui-runtime = { path = \"RUNTIME\", default-features = false }");
    fs::create_dir_all(folder.join("src")).unwrap();
    let event = |name: &str| {
        format!(
            "#[derive(serde::Serialize, schemars::JsonSchema, agui_runtime::CustomEvent)]\npub struct {name} {{ pub heat: u8 }}\n"
        )
    };
    fs::write(folder.join("src/lib.rs"), event("InLibrary")).unwrap();
    fs::write(
        folder.join("src/main.rs"),
        event("InProgram") + "fn main() { drop(expand_twice::InLibrary { heat: 1 }) }\n",
    )
    .unwrap();
    let build = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--lib", "--offline", "--target-dir"]).arg(&target).current_dir(&folder);
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let expand = |part: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &target).args(["expand", "--offline"]);
        let output = command.args(part).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        ["InLibrary", "InProgram"].map(|name| said.matches(&format!("on `{name}`, src/")).count())
    };
    // The library is built on the way, as in an ordinary build.
    assert_eq!(expand(&["--bin", "expand-twice"]), [0, 1]);
    let again = build();
    assert!(!again.contains("Compiling"), "{again}");
    assert_eq!(expand(&["--lib"]), [1, 0]);
    assert_eq!(expand(&[]), [1, 1]);
}

/// In a crate that renames the runtime and shadows the usual names, the generated code of the macros still compiles,
/// and the program around the library finds its agents. An agent that is only a subagent has no client.
#[test]
fn a_library_is_asked_over_the_real_runtime() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/renamed/lib.rs");
    let manifest = format!(
        "kitchen = {{ package = \"agui-runtime\", path = \"RUNTIME\", default-features = false }}\n[lib]\npath = {source:?}"
    );
    let (folder, target) = over_the_runtime("renamed", &manifest);
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    command.current_dir(&folder).env("CARGO_TARGET_DIR", target);
    let output =
        command.args(["generate", "--ts", "web", "--python", "client", "--offline"]).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    for language in ["web", "client"] {
        let entries = fs::read_dir(folder.join(language)).unwrap().map(|entry| entry.unwrap().path());
        let mut agents: Vec<_> = entries.filter(|path| path.is_dir()).collect();
        agents.sort();
        let names: Vec<_> = agents.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        // `reader` is only a subagent.
        assert_eq!(names, ["cook", "host", "maitre", "steward", "waiter"], "{language}: {said}");
    }
}
