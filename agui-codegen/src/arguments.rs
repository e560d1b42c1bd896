//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::choices::{Choices, ReactName};
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
    /// Writes an `agui-codegen.toml`, and says what else there is to do.
    Init(Init),
    /// Prints what completes this command's words in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Says what of the difference between two manifests breaks programs made for the old one.
    Diff(Diff),
    /// Prints what the macros make of your code, formatted.
    Expand(Expand),
    /// Writes Rust for the tools a frontend declares, so that an agent can call them typed.
    #[cfg(feature = "frontend-tools")]
    Rust(Rust),
    /// Translates one tool, from standard input to standard output: what `rust` starts for each.
    #[cfg(feature = "frontend-tools")]
    #[command(hide = true)]
    TranslateTool,
}

/// Without `--ts`, `--python` or `--schemas`, every package with an `agui-codegen.toml` is generated as it says there; with
/// them, what they name, and nothing but where it goes is other than in the file.
#[derive(Debug, Args)]
#[command(after_help = teach())]
pub(crate) struct Generate {
    /// Where the TypeScript goes.
    #[arg(long, value_name = "DIR")]
    pub(crate) ts: Option<PathBuf>,
    /// Where the Python goes: the folder is a package.
    #[arg(long, value_name = "DIR")]
    pub(crate) python: Option<PathBuf>,
    /// Where JSON Schema files go: one for each type, and the agent's capabilities.
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: Choices,
    /// Writes nothing; exits with 1 when anything would change.
    #[arg(long)]
    pub(crate) check: bool,
    /// Generates again whenever something changes that the program is made of, until it is stopped. Of what a build script
    /// reads, it knows what the script names with `cargo::rerun-if-changed`.
    #[arg(long, conflicts_with_all = ["check", "manifest", "url"])]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) source: Source,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where the TypeScript goes, relative to the package.
    #[arg(long, value_name = "DIR")]
    pub(crate) ts: Option<PathBuf>,
    /// Where the Python goes.
    #[arg(long, value_name = "DIR")]
    pub(crate) python: Option<PathBuf>,
    /// Where JSON Schema files go.
    #[arg(long, value_name = "DIR")]
    pub(crate) schemas: Option<PathBuf>,
    /// React hooks beside the TypeScript, over those of CopilotKit.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) react: Option<ReactName>,
    /// Writes `src/bin/agui_manifest.rs` as well: a program to be asked, for a package that has only a library.
    #[arg(long)]
    pub(crate) program: bool,
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

/// What the agent writes is read by old clients, and what old clients write is read by the agent: each is compared that
/// way round. A new alternative of an enum that the agent writes is a warning, as long as nobody says `--closed`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0  programs made for the old manifest go on working
  1  something breaks them
  2  what was asked cannot be done
  3  there is no manifest to compare")]
pub(crate) struct Diff {
    /// The manifest that programs in the field were made for.
    pub(crate) old: PathBuf,
    /// The one that is to replace it; without it, that of the program as it is now.
    #[arg(conflicts_with_all = ["manifest", "url", "package", "bin"])]
    pub(crate) new: Option<PathBuf>,
    /// What must not break: what travels, or the source of programs that use the generated code as well.
    #[arg(long, value_enum, default_value_t = LevelName::Wire)]
    pub(crate) level: LevelName,
    /// Takes a new alternative of an enum for a breaking change.
    #[arg(long)]
    pub(crate) closed: bool,
    /// How the changes are printed.
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    pub(crate) format: FormatName,
    #[command(flatten)]
    pub(crate) source: Source,
}

/// Compiles the crate once with the macros writing down what they give, and prints that: exactly what the compiler gets.
/// What derives of other crates make of it, such as serde's, is not expanded.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  agui-codegen expand price               what #[tool] makes of the function `price`
  agui-codegen expand Chef                the agent: of `#[agent] fn chef` as of `#[agent] impl Chef`
  agui-codegen expand src/state.rs        everything in one file
  agui-codegen expand -p shop --bin shop  everything in one program

Exit codes:
  0  it is printed
  2  what was asked cannot be done
  3  it does not build; what the macros gave until then is printed")]
pub(crate) struct Expand {
    /// The item, by its name or path, or a file; everything when not given.
    pub(crate) item: Option<String>,
    /// The package.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Option<String>,
    /// Its library; without this and the next options, its library and its binaries.
    #[arg(long, group = "part")]
    pub(crate) lib: bool,
    /// One of its binaries.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) bin: Option<String>,
    /// One of its examples.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) example: Option<String>,
    /// One of its tests.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) test: Option<String>,
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
    /// The machine to build for.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// The workspace's or package's `Cargo.toml`.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Fails rather than change Cargo.lock.
    #[arg(long)]
    pub(crate) locked: bool,
    /// Never uses the network.
    #[arg(long)]
    pub(crate) offline: bool,
}

/// Each tool becomes a `#[tool(frontend)]` with typed arguments, to be listed by an agent and called with
/// `run.call(show_map { .. })`; what it answers is a `serde_json::Value`.
#[cfg(feature = "frontend-tools")]
#[derive(Debug, Args)]
#[command(
    after_help = "Where tools.json comes from: it is what the page puts into `tools` of each request, an array of
AG-UI tools. A whole RunAgentInput will do as well, as any server can log it. With Zod 4:

  JSON.stringify([{ name: \"show_map\", description: \"…\", parameters: z.toJSONSchema(schema) }])

A tool whose JSON Schema has no exact Rust, or is not done with in time, takes any object instead: a
warning says which and why. What was made has been tried with values of the schema.

Examples:
  agui-codegen rust --tools tools.json -o src/frontend_tools.rs
  agui-codegen rust --tools tools.json -o src/frontend_tools.rs --check     in CI: writes nothing

  mod frontend_tools;                                                       in the agent
  use frontend_tools::show_map;
  #[agent(tools = [show_map])]

Exit codes:
  0  the file is written, or fresh
  1  --check found that it would change
  2  it cannot be written
  3  the tools could not be had"
)]
pub(crate) struct Rust {
    /// The tools as JSON: an array of AG-UI tools, or the input of a run.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// Where the Rust goes; standard output when not given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Writes nothing; exits with 1 when the file would change.
    #[arg(long, requires = "output")]
    pub(crate) check: bool,
    /// Makes types of formats, patterns and lengths of texts; they need the crates chrono, regress and uuid.
    #[arg(long)]
    pub(crate) strict_formats: bool,
    /// How long one tool may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) timeout: u64,
}

/// What must not break.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LevelName {
    /// The JSON that travels.
    Wire,
    /// The names in the generated code as well.
    Source,
}

/// How changes are printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatName {
    /// A line for each.
    Text,
    /// One object.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
}

/// Where the manifest comes from: a file, or a program that is built and run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Source {
    /// Reads this manifest instead of building a program.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["package", "bin", "url"])]
    pub(crate) manifest: Option<PathBuf>,
    /// Asks a server that runs: `http://localhost:8000/agui/manifest.json`.
    #[arg(long, value_name = "URL", conflicts_with_all = ["package", "bin"])]
    pub(crate) url: Option<String>,
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
    /// The machine to build for; the program is run as `cargo run` runs it.
    #[arg(long, value_name = "TRIPLE", conflicts_with = "host")]
    pub(crate) target: Option<String>,
    /// Builds for this machine, whatever `.cargo/config.toml` says.
    #[arg(long)]
    pub(crate) host: bool,
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
  come the files. A package with a library and no binary gets a program around it, in the target folder.

{FILE}, beside the package's Cargo.toml; paths are relative to it:
{example}
An option goes before the file, and the file before what is usual; a list takes the place of a list.
--ts, --python and --schemas say which languages are generated and where to, whatever the file has
as `out`; everything else in the file still holds. Packages that go to one folder must agree on it.

Examples:
  agui-codegen generate                          every package that has an {FILE}
  agui-codegen generate --check                  the same, in CI: writes nothing
  agui-codegen generate --watch                  the same, again and again while you write
  agui-codegen generate -p shop --ts web/agui    one package, its TypeScript alone, to this folder
  agui-codegen generate --ts web/agui            every package that depends on agui-runtime, to one folder

Exit codes:
  0  everything is written, or fresh
  1  --check found something that would change, or diff something that breaks
  2  what was asked cannot be done
  3  the program or file that describes the agents could not be had"
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
