//! `agui-codegen doctor`: on machines that lack programs, and in projects that are out of date.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{ANSWERS, Ended, kitchen, run, workspace};

const CONFIG: &str = "ts = \"web/agui\"\npython = \"client/agui\"\n";

/// A workspace with an agent whose runtime stands in for the real one: it has a name and a version.
fn project(name: &str) -> PathBuf {
    let folder = workspace(name, &[("answers", ANSWERS), ("agui-runtime", "fn main() {}")]);
    fs::write(folder.join("agui-runtime/src/lib.rs"), "").unwrap();
    let manifest = folder.join("answers/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, format!("{text}[dependencies]\nagui-runtime.path = \"../agui-runtime\"\n")).unwrap();
    fs::write(folder.join("answers/src/manifest.json"), kitchen()).unwrap();
    fs::write(folder.join("answers/agui-codegen.toml"), CONFIG).unwrap();
    let client = folder.join("answers/web/node_modules/@ag-ui/client");
    fs::create_dir_all(&client).unwrap();
    fs::write(client.join("package.json"), "{}").unwrap();
    folder
}

fn doctor(folder: &Path) -> Ended {
    run(folder, &["doctor", "--offline", "-p", "answers"])
}

#[test]
fn a_project_is_well_until_a_type_changes() {
    let folder = project("doctor-well");
    run(&folder, &["generate", "--offline", "-p", "answers"]).assert(0, &[]);
    let version = env!("CARGO_PKG_VERSION");
    doctor(&folder).assert(
        0,
        &[
            "ok       rustc: rustc ",
            "ok       cargo: cargo ",
            "ok       node: v",
            "ok       python3: Python 3.",
            &format!("ok       agui-runtime: {version}, the version of this agui-codegen\n"),
            "ok       answers: @ag-ui/client is installed\n",
            "ok       answers: the generated files are up to date\n",
        ],
    );

    let types = folder.join("answers/src/manifest.json");
    fs::write(&types, kitchen().replace("\"title\"", "\"name\"")).unwrap();
    doctor(&folder).assert(
        1,
        &[
            "stale    answers: TypeScript in ",
            "web/agui: 2 files differ\n         → agui-codegen generate -p answers\n",
        ],
    );
    let ended = run(&folder, &["doctor", "--offline", "--no-build", "-p", "answers"]);
    ended.assert(0, &["note     answers: the generated files were not compared\n"]);

    fs::write(&types, kitchen()).unwrap();
    fs::write(folder.join("answers/src/main.rs"), "fn main() { nothing() }").unwrap();
    doctor(&folder).assert(1, &["broken   answers: package `answers` does not build"]);
}

#[test]
fn files_of_another_version_are_named() {
    let folder = project("doctor-version");
    run(&folder, &["generate", "--offline", "-p", "answers"]).assert(0, &[]);
    let file = folder.join("answers/web/agui/_check.ts");
    let text = fs::read_to_string(&file).unwrap();
    let own = format!("agui-codegen {}", env!("CARGO_PKG_VERSION"));
    fs::write(&file, text.replace(&own, "agui-codegen 0.0.7")).unwrap();
    doctor(&folder).assert(1, &["stale    answers: TypeScript in ", "is by agui-codegen 0.0.7, this is "]);
}

#[test]
fn a_runtime_of_another_version_is_named() {
    let folder = project("doctor-runtime");
    let manifest = folder.join("agui-runtime/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("version = \"0.1.0\"", "version = \"9.0.0\"")).unwrap();
    run(&folder, &["generate", "--offline", "-p", "answers"]).assert(0, &[]);
    doctor(&folder).assert(
        1,
        &[
            "stale    agui-runtime: is 9.0.0, and this agui-codegen is ",
            "→ install agui-codegen 9.0.0, from where",
        ],
    );
}

#[test]
fn settings_and_lock_files_that_cannot_be_read_are_named() {
    let folder = project("doctor-broken");
    fs::write(folder.join("answers/agui-codegen.toml"), "tss = \"web\"\n").unwrap();
    fs::write(folder.join("Cargo.lock"), "[[package").unwrap();
    doctor(&folder).assert(1, &["broken   Cargo.lock: ", "broken   answers: ", "unknown field `tss`"]);
    fs::remove_file(folder.join("answers/agui-codegen.toml")).unwrap();
    fs::remove_file(folder.join("Cargo.lock")).unwrap();
    doctor(&folder).assert(
        0,
        &[
            "note     Cargo.lock: is not there yet",
            "note     answers: has no agui-codegen.toml",
            "→ agui-codegen init",
        ],
    );
    run(&folder, &["doctor", "-p", "nothing"]).assert(2, &["there is no package `nothing`"]);
}

/// Programs that print these versions, in a folder that is the whole path.
#[cfg(unix)]
fn machine(folder: &Path, programs: &[(&str, &str)]) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;

    let bin = folder.join("bin");
    drop(fs::remove_dir_all(&bin));
    fs::create_dir_all(&bin).unwrap();
    for (name, version) in programs {
        fs::write(bin.join(name), format!("#!/bin/sh\necho '{version}'\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    bin
}

#[cfg(unix)]
fn doctor_on(folder: &Path, bin: &Path) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    command.args(["doctor", "--offline", "--no-build", "-p", "answers"]).current_dir(folder);
    // Cargo itself is needed to read the project.
    command.env("CARGO", env!("CARGO")).env("PATH", bin);
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Ended { code: output.status.code().unwrap(), said: format!("{out}{err}"), out, err }
}

#[cfg(unix)]
#[test]
fn programs_that_are_missing_or_too_old_are_named_with_a_remedy() {
    let folder = project("doctor-machine");
    let good = [
        ("rustc", "rustc 1.88.0"),
        ("cc", "cc 12"),
        ("node", "v20.0.0"),
        ("npm", "9.0.0"),
        ("python3", "Python 3.11.0"),
    ];
    doctor_on(&folder, &machine(&folder, &good)).assert(0, &["ok       npm: 9.0.0\n"]);
    let old = [("rustc", "rustc 1.80.0"), ("node", "v18.1.0"), ("npm", "9.0.0"), ("python3", "Python 3.9.2")];
    doctor_on(&folder, &machine(&folder, &old)).assert(
        1,
        &[
            "missing  rustc: `rustc 1.80.0`; 1.88 or newer is needed for the agent\n         → rustup update stable\n",
            "missing  cc: not found; it is needed to link programs\n",
            "missing  node: `v18.1.0`; 20.0 or newer is needed for a page\n",
            "missing  python3: `Python 3.9.2`; 3.11 or newer is needed for a client in Python\n",
        ],
    );
    // A project without a page needs no Node.
    fs::write(folder.join("answers/agui-codegen.toml"), "python = \"client/agui\"\n").unwrap();
    let ended = doctor_on(
        &folder,
        &machine(&folder, &[("rustc", "rustc 1.87.0"), ("cc", "cc"), ("python3", "Python 3.14.0")]),
    );
    ended.assert(1, &["missing  rustc: `rustc 1.87.0`; 1.88 or newer is needed for the agent\n"]);
    assert!(!ended.said.contains("node"), "{}", ended.said);
}

#[test]
fn outside_of_a_project_it_looks_at_the_machine() {
    let folder = std::env::temp_dir().join(format!("agui-doctor-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let ended = run(&folder, &["doctor"]);
    fs::remove_dir_all(&folder).unwrap();
    ended.assert(0, &["ok       rustc: rustc ", "note     project: there is no Cargo.toml here or above\n"]);
    let folder = super::folder("doctor-other");
    fs::write(folder.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = []\n").unwrap();
    run(&folder, &["doctor"]).assert(0, &["no package of this workspace depends on agui-runtime"]);
    run(&folder, &["doctor", "--manifest-path", "nowhere/Cargo.toml"]).assert(3, &["cargo metadata"]);
}
