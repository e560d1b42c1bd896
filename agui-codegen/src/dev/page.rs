//! The page's development server.

use std::io::{BufRead as _, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::process_groups::{ProcessGroup, ProcessGroups};
use super::{DevError, port, screen};
use crate::config::CodegenConfig;

/// The time in which the server begins to listen.
const LIMIT: Duration = Duration::from_secs(30);

/// The number of ports that are tried if other programs take them at the same time.
const TRIES: usize = 4;

/// The first port that is tried, which the page's `npm run dev` has too.
const PORT: u16 = 5173;

/// A page with a development server.
pub(super) struct DevPage {
    folder: PathBuf,
    /// True if the server is esbuild's, as in the projects of `new`: its options are known.
    is_esbuild: bool,
    running: Option<ProcessGroup>,
}

/// The start of a page's server, as the screen shows it.
pub(super) enum PageStart {
    At(SocketAddr),
    /// The server prints its address itself.
    Elsewhere,
    /// There is no page, for this reason.
    Missing(String),
}

impl DevPage {
    /// Finds the page: the package with a script `dev` above the TypeScript that is generated.
    pub(super) fn find(package: &Path, config: &CodegenConfig) -> Option<Self> {
        let generated = package.join(&config.ts.as_ref()?.out);
        generated.ancestors().skip(1).find_map(|folder| {
            let text = std::fs::read_to_string(folder.join("package.json")).ok()?;
            let description: Value = serde_json::from_str(&text).ok()?;
            let script = description.pointer("/scripts/dev")?.as_str()?;
            let is_esbuild = script.starts_with("esbuild ");
            Some(Self { folder: folder.to_owned(), is_esbuild, running: None })
        })
    }

    /// Starts the server, after the packages were installed.
    pub(super) fn start(&mut self, groups: &ProcessGroups, agent: SocketAddr) -> Result<PageStart, DevError> {
        if !self.folder.join("node_modules").exists()
            && let Some(reason) = self.install(groups)?
        {
            return Ok(PageStart::Missing(reason));
        }
        let mut first = PORT;
        for _ in 1..TRIES {
            let address = port::free(first)?;
            match self.serve(groups, agent, address)? {
                // Another program has taken the port meanwhile.
                PageStart::Missing(reason) if reason.contains("address already in use") => {
                    first = address.port().saturating_add(1);
                }
                start => return Ok(start),
            }
        }
        self.serve(groups, agent, port::free(first)?)
    }

    /// Starts the server at an address.
    fn serve(
        &mut self,
        groups: &ProcessGroups,
        agent: SocketAddr,
        address: SocketAddr,
    ) -> Result<PageStart, DevError> {
        let mut command = npm(&self.folder);
        command.args(["run", "--silent", "dev"]).env("AGUI_URL", screen::url(agent)).stdin(Stdio::null());
        if self.is_esbuild {
            command.args(["--", &format!("--serve={address}")]);
            command.arg(format!("--define:AGUI_URL={}", Value::from(screen::url(agent))));
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        let mut server = match groups.spawn(command) {
            Ok(server) => server,
            Err(error) => return Ok(PageStart::Missing(without_node(&error))),
        };
        let start = match server.stderr.take() {
            None => PageStart::Elsewhere,
            Some(output) => announced(output, address),
        };
        if !matches!(start, PageStart::Missing(_)) {
            self.running = Some(server);
        }
        Ok(start)
    }

    /// Installs the packages of the page; returns the reason if that fails.
    fn install(&self, groups: &ProcessGroups) -> Result<Option<String>, DevError> {
        screen::progress("installing the page's packages: npm install");
        let mut command = npm(&self.folder);
        command.args(["install", "--no-audit", "--no-fund", "--loglevel=error"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        Ok(match groups.spawn(command) {
            Ok(mut npm) => {
                let status = npm.wait()?;
                (!status.success())
                    .then(|| format!("`npm install` in {} ended: {status}", self.folder.display()))
            }
            Err(error) => Some(without_node(&error)),
        })
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns true if the server has ended by itself, once.
    pub(super) fn ended(&mut self) -> Result<bool, DevError> {
        let ended = self.running.as_mut().map_or(Ok(None), ProcessGroup::try_wait)?.is_some();
        if ended {
            self.running = None;
        }
        Ok(ended)
    }
}

/// Waits until esbuild says that it serves the page at `address`, and then shows its errors.
fn announced(output: impl Read + Send + 'static, address: SocketAddr) -> PageStart {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut is_announced = false;
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if is_announced {
                if !is_noise(&line) {
                    screen::foreign(&line);
                }
                continue;
            }
            is_announced = line.contains(&screen::url(address));
            // The receiver waits until the address, or the end of the output.
            let _ = sender.send(line);
        }
    });
    let (mut said, end) = (String::new(), Instant::now() + LIMIT);
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) if line.contains(&screen::url(address)) => return PageStart::At(address),
            Ok(line) => said.push_str(&format!("{line}\n")),
            Err(error) => {
                let event = match error {
                    RecvTimeoutError::Timeout => "does not serve",
                    RecvTimeoutError::Disconnected => "ended",
                };
                return PageStart::Missing(format!("`npm run dev` {event}: {}", said.trim()));
            }
        }
    }
}

/// Returns true for esbuild's lines about requests and builds without errors.
fn is_noise(line: &str) -> bool {
    line.trim().is_empty()
        || line.starts_with("[watch] ")
        || (line.contains(" - \"") && line.ends_with("ms]"))
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

fn without_node(error: &DevError) -> String {
    match error {
        DevError::Start { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            "needs Node.js 20 or newer, which brings npm".to_owned()
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use std::fs;

    use super::*;

    #[test]
    fn a_machine_without_node_has_a_sentence() {
        let start =
            |kind: std::io::ErrorKind| DevError::Start { program: "npm".to_owned(), source: kind.into() };
        let missing = without_node(&start(std::io::ErrorKind::NotFound));
        assert_eq!(missing, "needs Node.js 20 or newer, which brings npm");
        let refused = without_node(&start(std::io::ErrorKind::PermissionDenied));
        assert!(refused.starts_with("npm cannot be started: "), "{refused}");
    }

    #[test]
    fn the_server_is_the_one_that_says_its_address() {
        let address = "127.0.0.1:5173".parse().unwrap();
        let start = |said: &'static str| announced(said.as_bytes(), address);
        let served = start("\n > Local: http://127.0.0.1:5173/\n\n[watch] build finished\n");
        assert!(matches!(served, PageStart::At(at) if at == address));
        let PageStart::Missing(reason) = start("✘ [ERROR] bind: address already in use\n\n") else {
            panic!("the server has ended")
        };
        assert_eq!(reason, "`npm run dev` ended: ✘ [ERROR] bind: address already in use");
        assert!(is_noise("127.0.0.1:50672 - \"GET /\" 200 [0ms]") && is_noise("[watch] build finished"));
        assert!(!is_noise("✘ [ERROR] Unexpected end of file"));
    }

    #[test]
    fn the_page_is_the_package_above_its_client() {
        let folder = std::env::temp_dir().join(format!("agui-dev-page-{}", std::process::id()));
        fs::create_dir_all(folder.join("web/src")).unwrap();
        let config: CodegenConfig = toml::from_str("ts = \"web/src/agui\"\n").unwrap();
        let is_found = |text: &str| {
            fs::write(folder.join("web/package.json"), text).unwrap();
            DevPage::find(&folder, &config).map(|page| page.is_esbuild)
        };
        assert_eq!(is_found("no JSON"), None);
        assert_eq!(is_found(r#"{ "scripts": { "build": "tsc" } }"#), None);
        assert_eq!(is_found(r#"{ "scripts": { "dev": "vite" } }"#), Some(false));
        assert_eq!(is_found(r#"{ "scripts": { "dev": "esbuild src/main.ts" } }"#), Some(true));
        assert!(DevPage::find(&folder, &CodegenConfig::default()).is_none());
        fs::remove_dir_all(&folder).unwrap();
    }
}
