//! Puts the kernel's sources into modules of the `kernel` test: as they are, and once for each mutant.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

include!("tests/kernel/mutant.rs");

const FILES: &[&str] = &[
    "kernel/mod.rs",
    "kernel/calls.rs",
    "kernel/end.rs",
    "kernel/messages.rs",
    "kernel/scopes.rs",
    "hub.rs",
    "span.rs",
    "fields.rs",
    "ids.rs",
    "clock.rs",
    "peer/mod.rs",
    "peer/legacy.rs",
];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let sources =
        package.join("../agui-runtime/src/emit").canonicalize().expect("the runtime is beside the tests");
    let checks = package.join("tests/kernel");
    println!("cargo::rerun-if-changed={}", checks.join("mutant.rs").display());
    for file in FILES {
        println!("cargo::rerun-if-changed={}", sources.join(file).display());
    }

    let mut variants = String::new();
    variant(&mut variants, "original", &sources, &checks);
    for mutant in MUTANTS {
        let folder = out.join(mutant.name);
        for part in ["kernel", "peer"] {
            fs::create_dir_all(folder.join(part)).expect("the output folder can be written");
        }
        for file in FILES {
            let mut text = fs::read_to_string(sources.join(file)).expect("the kernel's sources can be read");
            if *file == mutant.file {
                let places = text.matches(mutant.from).count();
                assert_eq!(
                    places, 1,
                    "mutant `{}`: `{}` stands {places} times in {file}",
                    mutant.name, mutant.from
                );
                text = text.replacen(mutant.from, mutant.to, 1);
            }
            fs::write(folder.join(file), text).expect("the output folder can be written");
        }
        variant(&mut variants, mutant.name, &folder, &checks);
    }
    variants.push_str("const VARIANTS: &[(&str, fn() -> Option<String>)] = &[");
    for mutant in MUTANTS {
        let _ = write!(variants, "(\"{0}\", {0}::kill), ", mutant.name);
    }
    variants.push_str("];\n");
    fs::write(out.join("variants.rs"), variants).expect("the output folder can be written");
}

/// A module with one copy of the kernel, the lock it is tested with, and the checks.
fn variant(all: &mut String, name: &str, sources: &Path, checks: &Path) {
    let _ = writeln!(all, "#[allow(dead_code, unused, clippy::all)]\nmod {name} {{");
    for file in ["kernel/mod.rs", "hub.rs", "span.rs", "fields.rs", "ids.rs", "clock.rs", "peer/mod.rs"] {
        module(all, file, &sources.join(file));
    }
    for file in ["sync.rs", "rules.rs", "kill.rs"] {
        module(all, file, &checks.join(file));
    }
    if name == "original" {
        module(all, "explore.rs", &checks.join("explore.rs"));
    }
    all.push_str("    pub use clock::Clock;\n    pub(crate) use fields::{EventFields, Fields};\n    pub use ids::Ids;\n");
    all.push_str("    pub use peer::Peer;\n    pub use kill::kill;\n}\n");
}

fn module(all: &mut String, file: &str, path: &Path) {
    let name = file.trim_end_matches("/mod.rs").trim_end_matches(".rs");
    let _ = writeln!(all, "    #[path = {path:?}]\n    pub mod {name};");
}
