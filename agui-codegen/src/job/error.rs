//! Job errors.

use std::path::PathBuf;

use agui_codegen::LowerError;
use agui_codegen::rewrite::ChoiceError;

use crate::config::{ConfigError, FILE};
use crate::disk::DiskError;
use crate::extract::ExtractError;
use crate::hidden::one_line;
use crate::languages::any_option;

/// An error: nothing was generated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error(transparent)]
    Extract(#[from] ExtractError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("{}: {source}", one_line(krate))]
    Lower { krate: String, source: LowerError },
    #[error("{}: {source}", one_line(krate))]
    Choice { krate: String, source: ChoiceError },
    #[error(
        "`{option}` is for {language}, which is not generated: add `--{key} DIR`, or `{key} = \"DIR\"` in `{FILE}`"
    )]
    ChoiceWithoutFolder { option: &'static str, language: &'static str, key: &'static str },
    #[error(
        "`{first}` and `{second}` are generated into one folder, but each `{FILE}` has other options: write the options on the command line, or generate each package into a folder of its own with `-p`"
    )]
    ChoicesDiffer { first: String, second: String },
    #[error(
        "`{first}` and `{second}` both have {} for their {language} in `{FILE}`, where each would remove the other's files: \
         give them folders of their own, or generate both at once with `--{key} DIR`",
        folder.display()
    )]
    OneFolder { first: String, second: String, language: &'static str, key: &'static str, folder: PathBuf },
    #[error("name a folder for the files: {}", any_option())]
    NoFolder,
    #[error(
        "no package has an `{FILE}`: put one beside its Cargo.toml with a line such as `ts = \"web/agui\"`, or say {}",
        any_option()
    )]
    NoConfig,
    #[error("package `{0}` has no `{FILE}`: add one, or add {options}", options = any_option())]
    NoConfigFor(String),
    #[error(
        "no package of the workspace depends on `agui-runtime`, so none has agents: read a manifest with `--manifest \
         FILE`, or ask a running server with `--url URL`"
    )]
    NoPackage,
    #[error("this needs one package; choose it with `-p`: {0}")]
    WhichPackage(String),
    #[error("{} cannot be read or written: {source}", path.display())]
    Output { path: PathBuf, source: std::io::Error },
}
