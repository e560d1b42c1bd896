//! Puts the kernel's sources into modules of the `kernel` test: as they are, and once for each mutant.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

include!("tests/kernel/mutant.rs");

/// What the kernel and the hub are made of.
const MODULES: &[&str] = &[
    "kernel",
    "hub",
    "writers",
    "reader",
    "request_values",
    "span",
    "fields",
    "ids",
    "question_id",
    "clock",
    "peer",
];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let sources =
        package.join("../agui-runtime/src/emit").canonicalize().expect("the runtime is beside the tests");
    let checks = package.join("tests/kernel");
    println!("cargo::rerun-if-changed={}", checks.join("mutant.rs").display());
    for module in MODULES {
        println!("cargo::rerun-if-changed={}", place(&sources, module).display());
    }

    let files: Vec<PathBuf> = MODULES.iter().flat_map(|module| files(&sources, module)).collect();
    let mut variants = String::new();
    variant(&mut variants, "original", &sources, &checks);
    for mutant in MUTANTS {
        let folder = out.join(mutant.name);
        let mut places = 0;
        for file in &files {
            let mut text = fs::read_to_string(sources.join(file)).expect("the kernel's sources can be read");
            if file == Path::new(mutant.file) {
                places = text.matches(mutant.from).count();
                text = text.replacen(mutant.from, mutant.to, 1);
            }
            let copy = folder.join(file);
            fs::create_dir_all(copy.parent().expect("it is in a folder")).expect("the folder can be made");
            fs::write(copy, text).expect("the output folder can be written");
        }
        assert_eq!(
            places, 1,
            "mutant `{}`: `{}` stands {places} times in {}",
            mutant.name, mutant.from, mutant.file
        );
        variant(&mut variants, mutant.name, &folder, &checks);
    }
    variants.push_str(
        "#[allow(clippy::type_complexity)]\nconst VARIANTS: &[(&str, fn(u8) -> Option<String>)] = &[",
    );
    for mutant in MUTANTS {
        let _ = write!(variants, "{UNLINTED}(\"{0}\", {0}::kill), ", mutant.name);
    }
    variants.push_str("];\n");
    fs::write(out.join("variants.rs"), variants).expect("the output folder can be written");
    fs::write(out.join("wakers.rs"), wakers(&out, &sources, &package.join("tests")))
        .expect("the output folder can be written");
}

/// Before what clippy does not see.
const UNLINTED: &str = "#[cfg(not(clippy))] ";

/// The mutants that forget to wake somebody.
const FORGETFUL: &[&str] = &[
    "call_not_passed_on",
    "batch_not_given_back",
    "sleeping_reader_calls_nobody",
    "reader_not_woken",
    "end_wakes_nobody",
    "restaters_not_woken",
];

/// The kernel and the hub with loom's lock: as they are, and once for each mutant that forgets to wake somebody.
fn wakers(out: &Path, sources: &Path, tests: &Path) -> String {
    let mut all = String::new();
    let mutants = FORGETFUL.iter().map(|name| (*name, out.join(name)));
    for (name, folder) in [("original", sources.to_path_buf())].into_iter().chain(mutants) {
        assert!(folder.is_dir(), "there is no mutant `{name}`");
        open_module(&mut all, name);
        for module in MODULES {
            write_module(&mut all, &folder, module);
        }
        write_module(&mut all, &tests.join("kernel"), "emit");
        for module in ["sync", "scenarios"] {
            write_module(&mut all, &tests.join("wakers"), module);
        }
        all.push_str("    pub use clock::Clock;\n    pub(crate) use emit::Emit;\n");
        all.push_str("    pub(crate) use fields::{EventFields, Fields};\n    pub use ids::Ids;\n");
        all.push_str("    pub use peer::Peer;\n    pub use request_values::RequestValues;\n}\n");
    }
    all.push_str("const MUTANTS: &[(&str, Scenarios)] = &[");
    for name in FORGETFUL {
        let _ = write!(all, "{UNLINTED}(\"{name}\", {name}::scenarios::SCENARIOS), ");
    }
    all.push_str("];\n");
    all
}

/// A module with one copy of the kernel, the lock it is tested with, and the checks.
fn variant(all: &mut String, name: &str, sources: &Path, checks: &Path) {
    open_module(all, name);
    for module in MODULES {
        write_module(all, sources, module);
    }
    for module in ["sync", "emit", "rules", "kill"] {
        write_module(all, checks, module);
    }
    if name == "original" {
        write_module(all, checks, "explore");
    }
    all.push_str("    pub use clock::Clock;\n    pub(crate) use emit::Emit;\n");
    all.push_str("    pub(crate) use fields::{EventFields, Fields};\n    pub use ids::Ids;\n");
    all.push_str(
        "    pub use kill::kill;\n    pub use peer::Peer;\n    pub use request_values::RequestValues;\n}\n",
    );
}

/// To look for lints in eighty copies of what is looked at elsewhere takes more than a minute.
fn open_module(all: &mut String, name: &str) {
    let gate = if name == "original" { "" } else { UNLINTED };
    let _ = writeln!(all, "{gate}#[allow(dead_code, unused, clippy::all, clippy::pedantic)]\nmod {name} {{");
}

fn write_module(all: &mut String, folder: &Path, name: &str) {
    let folded = folder.join(name).join("mod.rs");
    let path = if folded.is_file() { folded } else { folder.join(format!("{name}.rs")) };
    let _ = writeln!(all, "    #[path = {path:?}]\n    pub mod {name};");
}

/// Where a module is: a folder or a file.
fn place(folder: &Path, module: &str) -> PathBuf {
    let folded = folder.join(module);
    if folded.is_dir() { folded } else { folder.join(format!("{module}.rs")) }
}

/// The files of a module, from the sources' folder on.
fn files(sources: &Path, module: &str) -> Vec<PathBuf> {
    let place = place(sources, module);
    let paths = if place.is_dir() {
        let entries = fs::read_dir(place).expect("the kernel's sources can be read");
        entries.map(|entry| entry.expect("the kernel's sources can be read").path()).collect()
    } else {
        vec![place]
    };
    let relative = |path: PathBuf| path.strip_prefix(sources).expect("it is in there").to_path_buf();
    paths.into_iter().map(relative).collect()
}
