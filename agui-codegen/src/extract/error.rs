//! The reasons why no manifest could be read, each with a remedy.

use std::path::PathBuf;

use agui_runtime::manifest::ManifestError;

use crate::hidden::one_line;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ExtractError {
    #[error("cargo metadata: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    #[error("there is no package `{name}` in the workspace; there are: {known}")]
    NoPackage { name: String, known: String },
    #[error(
        "package `{package}` has neither a program nor a library with agents: name a package that \
         has one with `-p PACKAGE`, read a manifest with `--manifest FILE`, or ask a running server with `--url URL`"
    )]
    NoBinary { package: String },
    #[error(
        "package `{package}` has only a library of the kind {kinds}, which no Rust program can link: say \
         `crate-type = [\"lib\", {kinds}]` under `[lib]`, give it a program (`agui-codegen init --program` writes one), or \
         read a manifest with `--manifest FILE`"
    )]
    NotLinkable { package: String, kinds: String },
    #[error(
        "package `{package}` does not depend on `agui-runtime`, so it has no agents: name the package with the agents with `-p`"
    )]
    NoRuntime { package: String },
    #[error("{}: {source}", path.display())]
    Toml { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{url}: {}", one_line(reason))]
    Url { url: String, reason: String },
    #[error("package `{package}` has no binary `{name}`; it has: {known}")]
    UnknownBinary { package: String, name: String, known: String },
    #[error(
        "package `{package}` has several binaries: choose one with `--bin` or `bin = \"…\"` in agui-codegen.toml: {known}"
    )]
    WhichBinary { package: String, known: String },
    #[error("cargo cannot be started: {0}")]
    Cargo(std::io::Error),
    #[error("package `{package}` does not build; see the output of cargo above")]
    Build { package: String },
    #[error("cargo built package `{package}` but named no program for `{binary}`")]
    NoProgram { package: String, binary: String },
    #[error("{} cannot be started: {source}", program.display())]
    Start { program: PathBuf, source: std::io::Error },
    #[error("{} was started, and its exit status cannot be read: {source}", program.display())]
    Lost { program: PathBuf, source: std::io::Error },
    #[error(
        "{} could not describe its agents ({status}); its output:\n{tail}",
        program.display()
    )]
    Refused { program: PathBuf, status: String, tail: String },
    #[error(
        "{} ended without describing its agents: add `#[agui_runtime::main]` to its main function, so that it \
         answers before anything else, and leave out the feature `no-manifest-hook` here; its output:\n{tail}",
        program.display()
    )]
    HookNotReached { program: PathBuf, tail: String },
    #[error(
        "{} has no code that describes its agents: add `#[agui_runtime::main]` to its main function, and leave out the \
         feature `no-manifest-hook` here; its output:\n{tail}",
        program.display()
    )]
    NoHook { program: PathBuf, tail: String },
    #[error(
        "{} still ran after {seconds} s without describing its agents: add `#[agui_runtime::main]` to its main \
         function, so that it answers before anything else, and leave out the feature `no-manifest-hook` here; its \
         output:\n{tail}",
        program.display()
    )]
    TimedOut { program: PathBuf, seconds: u64, tail: String },
    #[error(
        "no agent is linked into {}: write `#[agent]` on one, and use the crate it is in, because the linker drops \
         unused crates; its output:\n{tail}",
        program.display()
    )]
    NoAgents { program: PathBuf, tail: String },
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{from}: {}", one_line(&source.to_string()))]
    Manifest { from: String, source: ManifestError },
}

impl ExtractError {
    /// Returns true if the request is wrong, and not the result.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, Self::NoPackage { .. } | Self::UnknownBinary { .. } | Self::WhichBinary { .. })
    }
}
