//! The messages that a user reads: one case for each mistake, named after it.
//!
//! Update with `TRYBUILD=overwrite cargo test -p agui-compile-fail --test ui`, then read the difference like code.
//!
//! Compilers reword the text below the headline. So the pinned compiler compares the whole text, and others (or with
//! `AGUI_UI_HEADLINES=1`) compare every error's code and headline.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The compiler that wrote the expected texts.
const PINNED: &str = "1.95.";
const FOLDERS: [&str; 10] =
    ["activity", "advice", "agent", "catalog", "event", "interrupt", "main", "order", "state", "tool"];

/// The folder of the copies, in the process that only writes the compiler's messages about them.
const COPIES: &str = "AGUI_UI_COPIES";

#[test]
fn every_mistake_has_its_message() {
    if let Some(copies) = env::var_os(COPIES) {
        return check(Path::new(&copies));
    }
    let compiler = compiler();
    if compiler.starts_with(PINNED) && env::var_os("AGUI_UI_HEADLINES").is_none() {
        check(Path::new("tests/ui"));
        return;
    }
    println!("ui: rustc {compiler}: code and headline are compared; the whole text only by rustc {PINNED}x");
    let compared = compare_headlines();
    println!("ui: {compared} programs, all with their headlines");
}

fn check(folder: &Path) {
    let every = every();
    if every > 1 {
        println!("ui: one of {every} programs; `cargo test-mistakes` compiles all");
    }
    // All of these programs fail: a single one that compiles would make trybuild build all one after the other.
    let cases = trybuild::TestCases::new();
    for kind in FOLDERS {
        for program in programs(&folder.join(kind)).iter().step_by(every) {
            cases.compile_fail(program);
        }
    }
}

/// All programs in CI, in the tier `cargo test-mistakes`, and to write the messages anew; otherwise every eighth: each takes half a
/// second of one processor.
fn every() -> usize {
    let whole =
        ["AGUI_EXHAUSTIVE", "NEXTEST", "TRYBUILD"].iter().any(|variable| env::var_os(variable).is_some());
    if whole { 1 } else { 8 }
}

/// The programs of a folder, in the order of their names.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the programs are there");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    programs.sort();
    programs
}

/// The version of the compiler, such as `1.95.0`.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(&rustc).arg("--version").output().expect("rustc says its version");
    let said = String::from_utf8(said.stdout).expect("a version is text");
    said.split(' ').nth(1).expect("`rustc 1.95.0 (..)`").to_owned()
}

/// Writes this compiler's messages beside copies of the programs, and compares the headlines.
fn compare_headlines() -> usize {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copies = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let _ = fs::remove_dir_all(&copies);
    let mut programs = Vec::new();
    for kind in FOLDERS {
        for program in copy_programs(&package.join("tests/ui").join(kind), &copies.join(kind)) {
            let copy = copies.join(kind).join(program.file_name().expect("a file has a name"));
            programs.push((program.with_extension("stderr"), copy.with_extension("stderr")));
        }
    }
    let done = Command::new(env::current_exe().expect("this program is a file"))
        .args(["--exact", "every_mistake_has_its_message"])
        .env(COPIES, &copies)
        .env("TRYBUILD", "overwrite")
        .status()
        .expect("this program runs");
    assert!(done.success(), "a program that must not compile does, or one that must does not");
    let other: Vec<String> = programs.iter().filter_map(|(expected, said)| differs(expected, said)).collect();
    assert!(
        other.is_empty(),
        "{} of {} have other headlines:\n{}",
        other.len(),
        programs.len(),
        other.join("\n")
    );
    programs.len()
}

/// Copies the programs of a folder, with the modules in the folders inside, and returns the programs.
fn copy_programs(from: &Path, to: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(to).expect("the target folder can be written");
    let mut programs = Vec::new();
    for entry in fs::read_dir(from).expect("the programs are there") {
        let path = entry.expect("the folder can be read").path();
        let copy = to.join(path.file_name().expect("a file has a name"));
        if path.is_dir() {
            copy_programs(&path, &copy);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            fs::copy(&path, &copy).expect("the target folder can be written");
            programs.push(path);
        }
    }
    programs
}

fn differs(expected: &Path, said: &Path) -> Option<String> {
    let (wanted, found) = (headlines(expected), headlines(said));
    (wanted.is_empty() || wanted != found)
        .then(|| format!("{}\n  expected {wanted:#?}\n  found {found:#?}", expected.display()))
}

fn headlines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    text.lines()
        .filter(|line| line.starts_with("error[") || line.starts_with("error:"))
        .map(str::to_owned)
        .collect()
}
