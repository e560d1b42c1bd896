//! Building a program and asking it.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use agui_runtime::manifest::hook;
use cargo_metadata::Message;

use super::{ExtractError, Package, Workspace};
use crate::arguments::Source;
use crate::process::Process;

/// How much of what a program said is worth repeating.
const TAIL: usize = 4000;

/// How long nobody wonders what is going on.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a running program is looked at.
const TICK: Duration = Duration::from_millis(2);

/// A program that can be asked.
pub(super) struct Program {
    /// The binary.
    pub(super) name: String,
    /// How cargo is told which one.
    pub(super) select: Vec<OsString>,
    /// Whether it is not the user's own.
    pub(super) is_shim: bool,
}

impl Program {
    /// Builds it as the developer builds it, so that nothing is built twice; gives the command that runs it.
    pub(super) fn build(
        &self,
        workspace: &Workspace,
        package: &Package,
        source: &Source,
    ) -> Result<Command, ExtractError> {
        let mut command = self.cargo("build", workspace, package, source)?;
        command.arg("--message-format=json-render-diagnostics");
        // What the compiler says goes where it always goes, and so does cargo's own progress, which knows when it is wanted.
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(ExtractError::Cargo)?;
        let mut executable = None;
        if let Some(stdout) = child.stdout.take() {
            for message in Message::parse_stream(BufReader::new(stdout)) {
                if let Ok(Message::CompilerArtifact(artifact)) = message
                    && artifact.target.is_bin()
                    && artifact.target.name == self.name
                {
                    executable =
                        artifact.executable.map(cargo_metadata::camino::Utf8PathBuf::into_std_path_buf);
                }
            }
        }
        let status = child.wait().map_err(ExtractError::Cargo)?;
        if !status.success() {
            return Err(ExtractError::Build { package: package.name.clone() });
        }
        let executable = executable.ok_or_else(|| ExtractError::NoProgram {
            package: package.name.clone(),
            binary: self.name.clone(),
        })?;
        // Programs for another machine lie one folder deeper; cargo knows what runs them.
        let is_foreign = executable.parent().and_then(Path::parent) != Some(workspace.target.as_path());
        if is_foreign && !source.host {
            let mut command = self.cargo("run", workspace, package, source)?;
            command.arg("--quiet");
            return Ok(command);
        }
        let mut command = Command::new(executable);
        command.current_dir(&package.folder);
        Ok(command)
    }

    fn cargo(
        &self,
        verb: &str,
        workspace: &Workspace,
        package: &Package,
        source: &Source,
    ) -> Result<Command, ExtractError> {
        let mut command = super::cargo();
        command.arg(verb).args(&self.select).arg("--target-dir").arg(&workspace.target);
        // Run where the package is, so that its `.cargo/config.toml` and `rust-toolchain.toml` apply.
        command.current_dir(&package.folder);
        if let Some(profile) = &source.profile {
            command.args(["--profile", profile]);
        }
        if source.host {
            command.args(["--target", &host()?]);
        } else if let Some(target) = &source.target {
            command.args(["--target", target]);
        }
        if source.offline {
            command.arg("--offline");
        }
        if !self.is_shim {
            // A shim names the features itself, and its lock file has one package more.
            if !source.features.is_empty() {
                command.arg("--features").arg(source.features.join(","));
            }
            for (wanted, option) in [
                (source.all_features, "--all-features"),
                (source.no_default_features, "--no-default-features"),
                (source.locked, "--locked"),
            ] {
                if wanted {
                    command.arg(option);
                }
            }
        }
        Ok(command)
    }
}

/// What rustc calls the machine it runs on.
fn host() -> Result<String, ExtractError> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().map_err(ExtractError::Cargo)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| ExtractError::Cargo(std::io::Error::other("rustc names no host")))
}

/// Runs a program with the request to describe itself in the file `answer`.
pub(super) fn ask(mut command: Command, answer: &Path, limit: Duration) -> Result<(), ExtractError> {
    let program = PathBuf::from(command.get_program());
    command.env(hook::OUT, answer);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|source| ExtractError::Start { program: program.clone(), source })?;
    let mut process = Process(child);
    let lines = listen(&mut process.0);
    let start = Instant::now();
    let mut noted = false;
    let status = loop {
        let status = process.0.try_wait();
        match status.map_err(|source| ExtractError::Lost { program: program.clone(), source })? {
            Some(status) => break Some(status),
            None if start.elapsed() >= limit => break None,
            None => {
                if !noted && start.elapsed() > PATIENCE {
                    noted = true;
                    crate::note(&format!("    Waiting for {} to describe its agents", program.display()));
                }
                std::thread::sleep(TICK);
            }
        }
    };
    drop(process);
    if status.is_some() && answer.exists() {
        return Ok(());
    }
    let tail = tail(&lines);
    Err(match status {
        _ if tail.contains(hook::NONE_YET) => ExtractError::NoAgents { program, tail },
        None => ExtractError::TimedOut { program, seconds: limit.as_secs(), tail },
        Some(status) if status.success() => ExtractError::HookNotReached { program, tail },
        Some(status) => ExtractError::Refused { program, status: status.to_string(), tail },
    })
}

/// The lines of both outputs, as they come.
fn listen(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel();
    let outputs: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|output| Box::new(output) as Box<dyn Read + Send>),
        child.stderr.take().map(|output| Box::new(output) as Box<dyn Read + Send>),
    ];
    for output in outputs.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
    }
    lines
}

/// The end of what was said. A child of the program may hold its outputs open, so nobody waits for their end.
fn tail(lines: &mpsc::Receiver<String>) -> String {
    let mut said: Vec<String> = Vec::new();
    while let Ok(line) = lines.recv_timeout(Duration::from_millis(200)) {
        said.push(line);
    }
    let said = said.join("\n");
    let start = said.len().saturating_sub(TAIL);
    let start = (start..said.len()).find(|&index| said.is_char_boundary(index)).unwrap_or(start);
    match said.get(start..).map(str::trim) {
        None | Some("") => "(nothing)".into(),
        Some(tail) => tail.to_owned(),
    }
}
