//! The running agent.

use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::process_groups::{ProcessGroup, ProcessGroups};
use super::{DevError, GRACE, port, screen};

/// The variable with the key by which the agent recognises its questions.
const SECRET: &str = "AGUI_SECRET";

/// The time in which an agent begins to listen.
const LIMIT: Duration = Duration::from_secs(30);

const TICK: Duration = Duration::from_millis(20);

/// The place in which agents run, one after another.
pub(super) struct AgentPlace {
    pub(super) address: SocketAddr,
    folder: PathBuf,
    /// The same key for each agent, so that open questions stay valid after a restart.
    secret: String,
    running: Option<ProcessGroup>,
}

/// The start of an agent.
pub(super) enum AgentStart {
    Listening,
    /// It runs, and does not listen at the address.
    Deaf,
    Ended(ExitStatus),
}

impl AgentPlace {
    pub(super) fn new(address: SocketAddr, folder: &Path) -> Self {
        let secret = secret(std::env::var(SECRET).ok());
        Self { address, folder: folder.to_owned(), secret, running: None }
    }

    /// Ends the old agent, and starts the new one in its place.
    pub(super) fn start(
        &mut self,
        groups: &ProcessGroups,
        executable: &Path,
    ) -> Result<AgentStart, DevError> {
        if let Some(old) = self.running.take() {
            old.end(GRACE);
        }
        let program = runnable(executable)?;
        let mut command = std::process::Command::new(&program);
        command.current_dir(&self.folder).env(port::VARIABLE, self.address.to_string());
        command.env(SECRET, &self.secret).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut agent = groups.spawn(command)?;
        if let Some(output) = agent.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                    let line = String::from_utf8_lossy(&line);
                    // The screen has the address.
                    if !line.starts_with("AG-UI agent listening on ") {
                        screen::foreign(&line);
                    }
                }
            });
        }
        let start = Instant::now();
        let started = loop {
            if let Some(status) = agent.try_wait()? {
                return Ok(AgentStart::Ended(status));
            }
            if listens(self.address) {
                break AgentStart::Listening;
            }
            if start.elapsed() > LIMIT {
                break AgentStart::Deaf;
            }
            thread::sleep(TICK);
        };
        self.running = Some(agent);
        Ok(started)
    }

    /// Returns the status of an agent that has ended by itself, once.
    pub(super) fn crashed(&mut self) -> Result<Option<ExitStatus>, DevError> {
        let status = self.running.as_mut().map_or(Ok(None), ProcessGroup::try_wait)?;
        if status.is_some() {
            self.running = None;
        }
        Ok(status)
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }
}

/// Returns the user's key, or a random one. An empty variable is not set.
fn secret(users: Option<String>) -> String {
    let random = |_| format!("{:016x}", RandomState::new().hash_one(std::process::id()));
    users.filter(|users| !users.is_empty()).unwrap_or_else(|| (0..4).map(random).collect())
}

/// Returns true if a program listens.
fn listens(address: SocketAddr) -> bool {
    let mut here = address;
    if here.ip().is_unspecified() {
        here.set_ip(if here.is_ipv4() {
            [127, 0, 0, 1].into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        });
    }
    TcpStream::connect_timeout(&here, Duration::from_millis(500)).is_ok()
}

/// Returns the program to run. Windows does not let the linker write a program that runs, so there a copy runs.
fn runnable(executable: &Path) -> Result<PathBuf, DevError> {
    if !cfg!(windows) {
        return Ok(executable.to_owned());
    }
    let copy = executable.with_extension("dev.exe");
    let copied = fs::copy(executable, &copy);
    copied.map_err(|source| DevError::Start { program: executable.display().to_string(), source })?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_key_is_not_set() {
        assert_eq!(secret(Some("mine".to_owned())), "mine");
        let random = [secret(None), secret(Some(String::new()))];
        assert!(random.iter().all(|key| key.len() == 64), "{random:?}");
        assert_ne!(random[0], random[1]);
    }
}
