//! Building the user's program and asking it.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use agui_runtime::manifest::hook;
use cargo_metadata::Message;

use super::{ExtractError, Package, Workspace};
use crate::arguments::Source;

/// How much of what a program said is worth repeating.
const TAIL: usize = 4000;

/// How often a running program is looked at.
const TICK: Duration = Duration::from_millis(10);

/// Builds one binary as the developer builds it, so that nothing is built twice; gives the program.
pub(super) fn build(
    workspace: &Workspace,
    package: &Package,
    binary: &str,
    source: &Source,
) -> Result<PathBuf, ExtractError> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--message-format=json-render-diagnostics", "--package", &package.name]);
    command.args(["--bin", binary]).arg("--target-dir").arg(&workspace.target);
    // Run where the package is, so that its `.cargo/config.toml` and `rust-toolchain.toml` apply.
    command.current_dir(&package.folder);
    if !source.features.is_empty() {
        command.arg("--features").arg(source.features.join(","));
    }
    if let Some(profile) = &source.profile {
        command.args(["--profile", profile]);
    }
    for (wanted, option) in [
        (source.all_features, "--all-features"),
        (source.no_default_features, "--no-default-features"),
        (source.locked, "--locked"),
        (source.offline, "--offline"),
    ] {
        if wanted {
            command.arg(option);
        }
    }
    // What the compiler says goes where it always goes.
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(ExtractError::Cargo)?;
    let mut executable = None;
    if let Some(stdout) = child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(stdout)) {
            if let Ok(Message::CompilerArtifact(artifact)) = message
                && artifact.target.is_bin()
                && artifact.target.name == binary
            {
                executable = artifact.executable.map(cargo_metadata::camino::Utf8PathBuf::into_std_path_buf);
            }
        }
    }
    let status = child.wait().map_err(ExtractError::Cargo)?;
    if !status.success() {
        return Err(ExtractError::Build { package: package.name.clone() });
    }
    executable
        .ok_or_else(|| ExtractError::NoProgram { package: package.name.clone(), binary: binary.to_owned() })
}

/// Runs `program` with the request to describe itself in the file `answer`.
pub(super) fn ask(program: &Path, folder: &Path, answer: &Path, limit: Duration) -> Result<(), ExtractError> {
    let mut command = Command::new(program);
    command.env(hook::OUT, answer).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        command.spawn().map_err(|source| ExtractError::Start { program: program.to_owned(), source })?;
    let lines = listen(&mut child);
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(TICK),
            // It is told to stop, and if it cannot be told, there is nothing more to do about it.
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let tail = tail(&lines);
    let program = program.to_owned();
    match status {
        None => Err(ExtractError::TimedOut { program, seconds: limit.as_secs(), tail }),
        Some(_) if answer.exists() => Ok(()),
        Some(status) if status.success() => Err(ExtractError::HookNotReached { program, tail }),
        Some(status) => Err(ExtractError::Refused { program, status: status.to_string(), tail }),
    }
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
