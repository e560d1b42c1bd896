//! The arguments of the command line.

pub(crate) mod build;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use self::build::BuildOptions;
use crate::choices::{OutputChoices, ReactName};
use crate::config::{EXAMPLE, FILE};
use crate::languages::{LanguageFolders, any};

/// The seconds in which a program has to print its manifest.
pub(crate) const TIMEOUT: u64 = 30;

/// TypeScript and Python from the Rust types of an agent.
#[derive(Debug, Parser)]
#[command(version, about, after_help = teach())]
pub(crate) struct CommandArguments {
    #[command(subcommand)]
    pub(crate) command: CodegenCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CodegenCommand {
    /// Writes a new project: an agent, and the clients that you want.
    New(NewArguments),
    /// Builds and runs the agent and its page, and builds again after each change.
    Dev(DevArguments),
    /// Writes the files, or with `--check` only compares.
    Generate(GenerateArguments),
    /// Writes the manifest that everything is generated from.
    Manifest(ManifestArguments),
    /// Writes an `agui-codegen.toml`, and prints the remaining steps.
    Init(InitArguments),
    /// Prints the programs that are missing on this machine, and the files that are out of date in a project.
    Doctor(DoctorArguments),
    /// Prints the script that completes this command's words in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Prints the differences between two manifests that break programs made for the old one.
    Diff(DiffArguments),
    /// Prints the code that the macros generate, formatted.
    #[cfg(feature = "expand")]
    Expand(ExpandArguments),
    /// Prints the code that the macros generate: needs the feature `expand` of this program.
    #[cfg(not(feature = "expand"))]
    Expand(LeftOutArguments),
    /// Writes Rust for the tools that a frontend declares, so that an agent can call them with types.
    #[cfg(feature = "frontend-tools")]
    Rust(RustArguments),
    /// Writes Rust for the tools that a frontend declares: needs the feature `frontend-tools` of this program.
    #[cfg(not(feature = "frontend-tools"))]
    Rust(LeftOutArguments),
    /// Translates one tool, from standard input to standard output: `rust` starts one such process for each tool.
    #[cfg(feature = "frontend-tools")]
    #[command(hide = true)]
    TranslateTool,
}

/// The project builds, runs and has tests, without a key: a script answers in place of a model. On a terminal, the
/// command asks for the parts of the project, unless an option names one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  agui-codegen new my-agent                       asks for the parts
  agui-codegen new my-agent --agent-only          the agent alone
  agui-codegen new my-agent --react --threads     with a page in React, and conversations in a file
  agui-codegen new my-agent --react=copilotkit    with a page in React and CopilotKit
  agui-codegen new my-agent --page --path agui    on a clone of the project in the folder agui

Exit codes:
  0  the project is written
  2  nothing is written")]
pub(crate) struct NewArguments {
    /// The folder of the project, which must not exist. Its last part is the name of the package.
    pub(crate) folder: PathBuf,
    /// A page in TypeScript, without a framework, with a generated client.
    #[arg(long, conflicts_with = "react")]
    pub(crate) page: bool,
    /// A page in React, with generated hooks alone, or with `--react=copilotkit` with CopilotKit's chat.
    #[arg(
        long,
        value_enum,
        value_name = "CHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "plain"
    )]
    pub(crate) react: Option<ReactPageName>,
    /// A client in Python.
    #[arg(long)]
    pub(crate) python: bool,
    /// Conversations that survive a reload and a restart, in a file of SQLite.
    #[arg(long)]
    pub(crate) threads: bool,
    /// None of these parts, without a question.
    #[arg(long, conflicts_with_all = ["page", "react", "python", "threads"])]
    pub(crate) agent_only: bool,
    /// The name of the package; the default is the name of the folder.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// A clone of the project with `agui-runtime`, instead of the registry.
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
}

/// The chat of a new page in React.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReactPageName {
    /// A chat in the project, by hooks without CopilotKit.
    Plain,
    /// CopilotKit's chat; the agent's server serves its requests.
    #[value(name = "copilotkit")]
    CopilotKit,
}

/// Builds the agent, writes the clients, and serves the agent, the page and the inspector. After each change of a source, the agent
/// is built again and takes the place of the old one, and the clients follow the types; if it does not compile, the first error
/// is printed, and the old agent goes on. Conversations go on after a restart: the page or the agent's store has the messages, and
/// open questions stay valid.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  agui-codegen dev                   the agent of this folder, and its page
  agui-codegen dev -p shop           one package of a workspace
  agui-codegen dev --at /chef        an inspector for the agent at /chef
  AGUI_ADDR=0.0.0.0:80 agui-codegen dev    another address, which must be free

Ports that are in use are passed over, unless AGUI_ADDR names one. The page is the package above the TypeScript folder
of agui-codegen.toml, if its package.json has a script `dev`.

Exit codes:
  0  ended by Ctrl-C or SIGTERM
  2  the request cannot be done
  3  the project cannot be read")]
pub(crate) struct DevArguments {
    /// The package with the agent, if there are several.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Option<String>,
    /// The program that serves the agent, if the package has several.
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
    /// The paths of the agents, for the inspector; can be given several times.
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub(crate) at: Vec<String>,
    /// Does not start the page.
    #[arg(long)]
    pub(crate) no_page: bool,
    #[command(flatten)]
    pub(crate) build: BuildOptions,
}

/// In a project it also builds the program and compares the generated files, as `generate --check` does.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0  nothing is missing, and nothing is out of date
  1  something is
  2  the request cannot be done
  3  the project cannot be read")]
pub(crate) struct DoctorArguments {
    /// The package; can be given several times. All packages of the workspace that have agents, if not given.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Vec<String>,
    /// Builds nothing, so that the generated files are not compared.
    #[arg(long)]
    pub(crate) no_build: bool,
    #[command(flatten)]
    pub(crate) build: BuildOptions,
}

/// Without the folder of a language, generates every package that has an `agui-codegen.toml`, as that file says. With
/// `--ts` and the like, generates the languages they name into the folders they give; all other settings come from
/// the file.
#[derive(Debug, Args)]
#[command(after_help = teach())]
pub(crate) struct GenerateArguments {
    #[command(flatten)]
    pub(crate) folders: LanguageFolders,
    #[command(flatten)]
    pub(crate) choices: OutputChoices,
    /// Writes nothing; exits with 1 if any file would change.
    #[arg(long)]
    pub(crate) check: bool,
    /// Generates again whenever a file of the program changes, until you stop it. It knows the files that a build
    /// script reads by the script's `cargo::rerun-if-changed`.
    #[arg(long, conflicts_with_all = ["check", "manifest", "url"])]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) source: ManifestSource,
}

/// The folders are relative to the package.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    #[command(flatten)]
    pub(crate) folders: LanguageFolders,
    /// React hooks beside the TypeScript, on top of CopilotKit's.
    #[arg(long, value_enum, value_name = "VERSION")]
    pub(crate) react: Option<ReactName>,
    /// Writes `src/bin/agui_manifest.rs` as well: a program that prints the manifest, for a package that is only a
    /// library.
    #[arg(long)]
    pub(crate) program: bool,
    #[command(flatten)]
    pub(crate) source: ManifestSource,
}

#[derive(Debug, Args)]
pub(crate) struct ManifestArguments {
    /// The file to write; standard output when not given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: ManifestSource,
}

/// Existing clients read what the agent writes, and the agent reads what existing clients write: each value is compared in its
/// own direction. A new alternative of an enum that the agent writes is a warning, or an error with `--closed`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0  programs made for the old manifest still work
  1  a change breaks them
  2  the request cannot be done
  3  there is no manifest to compare")]
pub(crate) struct DiffArguments {
    /// The manifest that existing programs were made for.
    pub(crate) old: PathBuf,
    /// The manifest that replaces it; without it, the manifest of the program as it is now.
    #[arg(conflicts_with_all = ["manifest", "url", "package", "bin"])]
    pub(crate) new: Option<PathBuf>,
    /// The kind of change to report: changes of the JSON on the wire, or also changes that break the source of programs
    /// that use the generated code.
    #[arg(long, value_enum, default_value_t = LevelName::Wire)]
    pub(crate) level: LevelName,
    /// Treats a new alternative of an enum as a breaking change.
    #[arg(long)]
    pub(crate) closed: bool,
    /// The format of the output.
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    pub(crate) format: FormatName,
    #[command(flatten)]
    pub(crate) source: ManifestSource,
}

/// The command is not in this build of the program.
#[cfg(not(all(feature = "expand", feature = "frontend-tools")))]
#[derive(Debug, Args)]
pub(crate) struct LeftOutArguments {
    /// The arguments of the command, which are not read.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) ignored: Vec<std::ffi::OsString>,
}

/// Compiles the crate once while the macros record their output, and prints that output: exactly the code that the
/// compiler gets. It does not expand derives of other crates, such as serde's.
#[cfg(feature = "expand")]
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  agui-codegen expand price               the output of #[tool] on the function `price`
  agui-codegen expand Chef                the agent, of `#[agent] fn chef` or `#[agent] impl Chef`
  agui-codegen expand src/state.rs        everything in one file
  agui-codegen expand -p shop --bin shop  everything in one program

Exit codes:
  0  it is printed
  2  the request cannot be done
  3  the crate does not build; the output of the macros so far is printed")]
pub(crate) struct ExpandArguments {
    /// The item, by its name or path, or a file; every item when not given.
    pub(crate) item: Option<String>,
    /// The package.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Option<String>,
    /// The package's library; without this and the next options, its library and its binaries.
    #[arg(long, group = "part")]
    pub(crate) lib: bool,
    /// One of the package's binaries.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) bin: Option<String>,
    /// One of the package's examples.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) example: Option<String>,
    /// One of the package's tests.
    #[arg(long, value_name = "NAME", group = "part")]
    pub(crate) test: Option<String>,
    #[command(flatten)]
    pub(crate) build: BuildOptions,
}

/// Each tool becomes a `#[tool(frontend)]` with typed arguments, for an agent to list and to call with
/// `run.call(show_map { .. })`; its answer is a `serde_json::Value`.
#[cfg(feature = "frontend-tools")]
#[derive(Debug, Args)]
#[command(
    after_help = "Where tools.json comes from: it is the value of `tools` in each request of the page, an array of
AG-UI tools. A whole RunAgentInput works as well, and any server can log one. With Zod 4:

  JSON.stringify([{ name: \"show_map\", description: \"…\", parameters: z.toJSONSchema(schema) }])

A tool whose JSON Schema has no exact Rust, or takes too long, takes any object instead: a
warning names it and the reason. The types are tested with values of the schema.

Examples:
  agui-codegen rust --tools tools.json -o src/frontend_tools.rs
  agui-codegen rust --tools tools.json -o src/frontend_tools.rs --check     in CI: writes nothing

  mod frontend_tools;                                                       in the agent
  use frontend_tools::show_map;
  #[agent(tools = [show_map])]

Exit codes:
  0  the file is written, or up to date
  1  --check found that it would change
  2  it cannot be written
  3  the tools cannot be read"
)]
pub(crate) struct RustArguments {
    /// The tools as JSON: an array of AG-UI tools, or the input of a run.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// The file to write; standard output when not given.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Writes nothing; exits with 1 if the file would change.
    #[arg(long, requires = "output")]
    pub(crate) check: bool,
    /// Makes a type of each format, pattern and length of strings; these types need the crates chrono, regress and
    /// uuid.
    #[arg(long)]
    pub(crate) strict_formats: bool,
    /// The time limit for one tool.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) timeout: u64,
}

/// The kinds of change that `diff` reports.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LevelName {
    /// The JSON on the wire.
    Wire,
    /// The names in the generated code as well.
    Source,
}

/// The format in which changes are printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatName {
    /// One line for each change.
    Text,
    /// One JSON object.
    Json,
    /// Annotations of a GitHub workflow.
    Github,
}

/// The source of the manifest: a file, or a program that is built and run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ManifestSource {
    /// Reads this manifest instead of building a program.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["package", "bin", "url"])]
    pub(crate) manifest: Option<PathBuf>,
    /// Fetches the manifest from a running server: `http://localhost:8000/agui/manifest.json`.
    #[arg(long, value_name = "URL", conflicts_with_all = ["package", "bin"])]
    pub(crate) url: Option<String>,
    /// The package whose program has the agents; can be given several times.
    #[arg(short, long, value_name = "PKG")]
    pub(crate) package: Vec<String>,
    /// The binary of the package, if it has several.
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Option<String>,
    #[command(flatten)]
    pub(crate) build: BuildOptions,
    /// Builds for this machine, regardless of `.cargo/config.toml`.
    #[arg(long, conflicts_with = "target")]
    pub(crate) host: bool,
    /// The time limit for the program to print its manifest.
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT)]
    pub(crate) timeout: u64,
}

/// The text after the options: examples, exit codes and settings.
fn teach() -> String {
    let options = any(|key| format!("--{key}"));
    let example: String = EXAMPLE.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "How it works:
  Cargo builds your package's binary. It runs with AGUI_MANIFEST_OUT set to a file: instead of serving,
  a program with #[agui_runtime::main] writes the manifest of its agents there, and ends. The files are
  made from the manifest. For a package with only a library, a program is written to the target folder.

{FILE}, beside the package's Cargo.toml; paths are relative to it:
{example}
An option overrides the file, and the file overrides the defaults; a list replaces a list.
{options} names a language and its folder, and overrides every `out`
of the file; all other settings in the file still apply. Packages with one folder must agree on them.

Examples:
  agui-codegen generate                          every package that has an {FILE}
  agui-codegen generate --check                  the same, in CI: writes nothing
  agui-codegen generate --watch                  the same, after each change of a file
  agui-codegen generate -p shop --ts web/agui    one package, its TypeScript only, to this folder
  agui-codegen generate --ts web/agui            every package that depends on agui-runtime, to one folder

Exit codes:
  0  everything is written, or up to date
  1  --check found files out of date, or diff a breaking change
  2  the request cannot be done
  3  there is no manifest: the program or file cannot be read"
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::CommandArguments::command().debug_assert();
    }
}
