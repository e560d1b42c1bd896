//! With Rust: a project that the packed `agui-codegen` writes builds, generates, has tests that pass, and answers its generated clients.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::need;
use agui_tests::outside::{ExampleServer, Pages, Python, cargo, finish, without_package, workspace_dir};

use super::assert_quick;
use super::packed::Packed;

const LIMIT: Duration = Duration::from_secs(60);

/// A test of the project that names items of features which the common path does not compile.
const FEATURES_TEST: &str = r#"use agui_runtime::{a2a, client, mcp, provider, thread};

#[test]
fn the_features_are_there() {
    let names = [
        std::any::type_name::<a2a::A2aArtifact>(),
        std::any::type_name::<client::HttpAgent>(),
        std::any::type_name::<mcp::McpServer>(),
        std::any::type_name::<provider::HostedModel>(),
        std::any::type_name::<thread::Postgres>(),
        std::any::type_name::<thread::Redis>(),
        std::any::type_name::<thread::Sqlite>(),
    ];
    assert!(names.iter().all(|name| name.starts_with("agui_runtime")), "{names:?}");
}
"#;

/// A client of the page's folder. The marked line reads a member that the state does not have.
const TYPESCRIPT: &str = r#"import { AssistantAgent } from "./agui/assistant/client.js";

const assistant = new AssistantAgent({ url: "URL" });
let tasks: string[] = [];
assistant.on({ state: ({ open }) => void (tasks = [...open]) });
// @ts-expect-error: the state has no such member
assistant.on({ state: ({ closed }) => closed });
assistant.addMessage({ id: "1", role: "user", content: "Buy rice" });
await assistant.runAgent();
console.log(JSON.stringify(tasks));
"#;

/// The project `name` as `agui-codegen new` writes it, with all features that do not take something away.
fn written(packed: &Packed, name: &str) -> PathBuf {
    let project = packed.folder.path.join(name);
    drop(fs::remove_dir_all(&project));
    let new = ["new", name, "--page", "--python", "--threads"];
    let _ = packed.folder.run(Command::new(packed.codegen()), &packed.folder.path, &new).assert_success();
    let features: Vec<_> = packed.features.iter().filter(|feature| *feature != "no-manifest-hook").collect();
    let file = project.join("Cargo.toml");
    let manifest = fs::read_to_string(&file).unwrap();
    let (before, rest) = manifest.split_once("features = [\n").unwrap();
    let (_, after) = rest.split_once("\n]\n").unwrap();
    fs::write(&file, format!("{before}features = {features:?}\n{after}")).unwrap();
    // The versions that the workspace was tested with.
    fs::copy(workspace_dir().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    project
}

/// The state that the generated client of the page has, after its program was type-checked and has asked the agent.
fn typescript(pages: &Pages, web: &Path, url: &str) -> String {
    pages.install(web);
    fs::write(web.join("src/answer.ts"), TYPESCRIPT.replace("URL", url)).unwrap();
    let _ = pages.npm(web, &["run", "check"]).assert_success();
    pages.run(web, "src/answer.ts", "").assert_success().stdout
}

/// The output of the project's own program in Python, which was type-checked.
fn python(python: &Python, folder: &Path, url: &str) -> String {
    let file = folder.join("main.py");
    let program = fs::read_to_string(&file).unwrap();
    fs::write(&file, program.replace("http://127.0.0.1:8000/", url)).unwrap();
    let _ = python.type_check(folder, &["agui", "main.py"]).assert_success();
    let mut command = python.command(&file);
    command.arg("Buy rice");
    finish(command, "", LIMIT).assert_success().stdout
}

#[test]
fn a_project_is_built_against_the_packed_crates_alone() {
    let pages = need!(Pages::ready());
    let interpreter = need!(Python::ready());
    let packed = Packed::ready();
    let begin = Instant::now();
    let first = written(packed, "published-first");
    fs::create_dir(first.join("tests")).unwrap();
    fs::write(first.join("tests/features.rs"), FEATURES_TEST).unwrap();
    let tests = packed.folder.cargo(&first, &["test", "--quiet"]).assert_success().stdout;
    assert_eq!(tests.matches("test result: ok. ").count(), 2, "{tests}");
    let tree = ["tree", "--prefix", "none", "--format", "{p}"];
    let tree = packed.folder.cargo(&first, &tree).assert_success().stdout;
    assert!(!tree.contains(workspace_dir().to_str().unwrap()), "{tree}");
    println!(
        "with Rust: the first project and its dependencies are built and tested in {:.1?}",
        begin.elapsed()
    );

    let begin = Instant::now();
    let project = written(packed, "published");
    let generate = |options: &[&str]| {
        let arguments = [&["generate"], options].concat();
        let _ = packed.folder.run(Command::new(packed.codegen()), &project, &arguments).assert_success();
    };
    generate(&[]);
    let mut run = cargo();
    without_package(&mut run);
    run.args(["run", "--quiet"]).current_dir(&project).env_remove("CARGO_TARGET_DIR");
    run.env_remove("AGUI_MODEL");
    let server = ExampleServer::spawn("published", run, LIMIT).unwrap_or_else(|cause| panic!("{cause}"));
    let url = format!("{}/", server.url());
    let tasks = typescript(&pages, &project.join("web"), &url);
    assert_eq!(tasks.trim(), r#"["Buy rice"]"#);
    let said = python(&interpreter, &project.join("python"), &url);
    assert!(said.contains("tasks: Buy rice"), "{said}");
    assert_quick("with Rust", begin);
    generate(&["--check"]);
}
