//! The projects that `agui-codegen new` writes. All combinations of parts are written and compiled, each file once; one
//! combination, another each hour, is used as its own README says. `AGUI_NEW=all` uses all of them, and
//! `AGUI_NEW=react,threads` one.

mod combination;
mod dev;
mod follower;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use agui_tests::need;
use agui_tests::outside::{
    CargoFolder, Chromium, CopilotKit, ExampleServer, Node, Pages, Python, built, finish, target_dir,
    workspace_dir,
};

use combination::Combination;
use follower::Follower;

use super::blocks::blocks;
use super::is_answered;
use super::project::folder_without;

const LIMIT: Duration = Duration::from_secs(300);

/// Writes the project of a combination, as a user does, into `outside`.
fn written(outside: &CargoFolder, combination: Combination, folder: &str) -> PathBuf {
    let mut arguments = vec!["new".to_owned(), folder.to_owned(), "--path".to_owned(), "agui".to_owned()];
    arguments.extend(combination.options());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let _ = outside.run(Command::new(built("agui-codegen")), &outside.path, &arguments).assert_success();
    let project = outside.path.join(folder);
    // The versions the workspace was tested with.
    fs::copy(workspace_dir().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    project
}

/// Gives the page of a project its packages: those of the tests.
fn install(project: &Path, pages: &Pages, copilotkit: &CopilotKit) {
    let web = project.join("web");
    match has_copilotkit(project) {
        true => pages.install_after(&copilotkit.node_modules(), &web),
        false => pages.install(&web),
    }
}

/// Runs a script of a page's `package.json`.
fn run_script(project: &Path, pages: &Pages, script: &[&str]) {
    // The types of React are not beside CopilotKit's packages, but beside their links.
    let is_linked = script == ["check"] && has_copilotkit(project);
    let more: &[&str] = if is_linked { &["--", "--preserveSymlinks"] } else { &[] };
    let _ = pages.npm(&project.join("web"), &[&["run"], script, more].concat()).assert_success();
}

/// True if a project's page is CopilotKit's.
fn has_copilotkit(project: &Path) -> bool {
    fs::read_to_string(project.join("web/package.json")).is_ok_and(|text| text.contains("@copilotkit/"))
}

/// The files of a project that `is_chosen` accepts, by their path, in one text.
fn content(project: &Path, is_chosen: fn(&Path) -> bool) -> String {
    let mut text = String::new();
    let mut folders = vec![project.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for file in files.iter().filter(|file| is_chosen(file.strip_prefix(project).unwrap())) {
        text.push_str(&format!(
            "{}\n{}\n",
            file.strip_prefix(project).unwrap().display(),
            fs::read_to_string(file).unwrap()
        ));
    }
    text
}

/// One project for each different content.
fn different(projects: &[PathBuf], is_chosen: fn(&Path) -> bool) -> Vec<PathBuf> {
    let contents = projects.iter().map(|project| {
        let name = project.file_name().unwrap().to_str().unwrap();
        (content(project, is_chosen).replace(name, "NAME"), project.clone())
    });
    contents.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The project that has every feature, with the `main.rs` of the others as modules of its tests: building a project takes long, and
/// the rest of their code is the same.
fn with_all_mains(projects: &[PathBuf]) -> &PathBuf {
    let beside_main = |file: &Path| file.starts_with("src") && file != "src/main.rs";
    assert_eq!(different(projects, beside_main).len(), 1);
    let main = |project: &Path| fs::read_to_string(project.join("src/main.rs")).unwrap();
    let is_whole = |text: &str| text.contains("copilotkit") && text.contains("Sqlite");
    let (whole, others): (Vec<_>, Vec<_>) = projects.iter().partition(|project| is_whole(&main(project)));
    let [whole] = whole.as_slice() else { panic!("{whole:?}") };
    let mut text = main(whole);
    for (number, other) in others.into_iter().enumerate() {
        let module = format!("other_{number}");
        let modules = "mod agent;\nmod script;\n";
        let other = main(other);
        assert!(other.contains(modules), "{other}");
        let other = other.replace(modules, "use crate::script;\n");
        fs::write(whole.join(format!("src/{module}.rs")), other).unwrap();
        text.push_str(&format!("\n#[cfg(test)]\n#[allow(dead_code)]\nmod {module};\n"));
    }
    fs::write(whole.join("src/main.rs"), text).unwrap();
    whole
}

#[test]
fn every_combination_compiles() {
    let pages = need!(Pages::ready());
    let copilotkit = need!(CopilotKit::ready());
    let python = need!(Python::ready());
    let outside = folder_without(&["new"]);
    let root = outside.path.join("new");
    fs::create_dir_all(&root).unwrap();
    let projects: Vec<PathBuf> = combination::all()
        .into_iter()
        .map(|combination| written(&outside, combination, &format!("new/{}", combination.project())))
        .collect();

    let of_rust = different(&projects, |file| file == "Cargo.toml" || file.starts_with("src"));
    assert_eq!(of_rust.len(), 4, "with and without threads and CopilotKit: {of_rust:?}");
    for project in &of_rust {
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--check", "--edition", "2024"]).arg(project.join("src/main.rs"));
        let _ = finish(rustfmt, "", LIMIT).assert_success();
    }
    // One workspace, so that cargo reads the manifests of all of them.
    let members: Vec<_> =
        of_rust.iter().map(|project| project.file_name().unwrap().to_str().unwrap()).collect();
    fs::write(root.join("Cargo.toml"), format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))
        .unwrap();
    fs::copy(workspace_dir().join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
    let whole = with_all_mains(&of_rust);
    let name = whole.file_name().unwrap().to_str().unwrap();
    let tests = outside.cargo(&root, &["test", "--quiet", "--package", name]).assert_success();
    assert!(tests.stdout.contains("test result: ok. 2 passed"), "{tests}");
    assert_eq!(tests.stderr, "", "the compiler warns the user");

    // The clients of all of them are those of one agent.
    let manifest = root.join("agui.manifest.json");
    let generator = |folder: &Path, arguments: &[&str]| {
        let _ = outside.run(Command::new(built("agui-codegen")), folder, arguments).assert_success();
    };
    let manifest = manifest.to_str().unwrap();
    generator(whole, &["manifest", "-o", manifest]);
    let with_page: Vec<PathBuf> =
        projects.iter().filter(|project| project.join("web").exists()).cloned().collect();
    let of_pages = different(&with_page, |file| file.starts_with("web"));
    assert_eq!(of_pages.len(), 6, "three kinds, with and without threads: {of_pages:?}");
    thread::scope(|scope| {
        for project in &of_pages {
            scope.spawn(|| {
                let react: &[&str] = match project.join("web/src/main.tsx").exists() {
                    true if has_copilotkit(project) => &["--react", "v2"],
                    true => &["--react", "plain"],
                    false => &[],
                };
                generator(
                    project,
                    &[&["generate", "--manifest", manifest, "--ts", "web/src/agui"], react].concat(),
                );
                install(project, &pages, &copilotkit);
                run_script(project, &pages, &["check"]);
            });
        }
    });
    let with_python: Vec<PathBuf> =
        projects.iter().filter(|project| project.join("python").exists()).cloned().collect();
    let of_python = different(&with_python, |file| file.starts_with("python"));
    // Their addresses differ.
    let [project, _with_copilotkit] = of_python.as_slice() else { panic!("{of_python:?}") };
    generator(project, &["generate", "--manifest", manifest, "--python", "python/agui"]);
    let _ = python.type_check(&project.join("python"), &["agui", "main.py"]).assert_success();
}

#[test]
fn a_project_does_as_its_readme_says() {
    let node = need!(Node::ready());
    let pages = need!(Pages::ready());
    let copilotkit = need!(CopilotKit::ready());
    let python = need!(Python::ready());
    let chromium = need!(Chromium::ready());
    drop(node);
    for combination in combination::now() {
        println!("a new project with: {}; again: {}", combination.name(), combination.again());
        let outside = folder_without(&[&combination.project()]);
        let (begin, at) = (Instant::now(), SystemTime::now());
        let project = written(&outside, combination, &combination.project());
        let mut follower = Follower::new(&outside, &project, (&pages, &copilotkit), &python, &chromium);
        follower.follow();
        println!("{}: every command of its README in {:.1?}", combination.name(), begin.elapsed());
        if let Some(Ok(until)) = follower.first_answer.map(|answer| answer.duration_since(at)) {
            println!(
                "{}: its typed client had an answer {until:.1?} after the first command",
                combination.name()
            );
        }
        follower.assert_complete(combination);
    }
}

/// As the README of the project says, with an error on purpose in a tool.
#[test]
fn an_error_of_a_tool_stands_in_the_terminal() {
    let name = "new-broken";
    let outside = folder_without(&[name]);
    let project = written(&outside, Combination { page: None, python: false, threads: false }, name);
    let file = project.join("src/agent.rs");
    let text = fs::read_to_string(&file).unwrap();
    let (before, add) = text.split_once("task: String) -> Result<String, StateError> {\n").unwrap();
    let (update, after) = add.split_once("    tasks.read(|tasks| tasks.open.join(\", \"))\n").unwrap();
    let broken = format!(
        "{before}task: String) -> Result<String, Stop> {{\n    if !task.is_empty() {{\n        return Err(\"the list is \
         locked\".into());\n    }}\n{update}    Ok(tasks.read(|tasks| tasks.open.join(\", \"))?)\n{after}"
    );
    fs::write(&file, broken).unwrap();
    let _ = outside.cargo(&project, &["build", "--quiet"]).assert_success();
    let mut program = Command::new(target_dir().join("debug").join(name));
    program.current_dir(&project).env_remove("AGUI_MODEL").env_remove("RUST_LOG");
    let server = ExampleServer::spawn(name, program, Duration::from_secs(60));
    let server = server.unwrap_or_else(|cause| panic!("{cause}"));
    let readme = blocks(&fs::read_to_string(project.join("README.md")).unwrap());
    let ask =
        readme.iter().flat_map(super::blocks::Block::commands).find(|command| command.starts_with("curl"));
    is_answered(ask.expect("the README asks the agent"), &server);
    has_said(&server, "add", "the list is locked");
}

/// Waits until the terminal of a server has the error of a tool.
pub fn has_said(server: &ExampleServer, tool: &str, error: &str) {
    let (tool, error) = (format!("tool={tool:?}"), format!("error={error}"));
    let is_said = |line: &str| line.starts_with("err: ") && line.contains(&tool) && line.contains(&error);
    let begin = Instant::now();
    while !server.output().lines().any(is_said) {
        assert!(begin.elapsed() < Duration::from_secs(20), "the terminal does not have the error");
        thread::sleep(Duration::from_millis(20));
    }
}
