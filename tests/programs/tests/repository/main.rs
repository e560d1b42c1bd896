//! The repository as a whole: what its documents promise is there, modules keep to their floors, packages bring the crates that
//! they should, and the text is plain English.
#![allow(
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod dependencies;
mod documents;
mod events;
mod examples;
mod floors;
mod metadata;
mod neighbours;
mod prose;
mod published;
mod release;
mod skill;
mod surface;
mod words;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};

use agui_programs::workspace_dir;

/// A file of the repository.
fn read(file: &str) -> String {
    let path = workspace_dir().join(file);
    fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}

/// The files below a folder, sorted, without those that were built or installed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !path.is_dir() {
            found.push(path);
        } else if !matches!(name, ".git" | ".venv" | "__pycache__" | "dist" | "node_modules" | "target") {
            found.extend(files(&path));
        }
    }
    found.sort();
    found
}

/// The Rust files below a folder of the repository, each with its path from there and its text.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    let root = workspace_dir().join(folder);
    let files = files(&root).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let named = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap())
    };
    files.map(named).collect()
}

/// The sources of a package, and of those in its folder.
fn sources(package: &str) -> Vec<(String, String)> {
    let mut files = rust_files(package);
    files.retain(|(file, _)| file.starts_with("src/") || file.contains("/src/"));
    files
}

/// Readers are promised a whole support desk in so few lines beside its domain: its orders, its script and its page know nothing of the
/// protocol. The routes that serve the files of the page (`page.rs`) are not counted among the lines.
#[test]
fn the_desk_has_forty_five_lines_beside_its_domain() {
    let program = read("examples/desk/src/main.rs");
    for part in ["#[tool]", "#[tool(approval)]", "state = Case", "run.chat(model)", "Server::new()"] {
        assert!(program.contains(part), "{part}");
    }
    assert!(program.lines().count() <= 45, "{}", program.lines().count());
    for domain in ["shop.rs", "script.rs", "page.rs"] {
        let code = read(&format!("examples/desk/src/{domain}"));
        for glue in ["Run<", "Input<", "#[tool", "#[agent", "Event", "ToolCall", "reqwest"] {
            assert!(!code.contains(glue), "{domain} has `{glue}`");
        }
    }
}

/// Readers are promised an agent behind bearer tokens, with a tool that knows its customer, of this length.
#[test]
fn the_agent_behind_bearer_tokens_has_forty_lines() {
    let program = read("examples/members/src/main.rs");
    assert!(program.contains("#[request]") && program.lines().count() <= 40, "{}", program.lines().count());
}
