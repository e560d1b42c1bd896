//! The commands of a release, which the workflow runs one after another: they know the published packages and platforms, and refuse a
//! release whose parts do not fit.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Output};

use agui_programs::workspace_dir;
use serde_json::Value;

use crate::published::published;
use crate::read;

/// Runs a command of the release.
fn release(command: &str, arguments: &[&str]) -> Output {
    let command = workspace_dir().join(".github/release").join(command);
    Command::new(command).args(arguments).env("CARGO_NET_OFFLINE", "true").output().unwrap()
}

/// The output of a command of the release that must succeed.
fn said(command: &str, arguments: &[&str]) -> String {
    let output = release(command, arguments);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_workflow_runs_commands_that_are_there() {
    let workflow = read(".github/workflows/release.yml");
    let named: BTreeSet<_> = workflow
        .split(".github/release/")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next())
        .collect();
    for command in &named {
        let file = workspace_dir().join(".github/release").join(command);
        let mode = file.metadata().unwrap_or_else(|error| panic!("{command}: {error}")).permissions().mode();
        assert!(mode & 0o111 != 0, "{command} cannot be run");
    }
    for command in ["binary", "check", "crates", "npm", "semver", "upload", "wheel"] {
        assert!(named.contains(command), "the workflow does not run {command}");
    }
    let (_, upload) = workflow.split_once("\n  upload:\n").unwrap();
    assert!(upload.contains("needs: [crates, npm]") && upload.contains(".github/release/upload"));
}

#[test]
fn the_commands_know_the_published_packages_and_their_version() {
    let packages = said("packages", &[]);
    let names: BTreeSet<_> = packages.split_whitespace().filter(|word| *word != "--package").collect();
    let published = published();
    let expected: BTreeSet<_> = published.iter().map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(names, expected);
    let version = said("version", &[]);
    assert!(published.iter().all(|package| package["version"] == version.trim()), "{version}");
}

#[test]
fn a_release_with_another_tag_is_refused() {
    let output = release("check", &["v99.0.0"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    let version = said("version", &[]);
    let tag = format!("error: the tag is v99.0.0, and Cargo.toml has the version {}\n", version.trim());
    assert!(errors.contains(&tag), "{errors}");
    assert!(!errors.contains("a package asks for another version"), "{errors}");
}

/// `cargo binstall` finds the archive that the command packs.
#[test]
fn the_metadata_of_binstall_names_the_archives() {
    let published = published();
    let codegen = published.iter().find(|package| package["name"] == "agui-codegen").unwrap();
    let metadata = &codegen["metadata"]["binstall"];
    let filled = |key: &str| {
        let text = metadata[key].as_str().unwrap().replace("{ name }", "agui-codegen");
        text.replace("{ bin }{ binary-ext }", "$program").replace("{ target }", "$target")
    };
    let command = read(".github/release/binary");
    assert!(command.contains("name=agui-codegen-$target\n") && command.contains("$folder.tgz"), "{command}");
    assert!(filled("pkg-url").ends_with("/v{ version }/agui-codegen-$target.tgz"), "{metadata}");
    assert_eq!(filled("bin-dir"), "agui-codegen-$target/$program");
}

/// Linux with both libraries of C, macOS and Windows, each once.
#[test]
fn the_platforms_have_packages_of_their_own() {
    let platforms: Value = serde_json::from_str(&said("platforms", &[])).unwrap();
    let targets: BTreeSet<_> =
        platforms.as_array().unwrap().iter().map(|platform| platform["target"].as_str().unwrap()).collect();
    let places: BTreeSet<_> = platforms
        .as_array()
        .unwrap()
        .iter()
        .map(|platform| ["os", "cpu", "libc"].map(|key| platform[key].to_string()))
        .collect();
    assert_eq!(places.len(), platforms.as_array().unwrap().len());
    for end in [
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl",
        "aarch64-apple-darwin",
        "x86_64-apple-darwin",
    ] {
        assert!(targets.contains(end), "{end} is not in {targets:?}");
    }
    assert!(targets.iter().any(|target| target.contains("-windows-")), "{targets:?}");
}
