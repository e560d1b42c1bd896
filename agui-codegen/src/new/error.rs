//! The reasons why no project was written.

use std::io;
use std::path::PathBuf;

/// An error: nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NewError {
    #[error("{} has no name for a package at its end: write `agui-codegen new my-agent`", folder.display())]
    NoName { folder: PathBuf },
    #[error("`{name}` cannot be the name of a package: {reason}; {remedy}")]
    Name { name: String, reason: String, remedy: String },
    #[error("{} exists already: choose another name, or remove it", folder.display())]
    Exists { folder: PathBuf },
    #[error(
        "{} has no `agui-runtime/Cargo.toml`: give the folder of a clone of the project with `--path`",
        folder.display()
    )]
    NotTheProject { folder: PathBuf },
    #[error("{} cannot be written: {source}{}", path.display(), remedy(source))]
    Write { path: PathBuf, source: io::Error },
    #[error("{} cannot be resolved: {source}", path.display())]
    Resolve { path: PathBuf, source: io::Error },
    #[error("the answer cannot be read: {0}")]
    Answer(#[source] io::Error),
    #[error("there is no answer: give the parts as options, such as `--page`, or `--agent-only`")]
    NoAnswer,
}

fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied => "; choose a folder in which you may write",
        // The first kind is for a file in the place where a folder would be created.
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => "; a part of its path is a file",
        _ => "",
    }
}
