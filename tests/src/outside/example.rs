//! An example's own server, built and started as a person would, on a port of its own.

use std::{
    collections::HashMap,
    env,
    io::{BufRead as _, BufReader, Read},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use serde_json::Value;
use thiserror::Error;

use super::{cargo, finish};

const BUILD_LIMIT: Duration = Duration::from_secs(1200);
const START_LIMIT: Duration = Duration::from_secs(60);

/// A running server; dropping it, in a failing test too, kills it.
#[derive(Debug)]
pub struct ExampleServer {
    name: String,
    url: String,
    child: Child,
    output: Output,
    /// Disconnected when both pipes are read to their end.
    reading: Mutex<mpsc::Receiver<()>>,
}

/// The reason why a server did not start, with its output.
#[derive(Debug, Error)]
pub enum StartFailure {
    /// The program could not be started.
    #[error("{name} cannot be started: {cause}")]
    Spawn {
        /// The server's name.
        name: String,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// It ended, or closed its output, before it printed its address.
    #[error("{name} ended before it printed its address; it printed:\n{output}")]
    Ended {
        /// The server's name.
        name: String,
        /// Everything it printed.
        output: String,
    },
    /// It printed no address in time.
    #[error("{name} printed no address within {limit:?}; it printed:\n{output}")]
    Silent {
        /// The server's name.
        name: String,
        /// The time limit.
        limit: Duration,
        /// Everything it printed.
        output: String,
    },
}

impl ExampleServer {
    /// Builds the example package `name` (once per test process) and starts it on a free port. Any failure fails the
    /// test, with the output of the build or the server.
    #[must_use]
    pub fn start(name: &str) -> Self {
        Self::start_with(name, &[])
    }

    /// The same with these environment variables; `AGUI_ADDR` names another port than a free one.
    #[must_use]
    pub fn start_with(name: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(example_binary(name));
        command.envs(variables.iter().copied());
        Self::spawn(name, command, START_LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
    }

    /// Starts a server that prints its address, `http://127.0.0.1:PORT`, on a line of its standard output.
    ///
    /// # Errors
    /// [`StartFailure`] when it cannot be started, ends early, or prints no address within `limit`.
    pub fn spawn(name: &str, mut command: Command, limit: Duration) -> Result<Self, StartFailure> {
        let name = name.to_owned();
        if !command.get_envs().any(|(variable, _)| variable == "AGUI_ADDR") {
            command.env("AGUI_ADDR", "127.0.0.1:0");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(cause) => return Err(StartFailure::Spawn { name, cause }),
        };
        let output = Output::default();
        let (found, address) = mpsc::channel();
        let (alive, reading) = mpsc::channel();
        output.keep("out", child.stdout.take(), Some(found), alive.clone());
        output.keep("err", child.stderr.take(), None, alive);

        let mut server =
            Self { name: name.clone(), url: String::new(), child, output, reading: Mutex::new(reading) };
        match address.recv_timeout(limit) {
            Ok(url) => {
                server.url = url;
                Ok(server)
            }
            Err(why) => {
                server.kill();
                let output = server.output();
                Err(match why {
                    mpsc::RecvTimeoutError::Timeout => StartFailure::Silent { name, limit, output },
                    mpsc::RecvTimeoutError::Disconnected => StartFailure::Ended { name, output },
                })
            }
        }
    }

    /// The server's address without a path: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The process, for tests that signal it.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Everything it has printed so far.
    #[must_use]
    pub fn output(&self) -> String {
        self.output.lock().clone()
    }

    /// Returns the status with which it has ended; `None` while it runs.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Returns true if it still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    fn kill(&mut self) {
        // This fails if it has ended already, which is fine.
        drop(self.child.kill());
        drop(self.child.wait());
        // The rest of its output; a child of its own may hold the pipes open, so the wait is limited.
        let reading = self.reading.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = reading.recv_timeout(Duration::from_secs(2));
    }
}

impl Drop for ExampleServer {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            // Through the macro, so that it is part of the failing test's own output.
            #[allow(clippy::print_stderr, reason = "the test fails, and this is why")]
            {
                eprintln!("--- {} printed:\n{}---", self.name, self.output());
            }
        }
    }
}

/// The lines a server printed, kept by threads that end when it closes its pipes.
#[derive(Debug, Default, Clone)]
struct Output(Arc<Mutex<String>>);

impl Output {
    fn lock(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep<R: Read + Send + 'static>(
        &self,
        from: &'static str,
        pipe: Option<R>,
        mut found: Option<mpsc::Sender<String>>,
        alive: mpsc::Sender<()>,
    ) {
        let Some(pipe) = pipe else { return };
        let output = self.clone();
        thread::spawn(move || {
            let _alive = alive;
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line);
                output.lock().push_str(&format!("{from}: {}\n", text.trim_end()));
                if let (Some(url), Some(sender)) = (address_in(&text), &found) {
                    drop(sender.send(url));
                    found = None;
                }
                line.clear();
            }
        });
    }
}

/// The loopback address in a line, without the text after the port. Port 0 is not an address yet.
fn address_in(line: &str) -> Option<String> {
    const START: &str = "http://127.0.0.1:";
    let (_, rest) = line.split_once(START)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| rest.split_at(end).0);
    let port: u16 = digits.parse().ok().filter(|&port| port != 0)?;
    Some(format!("{START}{port}"))
}

/// The program of the workspace's package `name`, built with the profile of the running tests (once per test process).
#[must_use]
pub fn built(name: &str) -> PathBuf {
    example_binary(name)
}

/// The example's program, built with the profile of the running tests.
fn example_binary(name: &str) -> PathBuf {
    static BUILT: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    // Cargo selects the packages of the running test, with one of the smallest tests: crates have the same features, and only
    // the program itself is left to build. The running test must not be built again: its file would be
    // replaced, and a test that starts its own program would not find it.
    let features: &[&str] =
        if cfg!(feature = "optional") { &["--workspace", "--features", "optional"] } else { &[] };
    built
        .get_or_insert_default()
        .entry(name.to_owned())
        .or_insert_with(|| build(name, &[&["--test", "random_key"], features].concat()))
        .clone()
}

fn build(name: &str, targets: &[&str]) -> PathBuf {
    let mut command = cargo();
    command.args(["build", "--locked", "--bin", name, "--profile", &profile()]).args(targets);
    command.args(["--message-format", "json-render-diagnostics"]);
    let finished = finish(command, "", BUILD_LIMIT).assert_success();
    let messages = finished.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| program_of(&message, name));
    programs.next().unwrap_or_else(|| panic!("cargo built no program '{name}': {finished}"))
}

/// The program in a message of cargo, if it is the one called `name`.
fn program_of(message: &Value, name: &str) -> Option<PathBuf> {
    let built = message.pointer("/target/name")? == name;
    let program = message.get("executable")?.as_str()?;
    built.then(|| program.into())
}

/// Tests run from `<target>/<profile folder>/deps/`; only the folder of `dev` is not named like its profile.
fn profile() -> String {
    let program = env::current_exe().unwrap_or_else(|cause| panic!("where is this program? {cause}"));
    let folder = program.parent().and_then(|deps| deps.parent()).and_then(|folder| folder.file_name());
    match folder.and_then(|name| name.to_str()) {
        Some("debug") | None => "dev".to_owned(),
        Some(name) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::address_in;

    #[test]
    fn the_address_is_taken_from_any_line_that_has_one() {
        let address = Some("http://127.0.0.1:40123".to_owned());
        assert_eq!(address_in("listening on http://127.0.0.1:40123/\n"), address);
        assert_eq!(address_in("http://127.0.0.1:40123"), address);
        assert_eq!(address_in("\u{1b}[1mhttp://127.0.0.1:40123\u{1b}[0m"), address);
        assert_eq!(address_in("http://127.0.0.1:0"), None);
        assert_eq!(address_in("http://127.0.0.1:99999"), None);
        assert_eq!(address_in("nothing"), None);
    }
}
