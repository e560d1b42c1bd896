//! Generated code in its own language: it compiles, it accepts the values that serde writes, it refuses those that
//! serde refuses, and its clients work.

#![allow(clippy::unwrap_used, clippy::panic)]

mod bundles;
#[path = "../../../../agui-codegen/tests/cases/mod.rs"]
mod cases;
mod catalogs;
mod counts;
mod crates;
mod decimals;
mod encrypted;
mod foreign;
mod hooks;
mod hostile;
mod names;
mod outcomes;
mod python;
mod python_catalogs;
mod questions;
mod reports;
mod strict;
mod threads;
mod typescript;
mod webhooks;
mod zod;

use std::{
    fs,
    path::{Path, PathBuf},
};

use agui_codegen::{
    Manifest,
    emit::LANGUAGES,
    ir::{ApiDecl, OutputOptions},
    lower::lower,
};
use agui_tests::outside::target_dir;

/// A new folder for a test's own files.
fn folder(name: &str) -> PathBuf {
    let folder = target_dir().join("outside/codegen").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the generated files of `case` into `folder`; returns the paths.
fn generate(case: &cases::Case, language: &str, folder: &Path) -> Vec<PathBuf> {
    write(&case.manifest(), language, folder)
}

/// The same with options.
fn generate_with(
    case: &cases::Case,
    language: &str,
    folder: &Path,
    chosen: impl FnOnce(&mut OutputOptions),
) -> Vec<PathBuf> {
    write_with(&case.manifest(), language, folder, chosen)
}

/// Writes the generated files for the agents of `manifest` into `folder`; returns the paths.
fn write(manifest: &Manifest, language: &str, folder: &Path) -> Vec<PathBuf> {
    write_with(manifest, language, folder, |_| {})
}

/// The same with options.
fn write_with(
    manifest: &Manifest,
    language: &str,
    folder: &Path,
    chosen: impl FnOnce(&mut OutputOptions),
) -> Vec<PathBuf> {
    let mut api = lower(manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.krate.name));
    chosen(&mut api.options);
    agui_codegen::rewrite::check(&api).unwrap();
    print(&api, language, folder)
}

/// Writes the files of a language into `folder`; returns the paths.
fn print(api: &ApiDecl, language: &str, folder: &Path) -> Vec<PathBuf> {
    let language = LANGUAGES.iter().find(|known| known.key == language).unwrap();
    let files = language.emit(api).into_iter().map(|file| {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file.text).unwrap();
        path
    });
    files.collect()
}
