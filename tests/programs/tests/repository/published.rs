//! The packages that are published: all files that the packages compile are in them, with their READMEs, and the pictures of texts are files. `cargo
//! package` of all of them compiles them, and `cargo test -p agui-outside --test published` uses them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use agui_programs::workspace_dir;
use serde_json::Value;

use crate::dependencies::{ask, packages};
use crate::{read, rust_files};

/// The packages that are published, as Cargo describes them.
pub fn published() -> Vec<Value> {
    let mut packages = packages();
    packages.retain(|package| package["publish"].is_null());
    assert!(packages.len() >= 8, "{} packages are published", packages.len());
    packages
}

/// The names of the published packages, each with its folder in the repository.
fn folders() -> Vec<(String, String)> {
    let place = |package: Value| {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().strip_prefix(workspace_dir()).unwrap();
        (package["name"].as_str().unwrap().to_owned(), folder.to_str().unwrap().to_owned())
    };
    published().into_iter().map(place).collect()
}

/// The files of a package as it would be published.
fn packaged(package: &str) -> BTreeSet<PathBuf> {
    let list = ask(&["package", "--list", "--allow-dirty", "--package", package]);
    list.lines().map(PathBuf::from).collect()
}

/// The README of each package begins with its name, and its first sentence is more than that.
#[test]
fn the_readmes_and_licenses_are_in_the_packages() {
    // The packages in folders of others have short READMEs: users get them by features.
    for (package, folder) in folders().into_iter().filter(|(_, folder)| !folder.contains('/')) {
        let files = packaged(&package);
        for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.lock"] {
            assert!(files.contains(Path::new(file)), "{package} has no {file}: {files:?}");
        }
        let readme = read(&format!("{folder}/README.md"));
        assert!(readme.starts_with(&format!("# {package}\n\n")), "{package}");
        assert!(readme.lines().nth(2).is_some_and(|line| line.len() > 40), "{package}");
        assert!(readme.contains("```"), "the README of {package} has no example");
    }
}

/// The paths that a file includes, from the folder of the file. Paths that a macro builds are left out.
fn included(text: &str) -> Vec<&str> {
    let starts = ["include_str!(\"", "include_bytes!(\"", "include!(\""];
    let after = starts.iter().flat_map(|start| text.split(start).skip(1));
    after.filter_map(|rest| rest.split('"').next()).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn files_that_sources_include_are_in_the_packages() {
    let mut count = 0;
    for (package, folder) in folders() {
        let files = packaged(&package);
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(files.contains(Path::new(file)), "{package} has no {file}: {files:?}");
        }
        for (name, text) in rust_files(&format!("{folder}/src")) {
            let name = &Path::new("src").join(name);
            assert!(files.contains(name), "{package} does not have {}", name.display());
            // Unit tests are not compiled by users.
            let program = text.split("#[cfg(test)]").next().unwrap();
            for path in included(program) {
                let path = plain(&name.parent().unwrap().join(path));
                assert!(files.contains(&path), "{package}: {} includes {}", name.display(), path.display());
                count += 1;
            }
        }
    }
    assert!(count > 30, "only {count} included files");
    let template = packaged("agui-codegen").into_iter().filter(|file| file.starts_with("template")).count();
    assert!(template > 15, "{template} files of the template");
}

/// The pictures of a text: the words of each, and the rest of its line, `(path)` or `[name]`.
fn pictures(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix("![")?.split_once(']'))
}

/// A page of the guide has its pictures inside, as `[name]: data:…`, because no other files are published with it.
#[test]
fn every_picture_says_what_it_shows_and_is_there() {
    let mut seen = 0;
    for path in crate::files(workspace_dir()) {
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        for (words, place) in pictures(&fs::read_to_string(&path).unwrap()) {
            let at = path.display();
            assert!(words.split(' ').count() > 5, "{at}: `{words}` does not say what is seen");
            if let Some(name) = place.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let page = path.file_name().unwrap().to_str().unwrap();
                let with = format!("\"{page}\" with \"{name}.txt\"");
                assert!(read("agui-runtime/src/guide/mod.rs").contains(&with), "{at} is made without {name}");
                let picture = fs::read_to_string(path.with_file_name(format!("{name}.txt"))).unwrap();
                assert!(picture.starts_with(&format!("[{name}]: data:image/webp;base64,UklGR")), "{name}");
            } else {
                let file = path.parent().unwrap().join(place.trim_matches(['(', ')']));
                let bytes = fs::read(&file).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
                let begins = |with: &[u8]| bytes.starts_with(with);
                assert!(begins(b"\x89PNG") || begins(b"<svg"), "{} is no picture", file.display());
            }
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen} pictures");
}
