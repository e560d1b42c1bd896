//! The processor time of the commands that contributors and readers wait for, beside the unit: `cargo test --no-run` of crate
//! serde_json, as it is in the registry, with its tests and their dependencies, from nothing. The unit is measured before and after
//! each row, because other load changes it as it changes the row.
//!
//! | row | goal, in units |
//! |---|---|
//! | `recipe`: `cargo build -p recipe`, from nothing | 150 s on the machine where the unit takes [`UNIT`] |
//! | `hello`: `cargo build -p hello`, from nothing | |
//! | `install`: `agui-codegen` as `cargo install` builds the program, from nothing | 200 s, wherever measured |
//! | `provider`: `cargo build -p recipe --features agui-runtime/providers`, after a file of a model provider was touched | |
//! | `features`: `cargo check` of the runtime with each of its features alone, from nothing | |
//! | `tests`: `cargo test`, from nothing | 700 s there |
//! | `tests`: `cargo test` once more | 120 s there |
//!
//! `--clone FOLDER` measures another clone of this repository, such as one of an older commit.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::SystemTime;

use agui_programs::{cargo, target_dir};
use serde_json::Value;

use crate::package::worked;

/// The seconds that the unit takes on the machine for which the goals were set: it needed 245 s for `recipe` when another
/// needed 3.3 units.
const UNIT: f64 = 74.0;

/// The most seconds that a user's machine should work until the generator is installed.
const MOST_TO_INSTALL: f64 = 200.0;

/// The file whose change the row `provider` measures, wherever its clone has that file.
const PROVIDER: &str = "anthropic_reader.rs";

/// Features that only make types of other crates state: one build has all of them, as in CI.
const OF_TYPES: &str = "bytes,chrono,indexmap,jiff,rust_decimal,url,uuid";

/// The clone that is measured.
pub(crate) struct MeasuredClone {
    folder: PathBuf,
    /// The unit after the last row, which is also the one before the next.
    last_unit: Cell<Option<f64>>,
}

impl MeasuredClone {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, last_unit: Cell::new(None) }
    }

    /// Prints the row. Returns true if it is within its goal.
    pub(crate) fn recipe_is_met(&self) -> bool {
        let (took, unit) = self.beside_units(|| self.build_from_nothing("recipe"));
        is_within("recipe", took, unit, 150.0)
    }

    pub(crate) fn print_hello(&self) {
        let (took, unit) = self.beside_units(|| self.build_from_nothing("hello"));
        print("hello", took, unit);
    }

    /// Prints the row. Returns true if it is within its goal, which is in seconds.
    pub(crate) fn install_is_met(&self) -> bool {
        let (took, unit) = self.beside_units(|| {
            clear_built();
            timed(|| run(&mut self.cargo(&["build", "--release", "--package", "agui-codegen"])))
        });
        let verdict = if took <= MOST_TO_INSTALL { "pass" } else { "MISS" };
        println!("install      {took:.0} s, unit {unit:.1} s, goal {MOST_TO_INSTALL:.0} s: {verdict}");
        took <= MOST_TO_INSTALL
    }

    pub(crate) fn print_provider(&self) {
        let (took, unit) = self.beside_units(|| {
            let build = ["build", "--package", "recipe", "--features", "agui-runtime/providers"];
            run(&mut self.cargo(&build));
            self.touch(PROVIDER);
            timed(|| run(&mut self.cargo(&build)))
        });
        print("provider", took, unit);
    }

    pub(crate) fn print_features(&self) {
        let names = self.features_of_runtime();
        let alone = names.iter().map(String::as_str);
        let sets: Vec<_> = ["", OF_TYPES, "client,websocket"].into_iter().chain(alone).collect();
        let (took, unit) = self.beside_units(|| {
            clear_built();
            timed(|| {
                for features in &sets {
                    let check = ["check", "--package", "agui-runtime", "--lib", "--no-default-features"];
                    // Nothing is built twice, as in CI.
                    let mut check = self.cargo(&check);
                    run(check.args(["--features", features]).env("CARGO_INCREMENTAL", "0"));
                }
            })
        });
        println!("features     {} builds", sets.len());
        print("features", took, unit);
    }

    /// Prints the rows. Returns true if both are within their goals, and the tests pass.
    pub(crate) fn tests_are_met(&self) -> bool {
        // A machine that does something else may fail a test, which changes little of what all of them cost.
        let mut failed = 0;
        let ([build, first, again], unit) = self.beside_units(|| {
            clear_built();
            let build = timed(|| run(&mut self.cargo(&["test", "--no-run"])));
            let [first, again] = [(); 2].map(|()| {
                let tests = &mut self.cargo(&["test", "--no-fail-fast"]);
                timed(|| failed += u8::from(!status(tests).success()))
            });
            [build, first, again]
        });
        println!("tests, cold: {build:.0} s to build, {first:.0} s to run; {failed} of 2 runs had failures");
        let cold = is_within("tests, cold", build + first, unit, 700.0);
        is_within("tests, warm", again, unit, 120.0) && cold && failed == 0
    }

    /// Measures the unit before and after `measure`: the mean stands beside what `measure` returns.
    fn beside_units<T>(&self, measure: impl FnOnce() -> T) -> (T, f64) {
        let before = self.last_unit.take().unwrap_or_else(unit);
        let took = measure();
        let after = unit();
        self.last_unit.set(Some(after));
        (took, f64::midpoint(before, after))
    }

    fn build_from_nothing(&self, package: &str) -> f64 {
        clear_built();
        timed(|| run(&mut self.cargo(&["build", "--package", package])))
    }

    /// A command of cargo in the clone, which builds into a folder of its own as contributors build.
    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(&self.folder).args(arguments).arg("--locked").env("CARGO_TARGET_DIR", folder());
        command
    }

    /// Makes a file newer, which cargo takes for a change.
    fn touch(&self, name: &str) {
        let listed = Command::new("git").current_dir(&self.folder).args(["ls-files", "-z"]).output();
        let listed = listed.unwrap_or_else(|cause| panic!("git: {cause}"));
        let listed = String::from_utf8_lossy(&listed.stdout);
        let file = listed.split('\0').find(|path| path.rsplit('/').next() == Some(name));
        let file = self.folder.join(file.unwrap_or_else(|| panic!("the clone has no {name}")));
        let touched = fs::File::options()
            .append(true)
            .open(&file)
            .and_then(|file| file.set_modified(SystemTime::now()));
        touched.unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
    }

    fn features_of_runtime(&self) -> Vec<String> {
        let output = self.cargo(&["metadata", "--no-deps", "--format-version", "1"]).output();
        let output = output.unwrap_or_else(|cause| panic!("cargo metadata: {cause}"));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|cause| {
            panic!("cargo metadata: {cause}: {}", String::from_utf8_lossy(&output.stderr))
        });
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let runtime = packages.iter().find(|package| package["name"] == "agui-runtime");
        let features = runtime.and_then(|runtime| runtime["features"].as_object());
        let features = features.unwrap_or_else(|| panic!("the clone has no package agui-runtime"));
        let measured =
            |name: &&String| *name != "default" && OF_TYPES.split(',').all(|of_types| of_types != *name);
        features.keys().filter(measured).cloned().collect()
    }
}

fn print(row: &str, took: f64, unit: f64) {
    println!("{row:12} {took:.0} s, unit {unit:.1} s: {:.2} units", took / unit);
}

fn is_within(row: &str, took: f64, unit: f64, goal: f64) -> bool {
    let (ratio, goal) = (took / unit, goal / UNIT);
    let verdict = if ratio <= goal { "pass" } else { "MISS" };
    println!("{row:12} {took:.0} s, unit {unit:.1} s: {ratio:.1} units, goal {goal:.1}: {verdict}");
    ratio <= goal
}

/// The seconds that programs work which `work` starts and waits for.
fn timed(work: impl FnOnce()) -> f64 {
    let before = worked();
    work();
    let (Some(before), Some(after)) = (before, worked()) else {
        panic!("processor time is only read on Linux: /proc/self/stat")
    };
    (after - before).as_secs_f64()
}

fn folder() -> PathBuf {
    target_dir().join("compile-time/everyday")
}

/// Removes what was built. The packages of npm and PyPI stay: they come over the network.
fn clear_built() {
    for built in ["debug", "release", "tests"] {
        clear(&folder().join(built));
    }
}

fn clear(folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
    }
}

fn run(command: &mut Command) {
    assert!(status(command).success(), "{command:?} failed");
}

fn status(command: &mut Command) -> ExitStatus {
    command.status().unwrap_or_else(|cause| panic!("cargo: {cause}"))
}

/// The seconds of the unit.
fn unit() -> f64 {
    let here = target_dir().join("compile-time/serde_json");
    clear(&here);
    let around = here.parent().unwrap_or(&here);
    fs::create_dir_all(around).unwrap_or_else(|cause| panic!("{}: {cause}", around.display()));
    let source = source_of_serde_json();
    let status = Command::new("cp").arg("-r").args([&source, &here]).status();
    assert!(status.is_ok_and(|status| status.success()), "cannot copy {}", source.display());
    let manifest = here.join("Cargo.toml");
    let text =
        fs::read_to_string(&manifest).unwrap_or_else(|cause| panic!("{}: {cause}", manifest.display()));
    // The folder is inside of another workspace.
    let text = if text.contains("[workspace]") { text } else { text + "\n[workspace]\n" };
    fs::write(&manifest, text).unwrap_or_else(|cause| panic!("{}: {cause}", manifest.display()));
    let in_it = |arguments: &[&str]| {
        let mut command = cargo();
        command.current_dir(&here).args(arguments).args(["--quiet", "--locked"]);
        command.env("CARGO_TARGET_DIR", here.join("target")).env("CARGO_INCREMENTAL", "0");
        run(&mut command);
    };
    in_it(&["fetch"]);
    timed(|| in_it(&["test", "--no-run"]))
}

/// The folder of the version that the workspace uses, in cargo's copy of the registry.
fn source_of_serde_json() -> PathBuf {
    let output = cargo().args(["metadata", "--format-version", "1", "--locked"]).output();
    let output = output.unwrap_or_else(|cause| panic!("cargo metadata: {cause}"));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|cause| {
        panic!("cargo metadata: {cause}: {}", String::from_utf8_lossy(&output.stderr))
    });
    let packages =
        metadata["packages"].as_array().unwrap_or_else(|| panic!("cargo metadata has no packages"));
    let package = packages.iter().find(|package| package["name"] == "serde_json");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = Path::new(manifest.unwrap_or_else(|| panic!("the workspace does not use serde_json")));
    manifest.parent().unwrap_or(manifest).to_owned()
}
