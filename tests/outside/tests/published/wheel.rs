//! With pip: the wheel that maturin packs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::need;
use agui_tests::outside::{Maturin, Python, finish, target_dir};

use super::agent::{ANSWER, client, desk};
use super::assert_quick;
use super::machine::Machine;

const LIMIT: Duration = Duration::from_secs(60);

/// The folder with the wheel.
fn wheels(maturin: &Maturin) -> PathBuf {
    let folder = target_dir().join("outside/published/wheels");
    drop(fs::remove_dir_all(&folder));
    maturin.pack(&folder);
    folder
}

#[test]
fn the_wheel_generates_from_a_running_server_and_from_a_file_without_rust() {
    let python = need!(Python::ready());
    let wheels = wheels(&need!(Maturin::ready()));
    let machine = Machine::with("pip", &[]);
    let (server, manifest) = desk();
    let folder = machine.folder("client");
    let file = "agui.manifest.json";

    let begin = Instant::now();
    let run = |command: &[&str]| machine.run(&folder, command, &[]);
    let mut venv = python.module("venv");
    venv.arg(folder.join(".venv"));
    let _ = finish(venv, "", LIMIT).assert_success();
    let program = |name: &str| folder.join(".venv/bin").join(name).to_str().unwrap().to_owned();
    let install =
        ["install", "--quiet", "--no-index", "--find-links", wheels.to_str().unwrap(), "agui-codegen"];
    let _ = run(&[&[program("pip").as_str()], install.as_slice()].concat()).assert_success();
    let codegen = program("agui-codegen");
    let _ = run(&[&codegen, "generate", "--url", &manifest, "--python", "agui"]).assert_success();
    fs::write(folder.join("main.py"), client("python/main.py", &server)).unwrap();
    let _ = python.type_check(&folder, &["agui", "main.py"]).assert_success();
    let answer = answer(&python, &folder.join("main.py"));
    assert!(answer.trim_end().ends_with(ANSWER), "{answer}");
    assert_quick("with pip", begin);

    let _ = run(&[&codegen, "manifest", "--url", &manifest, "--output", file]).assert_success();
    drop(server);
    let _ = run(&[&codegen, "generate", "--manifest", file, "--python", "agui", "--check"]).assert_success();
}

fn answer(python: &Python, program: &Path) -> String {
    let command: Command = python.command(program);
    finish(command, "", LIMIT).assert_success().stdout
}
