//! `agui-codegen dev`, as a developer sees it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use agui_tests::outside::without_package;

/// The limit for a build, or the end of all processes.
const LIMIT: Duration = Duration::from_secs(600);

/// A running command. It and its processes end with this value.
pub(crate) struct Developing {
    command: Child,
    project: PathBuf,
    /// The processes that worked in the project before.
    others: BTreeSet<(String, String)>,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Developing {
    /// Starts the command in `project`, without a terminal; the agent gets a free port.
    pub(crate) fn start(program: &Path, project: &Path) -> Self {
        Self::start_with(program, project, &[])
    }

    /// Does the same with options of the command.
    pub(crate) fn start_with(program: &Path, project: &Path, options: &[&str]) -> Self {
        // The processes are found by their folder, which has one name.
        let project = fs::canonicalize(project).unwrap();
        let others = processes_in(&project);
        let mut command = Command::new(program);
        without_package(&mut command);
        command
            .arg("dev")
            .args(options)
            .current_dir(&project)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("AGUI_MODEL");
        command.env("AGUI_ADDR", free_address());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = command.spawn().unwrap();
        let (sender, lines) = channel();
        pass_on(command.stdout.take().unwrap(), sender.clone());
        pass_on(command.stderr.take().unwrap(), sender);
        Self { command, project, others, lines, said: Vec::new() }
    }

    /// Waits for a line with `text`; returns the lines since the last wait.
    pub(crate) fn says(&mut self, text: &str) -> String {
        let begin = self.said.len();
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no line with `{text}`:\n{}", self.said.join("\n"))
            };
            self.said.push(line);
            if self.said.last().is_some_and(|line| line.contains(text)) {
                return self.said[begin..].join("\n");
            }
        }
    }

    /// Waits for the screen, and returns the address after `name`.
    pub(crate) fn address(screen: &str, name: &str) -> String {
        let line = screen.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in:\n{screen}")).trim().trim_end_matches('/').to_owned()
    }

    /// Sends `signal` (`INT`, as Ctrl-C does, or `TERM`), and waits for the end of the command and of all that it started.
    pub(crate) fn end(mut self, signal: &str, addresses: &[&str]) {
        self.signal(signal);
        let status = self.wait().expect("the command does not end");
        let rest: Vec<String> = self.lines.iter().collect();
        assert_eq!(status.code(), Some(0), "{rest:#?}");
        assert_eq!(rest.last().map(String::as_str), Some("ended"), "{rest:#?}");
        for address in addresses {
            let place = address.strip_prefix("http://").unwrap();
            assert!(TcpStream::connect(place).is_err(), "{address} still listens");
        }
        let left: Vec<_> = processes_in(&self.project).difference(&self.others).cloned().collect();
        assert_eq!(left, [], "processes are left");
    }

    fn signal(&self, name: &str) {
        let kill = ["-c", "kill -\"$0\" \"$1\"", name, &self.command.id().to_string()].map(str::to_owned);
        let sent = Command::new("sh").args(kill).status().unwrap();
        assert!(sent.success());
    }

    fn wait(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + Duration::from_secs(30);
        while Instant::now() < end {
            if let Some(status) = self.command.try_wait().unwrap() {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Developing {
    fn drop(&mut self) {
        // After a failed test the command ends its processes; if it cannot, it is killed alone.
        if self.command.try_wait().is_ok_and(|status| status.is_none()) {
            self.signal("TERM");
            if self.wait().is_none() {
                let _ = self.command.kill();
                let _ = self.command.wait();
            }
        }
    }
}

/// A free address, which connections to other servers do not take while the agent is built or restarted: systems take the ports of
/// connections from 32768 on, or higher.
fn free_address() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).unwrap();
    loop {
        let address = format!("127.0.0.1:{}", first + NEXT.fetch_add(1, Ordering::Relaxed));
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}

fn pass_on(output: impl Read + Send + 'static, lines: Sender<String>) {
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                break;
            }
        }
    });
}

/// The processes that work in a folder, with their ids and command lines. Only Linux says so; elsewhere, there are none.
fn processes_in(folder: &Path) -> BTreeSet<(String, String)> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_there =
        |process: &PathBuf| fs::read_link(process.join("cwd")).is_ok_and(|place| place.starts_with(folder));
    let line = |process: PathBuf| {
        let line = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        (process.display().to_string(), line)
    };
    processes.filter(is_there).map(line).filter(|(_, line)| !line.is_empty()).collect()
}
