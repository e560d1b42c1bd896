//! Builds and runs a program that prints its manifest.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use agui_runtime::manifest::hook;
use cargo_metadata::Message;

use super::{CargoWorkspace, ExtractError, WorkspacePackage};
use crate::arguments::ManifestSource;
use crate::process::ScopedProcess;

/// The limit for a program's output in error messages, in bytes.
const TAIL: usize = 4000;

/// The time after which a program that has not begun to answer is inspected: a program that answers first needs some
/// milliseconds.
const PATIENCE: Duration = Duration::from_millis(700);

/// The interval at which a running program is checked.
const TICK: Duration = Duration::from_millis(2);

/// A program that can print a manifest.
pub(super) struct ManifestProgram {
    /// The binary's name.
    pub(super) name: String,
    /// The options that select the binary for cargo.
    pub(super) select: Vec<OsString>,
    /// True if the program is a shim, and not the user's own program.
    pub(super) is_shim: bool,
}

impl ManifestProgram {
    /// Returns a binary of the package.
    pub(super) fn binary(package: &WorkspacePackage, name: &str, source: &ManifestSource) -> Self {
        let mut select = vec!["--bin".into(), name.into()];
        if !source.build.workspace {
            select.extend(["--package".into(), package.name.clone().into()]);
        }
        Self { name: name.to_owned(), select, is_shim: false }
    }

    /// Builds the program as the developer builds it, so that nothing is built twice. Returns the command that runs the
    /// program, and the executable file.
    pub(super) fn build(
        &self,
        workspace: &CargoWorkspace,
        package: &WorkspacePackage,
        source: &ManifestSource,
    ) -> Result<(Command, PathBuf), ExtractError> {
        let mut command = self.cargo("build", workspace, package, source)?;
        command.arg("--message-format=json-render-diagnostics");
        // Output from the compiler and from cargo goes to the terminal as usual; cargo decides whether to show
        // progress.
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
        // Programs for another target are one folder deeper; cargo knows their runner.
        let is_foreign = executable.parent().and_then(Path::parent) != Some(workspace.target.as_path());
        if is_foreign && !source.host {
            let mut command = self.cargo("run", workspace, package, source)?;
            command.arg("--quiet");
            return Ok((command, executable));
        }
        let mut command = Command::new(&executable);
        command.current_dir(&package.folder);
        Ok((command, executable))
    }

    pub(super) fn cargo(
        &self,
        verb: &str,
        workspace: &CargoWorkspace,
        package: &WorkspacePackage,
        source: &ManifestSource,
    ) -> Result<Command, ExtractError> {
        let mut command = super::cargo();
        command.arg(verb).args(&self.select).arg("--target-dir").arg(&workspace.target);
        // Cargo runs in the package folder, so that the package's `.cargo/config.toml` and `rust-toolchain.toml` apply.
        let is_of_all = source.build.workspace && !self.is_shim;
        command.current_dir(if is_of_all { &workspace.root } else { &package.folder });
        if let Some(profile) = &source.build.profile {
            command.args(["--profile", profile]);
        }
        if source.host {
            command.args(["--target", &host()?]);
        } else if let Some(target) = &source.build.target {
            command.args(["--target", target]);
        }
        if source.build.offline {
            command.arg("--offline");
        }
        if !self.is_shim {
            // A shim names the features itself, and the shim's lock file has one package more.
            source.build.add_package_options(&mut command);
        }
        Ok(command)
    }
}

/// Returns rustc's name for the host machine.
fn host() -> Result<String, ExtractError> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().map_err(ExtractError::Cargo)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| ExtractError::Cargo(std::io::Error::other("rustc names no host")))
}

/// Runs a program with the request to describe itself in `manifest_file`. `executable` is the program's file.
pub(super) fn ask(
    mut command: Command,
    executable: &Path,
    manifest_file: &Path,
    limit: Duration,
) -> Result<(), ExtractError> {
    let program = PathBuf::from(command.get_program());
    command.env(hook::OUT, manifest_file);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|source| ExtractError::Start { program: program.clone(), source })?;
    let mut process = ScopedProcess(child);
    let lines = listen(&mut process.0);
    let wait = wait(&mut process, &program, executable, manifest_file, limit)?;
    drop(process);
    if matches!(wait, ProgramWait::Ended(_)) && manifest_file.exists() {
        return Ok(());
    }
    let tail = tail(&lines);
    Err(match wait {
        _ if tail.contains(hook::NONE_YET) => ExtractError::NoAgents { program, tail },
        ProgramWait::NoHook => ExtractError::NoHook { program, tail },
        ProgramWait::TimedOut => ExtractError::TimedOut { program, seconds: limit.as_secs(), tail },
        ProgramWait::Ended(status) if status.success() => ExtractError::HookNotReached { program, tail },
        ProgramWait::Ended(status) => ExtractError::Refused { program, status: status.to_string(), tail },
    })
}

/// The outcome of waiting for a program.
enum ProgramWait {
    Ended(ExitStatus),
    /// The program's file has no hook, so the program never describes itself.
    NoHook,
    TimedOut,
}

/// Waits until a program ends, and tells the user about a slow program.
fn wait(
    process: &mut ScopedProcess,
    program: &Path,
    executable: &Path,
    manifest_file: &Path,
    limit: Duration,
) -> Result<ProgramWait, ExtractError> {
    let start = Instant::now();
    let mut noted = false;
    loop {
        let status = process.0.try_wait();
        let lost = |source| ExtractError::Lost { program: program.to_owned(), source };
        if let Some(status) = status.map_err(lost)? {
            return Ok(ProgramWait::Ended(status));
        }
        if start.elapsed() >= limit {
            return Ok(ProgramWait::TimedOut);
        }
        if !noted && start.elapsed() > PATIENCE {
            noted = true;
            if has_begun(manifest_file) {
                crate::terminal::note(&format!(
                    "    Waiting for {} to describe its agents",
                    program.display()
                ));
                continue;
            }
            // A program with a hook may take long to reach the hook; a program without a hook never answers.
            if !mentions(executable, hook::OUT.as_bytes()).unwrap_or(true) {
                return Ok(ProgramWait::NoHook);
            }
            crate::terminal::complain_of(&format!(
                "{} does other things before it describes its agents: add `#[agui_runtime::main]` to its main \
                 function, so that it answers first; waiting up to {} s",
                program.display(),
                limit.as_secs()
            ));
        }
        std::thread::sleep(TICK);
    }
}

/// Returns true if the program has begun to write `manifest_file`: programs first write a file beside the final file.
fn has_begun(manifest_file: &Path) -> bool {
    !scratches(manifest_file).is_empty()
}

/// Returns the files that programs write before one is renamed to `manifest_file`.
pub(super) fn scratches(manifest_file: &Path) -> Vec<PathBuf> {
    let name = manifest_file.file_name().unwrap_or_default().as_encoded_bytes();
    let entries = manifest_file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let begins = |path: &PathBuf| {
        path.file_name()
            .and_then(|file| file.as_encoded_bytes().strip_prefix(name))
            .is_some_and(|rest| !rest.is_empty())
    };
    paths.filter(begins).collect()
}

/// Returns true if `file` contains `text`: the executable contains the name when a program reads a variable with that
/// name.
fn mentions(file: &Path, text: &[u8]) -> std::io::Result<bool> {
    let mut file = File::open(file)?;
    let mut buffer = vec![0; 1 << 20];
    let mut kept = 0;
    loop {
        let read = file.read(buffer.get_mut(kept..).unwrap_or_default())?;
        let known = buffer.get(..kept + read).unwrap_or_default();
        if known.windows(text.len()).any(|part| part == text) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // The text may begin in this chunk and end in the next.
        let start = known.len().saturating_sub(text.len());
        kept = known.len() - start;
        buffer.copy_within(start..start + kept, 0);
    }
}

/// Returns the lines from both outputs, as they arrive.
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

/// Returns the last output lines. A child process may keep the pipes open, so this function does not wait until they
/// close.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_text_is_found_across_parts_of_a_file() {
        let path = std::env::temp_dir().join(format!("agui-mentions-{}", std::process::id()));
        for before in [0, 7, (1 << 20) - 5, (1 << 20), (2 << 20) - 12, (2 << 20) - 3] {
            let mut content = vec![b'A'; before];
            content.extend(b"AGUI_MANIFEST_OUT");
            std::fs::write(&path, &content).unwrap();
            assert!(mentions(&path, b"AGUI_MANIFEST_OUT").unwrap(), "{before}");
            content.pop();
            std::fs::write(&path, &content).unwrap();
            assert!(!mentions(&path, b"AGUI_MANIFEST_OUT").unwrap(), "{before}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(mentions(&path, b"A").is_err());
    }
}
