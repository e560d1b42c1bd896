//! The page's development server.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::process_groups::{ProcessGroup, ProcessGroups};
use super::{DevError, agent, port, screen};
use crate::config::CodegenConfig;

/// The time in which the server begins to listen.
const LIMIT: Duration = Duration::from_secs(30);

const TICK: Duration = Duration::from_millis(20);

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
        let address = port::free(PORT)?;
        let mut command = npm(&self.folder);
        command.args(["run", "--silent", "dev"]).env("AGUI_URL", screen::url(agent));
        if self.is_esbuild {
            let url = Value::from(screen::url(agent));
            command.args(["--", &format!("--serve={address}"), "--log-level=warning"]);
            command.arg(format!("--define:AGUI_URL={url}"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        if !self.is_esbuild {
            command.stdout(Stdio::inherit());
        }
        let mut server = match groups.spawn(command) {
            Ok(server) => server,
            Err(error) => return Ok(PageStart::Missing(without_node(&error))),
        };
        if let Some(output) = server.stderr.take() {
            thread::spawn(move || {
                for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                    screen::foreign(&String::from_utf8_lossy(&line));
                }
            });
        }
        let start = Instant::now();
        while self.is_esbuild && !agent::listens(address) {
            if let Some(status) = server.try_wait()? {
                return Ok(PageStart::Missing(format!("`npm run dev` ended: {status}")));
            }
            if start.elapsed() > LIMIT {
                return Ok(PageStart::Missing(format!("`npm run dev` does not listen at {address}")));
            }
            thread::sleep(TICK);
        }
        self.running = Some(server);
        Ok(if self.is_esbuild { PageStart::At(address) } else { PageStart::Elsewhere })
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

    /// Returns true if the server has ended by itself, once.
    pub(super) fn ended(&mut self) -> Result<bool, DevError> {
        let ended = self.running.as_mut().map_or(Ok(None), ProcessGroup::try_wait)?.is_some();
        if ended {
            self.running = None;
        }
        Ok(ended)
    }
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
    use std::fs;

    use super::*;

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
