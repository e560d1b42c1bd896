//! The time of the official packages for the same events, measured in the same run if Node and the packages are there:
//! from the tests, or in the folder that `AGUI_NODE_PACKAGES` names.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Nanoseconds per event.
#[derive(serde::Deserialize)]
pub struct Speed {
    /// To write one on the binary transport.
    pub encode: f64,
    /// To read one there.
    pub decode: f64,
    /// From the bytes of server-sent events to messages and state, for a whole stream.
    pub client: Option<f64>,
}

/// Runs the official packages; returns `None`, and prints a line, if that is not possible.
pub fn measure(frames: &[String]) -> Option<Speed> {
    let speed = packages().and_then(|packages| run(&packages, frames));
    if speed.is_none() {
        println!(
            "the official packages: not measured, because Node or the packages are missing (AGUI_NODE_PACKAGES)"
        );
    }
    speed
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

fn packages() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("AGUI_NODE_PACKAGES") {
        return Some(named.into());
    }
    let mut folders: Vec<PathBuf> = std::fs::read_dir(tests().join("../target/outside"))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|folder| folder.join("node_modules/@ag-ui/proto").is_dir())
        .collect();
    folders.sort();
    folders.pop()
}

fn run(packages: &Path, frames: &[String]) -> Option<Speed> {
    let mut node = Command::new("node")
        .arg("--import")
        .arg(tests().join("node/packages.mjs"))
        .arg(tests().join("oracle/speed.mjs"))
        .env("AGUI_NODE_PACKAGES", packages)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    node.stdin.take()?.write_all(frames.join("\n").as_bytes()).ok()?;
    let output = node.wait_with_output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
