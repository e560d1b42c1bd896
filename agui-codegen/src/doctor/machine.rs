//! The installed programs, and their versions.

use std::process::{Command, Stdio};

use super::{DoctorFinding, FindingStatus};
use crate::extract;

/// The programs that are needed beside Rust.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NeededPrograms {
    /// True if there is a project. Without a project, a missing program that a project may need is only noted.
    pub(super) is_certain: bool,
    pub(super) node: bool,
    pub(super) python: bool,
}

/// A program, and the oldest version that works.
struct RequiredProgram {
    name: &'static str,
    at_least: (u32, u32),
    purpose: &'static str,
    remedy: &'static str,
}

/// Checks each program.
pub(super) fn look(needs: &NeededPrograms) -> Vec<DoctorFinding> {
    let at_least = version_in(env!("CARGO_PKG_RUST_VERSION")).unwrap_or_default();
    let rustc =
        RequiredProgram { name: "rustc", at_least, purpose: "for the agent", remedy: "rustup update stable" };
    let cargo = RequiredProgram { name: "cargo", ..rustc };
    let mut findings =
        vec![look_for(&rustc, Command::new("rustc"), true), look_for(&cargo, extract::cargo(), true)];
    if cfg!(unix) {
        let remedy = "install a C compiler (gcc or clang); on macOS: xcode-select --install";
        let linker = RequiredProgram { name: "cc", at_least: (0, 0), purpose: "to link programs", remedy };
        findings.push(look_for(&linker, Command::new("cc"), true));
    }
    let node = RequiredProgram {
        name: "node",
        at_least: (20, 0),
        purpose: "for a page",
        remedy: "install Node.js 20 or newer, which brings npm",
    };
    let npm = RequiredProgram { name: "npm", at_least: (9, 0), ..node };
    let python = RequiredProgram {
        name: "python3",
        at_least: (3, 11),
        purpose: "for a client in Python",
        remedy: "install Python 3.11 or newer",
    };
    for (program, is_needed) in [(node, needs.node), (npm, needs.node), (python, needs.python)] {
        if is_needed || !needs.is_certain {
            findings.push(look_for(&program, Command::new(program.name), is_needed));
        }
    }
    findings
}

fn look_for(program: &RequiredProgram, command: Command, is_needed: bool) -> DoctorFinding {
    let RequiredProgram { name, at_least: (major, minor), purpose, remedy } = *program;
    let wanted = match (major, minor) {
        (0, 0) => "it".to_owned(),
        _ => format!("{major}.{minor} or newer"),
    };
    let wrong = |found: String| {
        let status = if is_needed { FindingStatus::Missing } else { FindingStatus::Note };
        DoctorFinding::new(status, name, format!("{found}; {wanted} is needed {purpose}")).remedy(remedy)
    };
    match said(command) {
        None => wrong("not found".into()),
        Some(said) => match version_in(&said) {
            Some(version) if version >= (major, minor) => DoctorFinding::new(FindingStatus::Ok, name, said),
            _ if (major, minor) == (0, 0) => DoctorFinding::new(FindingStatus::Ok, name, said),
            _ => wrong(format!("`{said}`")),
        },
    }
}

/// Returns the first line that a program prints about its version; `None` if the program cannot be started or fails.
fn said(mut command: Command) -> Option<String> {
    let output = command.arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Returns the first `major.minor` in a text.
fn version_in(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.trim_start_matches('v').split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version_in("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version_in("v20.20.2"), Some((20, 20)));
        assert_eq!(version_in("Python 3.11.7"), Some((3, 11)));
        assert_eq!(version_in(env!("CARGO_PKG_RUST_VERSION")), Some((1, 88)));
        assert_eq!(version_in("none"), None);
    }
}
