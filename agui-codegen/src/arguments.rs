//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::{EXAMPLE, FILE};

/// TypeScript and Python from the Rust types of an agent.
#[derive(Debug, Parser)]
#[command(version, about, after_help = teach())]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Writes the files, or with `--check` only compares.
    Generate(Generate),
    /// Writes the manifest that everything is generated from.
    Manifest(ManifestOptions),
}

/// Without `--ts` or `--python`, every package with an `agui-codegen.toml` is generated as it says there.
#[derive(Debug, Args)]
#[command(after_help = teach())]
pub(crate) struct Generate {
    /// Where the TypeScript goes.
    #[arg(long, value_name = "DIR")]
    pub(crate) ts: Option<PathBuf>,
    /// Where the Python goes: the folder is a package.
    #[arg(long, value_name = "DIR")]
    pub(crate) python: Option<PathBuf>,
    /// Writes nothing; exits with 1 when anything would change.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) source: Source,
}

#[derive(Debug, Args)]
pub(crate) struct ManifestOptions {
    /// Where it goes; standard output when not given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: Source,
}

/// Where the manifest comes from: a file, or a program that is built and run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Source {
    /// Reads this manifest instead of building a program.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["package", "bin"])]
    pub(crate) manifest: Option<PathBuf>,
    /// The package whose program knows the agents; can be given several times.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Vec<String>,
    /// The binary of the package, where it has several.
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
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
    /// The workspace's or package's `Cargo.toml`.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Fails rather than change Cargo.lock.
    #[arg(long)]
    pub(crate) locked: bool,
    /// Never uses the network.
    #[arg(long)]
    pub(crate) offline: bool,
    /// How long the program may take to describe itself.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) timeout: u64,
}

/// What a list of options does not tell.
fn teach() -> String {
    let example: String = EXAMPLE.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "How it works:
  Your package's binary is built with cargo and run with AGUI_MANIFEST_OUT set to a file: instead of
  serving, a program with #[agui_runtime::main] writes what its agents are there, and ends. From that
  come the files.

{FILE}, beside the package's Cargo.toml; paths are relative to it:
{example}
Examples:
  agui-codegen generate                          every package that has an {FILE}
  agui-codegen generate --check                  the same, in CI: writes nothing
  agui-codegen generate -p shop --ts web/agui    one package, without the file

Exit codes:
  0  everything is written, or fresh
  1  --check found something that would change
  2  something went wrong, and nothing is known"
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
