//! Puts the kernel's sources into modules of the tests: as they are, and once more as a copy that has every mutant in it, of which
//! a test chooses one while it runs.

#[path = "mutants/mutator.rs"]
mod mutator;
#[path = "mutants/names.rs"]
mod names;
#[path = "mutants/operators.rs"]
mod operators;
#[path = "mutants/rewrite.rs"]
mod rewrite;
#[path = "mutants/shape.rs"]
mod shape;
#[path = "mutants/site.rs"]
mod site;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use syn::visit_mut::VisitMut as _;

use mutator::Mutator;
use site::Sites;

/// Where the kernel and the hub are.
const SOURCES: &str = "../../agui-runtime/core/src/kernel";

/// The modules that are changed.
const CHANGED: &[&str] = &["machine", "hub", "writers", "reader", "span"];

/// The modules that these import; their tests are elsewhere.
const NEEDED: &[&str] = &["called", "fields", "ids", "question_id", "clock", "peer"];

/// The copy with the mutants, as a module.
const COPY: &str = "mutated";

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let sources = package.join(SOURCES).canonicalize().expect("the runtime is beside the tests");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=mutants");
    for module in CHANGED.iter().chain(NEEDED) {
        println!("cargo::rerun-if-changed={}", place(&sources, module).display());
    }

    let copy = out.join(COPY);
    let mut sites = Sites::default();
    for file in CHANGED.iter().flat_map(|module| files(&sources, module)) {
        let text = fs::read_to_string(sources.join(&file)).expect("the kernel's sources can be read");
        let mut tree = syn::parse_file(&text).expect("the kernel's sources are Rust");
        let name = file.to_str().expect("names of files are text").replace('\\', "/");
        Mutator::new(&mut sites, &name).visit_file_mut(&mut tree);
        write(&copy.join(&file), &prettyplease::unparse(&tree));
    }

    let tests = package.join("tests");
    let rules = &["rules", "kill", "explore"].map(|name| (tests.join("kernel"), name));
    let lock = (tests.join("kernel"), "sync");
    let mut kernel = String::new();
    for (name, folder) in [("original", &sources), (COPY, &copy)] {
        variant(
            &mut kernel,
            name,
            &sources,
            folder,
            &[rules.as_slice(), std::slice::from_ref(&lock)].concat(),
        );
    }
    write(&out.join("variants.rs"), &kernel);

    let scenarios = &[(tests.join("wakers"), "sync"), (tests.join("wakers"), "scenarios")];
    let mut wakers = String::new();
    for (name, folder) in [("original", &sources), (COPY, &copy)] {
        variant(&mut wakers, name, &sources, folder, scenarios);
    }
    write(&out.join("wakers.rs"), &wakers);
    write(&out.join("sites.rs"), &table(&sites));
    let names: Vec<_> = rewrite::REWRITES.iter().map(|rewrite| rewrite.name).collect();
    write(&out.join("rewrites.rs"), &format!("const REWRITES: &[&str] = &{names:?};\n"));
}

/// A module with a copy of the kernel, and what tests it.
fn variant(all: &mut String, name: &str, sources: &Path, changed: &Path, tests: &[(PathBuf, &str)]) {
    let _ = writeln!(all, "#[allow(dead_code, unused, clippy::all, clippy::pedantic)]\nmod {name} {{");
    let changed = CHANGED.iter().map(|module| (changed, *module));
    let needed = NEEDED.iter().map(|module| (sources, *module));
    let tests = tests.iter().map(|(folder, module)| (folder.as_path(), *module));
    for (folder, module) in changed.chain(needed).chain(tests) {
        let folded = folder.join(module).join("mod.rs");
        let path = if folded.is_file() { folded } else { folder.join(format!("{module}.rs")) };
        let _ = writeln!(all, "    #[path = {path:?}]\n    pub mod {module};");
    }
    all.push_str("    pub use clock::Clock;\n");
    all.push_str("    pub(crate) use fields::{EventFields, WriteFields};\n    pub use ids::Ids;\n");
    all.push_str("    pub use peer::Peer;\n}\n");
}

/// The places that can be changed, in the order of their numbers.
fn table(sites: &Sites) -> String {
    let mut text = "pub const SITES: &[Site] = &[\n".to_owned();
    for site in sites.all() {
        let site::Site { file, function, operator, ordinal } = site;
        let _ = writeln!(
            text,
            "    Site {{ file: {file:?}, function: {function:?}, operator: {operator:?}, ordinal: {ordinal} }},"
        );
    }
    text.push_str("];\n");
    text
}

/// Only changed files are written, so that the next build has nothing to do.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the output folder can be written");
}

/// Where a module is: a folder or a file.
fn place(folder: &Path, module: &str) -> PathBuf {
    let folded = folder.join(module);
    if folded.is_dir() { folded } else { folder.join(format!("{module}.rs")) }
}

/// The files of a module, from the sources' folder on, in the order of their names.
fn files(sources: &Path, module: &str) -> Vec<PathBuf> {
    let place = place(sources, module);
    let mut paths: Vec<PathBuf> = if place.is_dir() {
        let entries = fs::read_dir(place).expect("the kernel's sources can be read");
        entries.map(|entry| entry.expect("the kernel's sources can be read").path()).collect()
    } else {
        vec![place]
    };
    paths.sort();
    let relative = |path: PathBuf| path.strip_prefix(sources).expect("it is in there").to_path_buf();
    paths.into_iter().map(relative).collect()
}
