//! A test of this binary, run as a process of its own, which may be limited and killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

/// The file of the child. A test that is a child's does nothing without it.
const FILE: &str = "AGUI_THREADS_FILE";

/// A process with one test, and what it says.
pub(super) struct Process {
    pub(super) child: Child,
    said: BufReader<ChildStderr>,
}

impl Process {
    /// Starts a test of this binary on a file. `before` is the program that runs it with its arguments, or empty.
    pub(super) fn start(before: &[&str], test: &str, file: &Path) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut words = before.iter().map(Path::new).chain([program.as_path()]);
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(["--exact", test, "--nocapture"]).env(FILE, file);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        Self { child, said }
    }

    /// Returns the next whole line that it says; `None` after the last.
    pub(super) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line.strip_suffix('\n').map(str::to_owned)
    }

    /// Returns the next line that begins like this, without its beginning; other lines are in the message of a failure.
    pub(super) fn expect(&mut self, beginning: &str) -> String {
        let mut others = Vec::new();
        while let Some(line) = self.line() {
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.to_owned();
            }
            others.push(line);
        }
        panic!("no line `{beginning}`: {others:#?}");
    }

    /// Lets the child go on.
    pub(super) fn go_on(&mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the file, in the child.
pub(super) fn file() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

/// Says a line to the parent, with one write, which a kill does not cut.
pub(super) fn say(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Waits for the parent.
pub(super) fn wait() {
    std::io::stdin().read_line(&mut String::new()).unwrap();
}
