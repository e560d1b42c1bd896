//! `agui-codegen new`: the projects that it refuses to write, and where a project may lie.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Ended, folder, run};

/// The root of this repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn manifest(folder: &Path) -> toml::Table {
    fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap()
}

/// Fails unless the command has written nothing, with this error.
fn assert_refused(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let before = fs::read_dir(folder).unwrap().count();
    run(folder, &[&["new"], arguments].concat()).assert(2, parts);
    assert_eq!(fs::read_dir(folder).unwrap().count(), before, "{arguments:?} has written something");
}

#[test]
fn a_project_is_for_this_version_from_the_registry() {
    let folder = folder("new-registry");
    run(&folder, &["new", "below/my-agent", "--agent-only"])
        .assert(0, &["wrote below/my-agent: an agent\n", "cd below/my-agent\n", "agui-codegen dev"]);
    let manifest = manifest(&folder.join("below/my-agent"));
    assert_eq!(manifest["package"]["name"].as_str(), Some("my-agent"));
    let runtime = manifest["dependencies"]["agui-runtime"].as_table().unwrap();
    assert_eq!(runtime["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    assert!(!runtime.contains_key("path"));
}

#[test]
fn without_a_terminal_and_options_it_is_the_agent_alone() {
    let folder = folder("new-silent");
    run(&folder, &["new", "quiet"]).assert(0, &["wrote quiet: an agent\n"]);
    let readme = fs::read_to_string(folder.join("quiet/README.md")).unwrap();
    assert!(readme.starts_with("# quiet\n") && !readme.contains("npm"), "{readme}");
}

#[test]
fn a_path_leads_from_the_project_to_the_clone() {
    let folder = folder("new-path");
    fs::create_dir_all(folder.join("agui/agui-runtime")).unwrap();
    fs::write(folder.join("agui/agui-runtime/Cargo.toml"), "").unwrap();
    let path = |project: &str| {
        let manifest = manifest(&folder.join(project));
        manifest["dependencies"]["agui-runtime"]["path"].as_str().unwrap().to_owned()
    };
    run(&folder, &["new", "beside", "--page", "--path", "agui"]).assert(0, &["an agent, a page\n"]);
    assert_eq!(path("beside"), "../agui/agui-runtime");
    run(&folder, &["new", "a/b/below", "--agent-only", "--path", "./agui"]).assert(0, &[]);
    assert_eq!(path("a/b/below"), "../../../agui/agui-runtime");
    let inside = folder.join("agui");
    run(&inside, &["new", "../above", "--agent-only", "--path", "."]).assert(0, &[]);
    assert_eq!(path("above"), "../agui/agui-runtime");
    let absolute = inside.to_str().unwrap();
    run(&folder, &["new", "absolute", "--agent-only", "--path", absolute]).assert(0, &[]);
    assert_eq!(path("absolute"), format!("{absolute}/agui-runtime"));
    assert_refused(
        &folder,
        &["other", "--agent-only", "--path", "a"],
        &["a has no `agui-runtime/Cargo.toml`", "--path"],
    );
}

#[test]
fn names_that_cargo_refuses_are_refused_before_anything_is_written() {
    let folder = folder("new-names");
    for (name, reason) in [
        ("match", "`match` cannot be the name of a package: it is a keyword of Rust"),
        ("2fast", "it begins with `2`"),
        ("my agent", "it has the character ` `"),
        ("serde", "a crate that the project uses has this name"),
        ("..", "has no name for a package"),
    ] {
        assert_refused(&folder, &[name, "--agent-only"], &[reason]);
    }
    assert_refused(&folder, &["fine", "--agent-only", "--name", "async"], &["choose another `--name`"]);
    // The name that the message proposes is accepted.
    run(&folder, &["new", "2fast", "--agent-only"]).assert(2, &["--name agent-2fast"]);
    run(&folder, &["new", "2fast", "--agent-only", "--name", "agent-2fast"]).assert(0, &["wrote 2fast"]);
    assert_eq!(manifest(&folder.join("2fast"))["package"]["name"].as_str(), Some("agent-2fast"));
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let folder = folder("new-options");
    assert_refused(&folder, &["a", "--page", "--react"], &["cannot be used with"]);
    assert_refused(&folder, &["a", "--agent-only", "--threads"], &["cannot be used with"]);
    assert_refused(&folder, &[], &["<FOLDER>"]);
}

#[test]
fn a_page_in_react_has_a_chat_of_its_own_or_copilotkits() {
    let folder = folder("new-react");
    let package = |name: &str| fs::read_to_string(folder.join(name).join("web/package.json")).unwrap();
    for (name, option, said) in [
        ("own", "--react", "an agent, a page in React\n"),
        ("plain", "--react=plain", "an agent, a page in React\n"),
        ("copilotkit", "--react=copilotkit", "an agent, a page in React with CopilotKit\n"),
    ] {
        // An option without a value does not take the folder.
        run(&folder, &["new", option, name]).assert(0, &[said]);
        assert_eq!(package(name).contains("@copilotkit/react-core"), name == "copilotkit", "{name}");
    }
    // The inspector asks for the agent's path.
    run(&folder, &["new", "again", "--react=copilotkit"]).assert(0, &["agui-codegen dev --at /assistant"]);
    assert_refused(&folder, &["a", "--react=vue"], &["possible values: plain, copilotkit"]);
    assert_refused(&folder, &["a", "--page", "--react=copilotkit"], &["cannot be used with"]);
}

#[test]
fn an_existing_folder_stays_as_it_is() {
    let folder = folder("new-exists");
    fs::create_dir(folder.join("there")).unwrap();
    fs::write(folder.join("there/notes.txt"), "mine").unwrap();
    fs::write(folder.join("file"), "mine").unwrap();
    for name in ["there", "file"] {
        assert_refused(
            &folder,
            &[name, "--agent-only"],
            &["exists already: choose another name, or remove it"],
        );
    }
    assert_eq!(fs::read_to_string(folder.join("there/notes.txt")).unwrap(), "mine");
    assert_refused(
        &folder,
        &["file/below", "--agent-only"],
        &["file/below cannot be written", "a part of its path is a file"],
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.join("link")).unwrap();
        assert_refused(&folder, &["link", "--agent-only"], &["exists already"]);
    }
}

/// As a user who may not write there. Root may write everywhere, so that root becomes another user.
#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_named() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let folder = std::env::temp_dir().join(format!("agui-new-{}", std::process::id()));
    fs::create_dir_all(folder.join("closed")).unwrap();
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    // By a process of its own: a program that another test starts meanwhile would hold the file open for writing, so it
    // could not be run.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_agui-codegen")).arg(&folder).status().unwrap();
    assert!(copied.success());
    let mut command = Command::new(folder.join("agui-codegen"));
    command.current_dir(&folder).args(["new", "closed/my-agent", "--agent-only"]);
    if fs::metadata(&folder).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    for part in ["closed/my-agent cannot be written", "choose a folder in which you may write"] {
        assert!(said.contains(part), "no {part:?} in: {said}");
    }
}

#[test]
fn inside_of_a_workspace_it_is_a_member_or_apart() {
    let folder = folder("new-workspace");
    fs::write(folder.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"agents/*\"]\n")
        .unwrap();
    let clone = repository();
    let new = |project: &str| {
        run(&folder, &["new", project, "--agent-only", "--path", clone.to_str().unwrap()]).assert(0, &[]);
        let project = folder.join(project);
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(&project);
        assert!(cargo.output().unwrap().status.success(), "cargo does not accept {}", project.display());
        manifest(&project).contains_key("workspace")
    };
    assert!(!new("agents/member"), "it is a member of the workspace above");
    assert!(new("apart"), "no list of members has it");
}

/// The questions on a terminal, which `script` of util-linux makes.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_asks() {
    use std::io::Write as _;
    use std::process::Stdio;

    let folder = folder("new-terminal");
    let mut command = Command::new("script");
    let inside = format!("'{}' new asked", env!("CARGO_BIN_EXE_agui-codegen"));
    command
        .args(["--quiet", "--return", "--echo", "never", "--command", &inside, "/dev/null"])
        .current_dir(&folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut script) = command.spawn() else {
        let skipped =
            writeln!(std::io::stderr(), "SKIPPED on_a_terminal_it_asks: `script` is not on this machine");
        return skipped.unwrap();
    };
    // The terminal ends its input with the answers, and not before they are read.
    script.stdin.take().unwrap().write_all(b"react\n\nyes\n").unwrap();
    let output = script.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    for part in [
        "A page: none, plain",
        "A client in Python",
        "Conversations",
        "an agent, a page in React, threads in SQLite",
    ] {
        assert!(said.contains(part), "no {part:?} in: {said}");
    }
    assert!(folder.join("asked/web/src/main.tsx").is_file() && !folder.join("asked/python").exists());
}

/// A new project has all that `doctor` looks at, apart from what is built and installed.
#[test]
fn a_new_project_is_known_to_the_doctor() {
    let folder = folder("new-doctor");
    run(&folder, &["new", "shop", "--page"]).assert(0, &[]);
    let ended: Ended = run(&folder.join("shop"), &["doctor", "--no-build"]);
    ended.assert(
        1,
        &["missing  shop: @ag-ui/client is not installed for", "note     Cargo.lock: is not there yet"],
    );
}
