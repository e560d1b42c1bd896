//! Packages that are only libraries: the program that the command writes around each, and several of them in one folder.

use std::fs;
use std::path::PathBuf;

use super::{generate, kitchen};
use crate::project::{folder, run};

/// A stand-in for the runtime, so that these tests build fast: it has one agent, and prints it on request.
const RUNTIME: &str = "pub mod manifest {
    pub type ManifestError = String;

    pub mod hook {
        pub fn entry_agents(linked: Vec<&'static str>) -> Vec<&'static str> {
            linked
        }
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
pub(super) fn libraries(name: &str, packages: &[(&str, &str)]) -> PathBuf {
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
