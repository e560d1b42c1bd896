//! Cargo's options for the build of a package.

use std::path::PathBuf;
use std::process::Command;

use clap::Args;

/// How cargo builds a package.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BuildOptions {
    /// Features to build with.
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Builds with all features.
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Builds without the default features.
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// The profile to build with.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// The target to build for; a program runs as `cargo run` runs it.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Builds in the workspace's folder without `--package`: after `cargo test` there, no crate is built with other features.
    #[arg(long)]
    pub(crate) workspace: bool,
    /// The path of the `Cargo.toml` of the workspace or package.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Fails instead of changing Cargo.lock.
    #[arg(long)]
    pub(crate) locked: bool,
    /// Never uses the network.
    #[arg(long)]
    pub(crate) offline: bool,
}

impl BuildOptions {
    /// Adds the options that concern the package alone: its features and its lock file.
    pub(crate) fn add_package_options(&self, command: &mut Command) {
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        for (given, flag) in [
            (self.all_features, "--all-features"),
            (self.no_default_features, "--no-default-features"),
            (self.locked, "--locked"),
        ] {
            command.args(given.then_some(flag));
        }
    }
}
