//! The README, that of the examples, and the pages of the site are true: their blocks are files of the repository, which other tests compile and run, and its commands
//! work.
//!
//! A block follows a comment that names its file: `<!-- whole: path -->` or `<!-- part: path -->`. Console blocks have
//! none; each of their commands is run here. Quotes of the compiler link to the file that a test compares with its
//! output.

mod blocks;
mod dev_server;
mod developing;
mod guide;
mod new;
mod project;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::{ExampleServer, Missing, Pages, built, target_dir, workspace_dir};

use blocks::{Block, blocks};
use developing::Developing;
use project::folder_without;

const DOCUMENTS: [&str; 4] =
    ["README.md", "examples/README.md", ".github/site/pages/index.md", ".github/site/pages/start.md"];

/// The folder with the pages of the guide.
const GUIDE: &str = "agui-runtime/src/guide";

fn text(document: &str) -> String {
    fs::read_to_string(workspace_dir().join(document)).unwrap()
}

fn readme() -> Vec<Block> {
    blocks(&text("README.md"))
}

/// The blocks of all documents, each with its document.
fn all_blocks() -> impl Iterator<Item = (&'static str, Block)> {
    DOCUMENTS
        .into_iter()
        .flat_map(|document| blocks(&text(document)).into_iter().map(move |block| (document, block)))
}

#[test]
fn every_block_is_a_file_of_the_repository() {
    let mut languages = Vec::new();
    for (document, block) in all_blocks().filter(|(_, block)| block.language != "console") {
        assert_quoted(document, &block);
        languages.push((document, block.language));
    }
    for language in ["rust", "ts", "python"] {
        let shown = ("README.md", language.to_owned());
        assert!(languages.contains(&shown), "the README shows no {language}");
    }
}

/// The block is the file that its marker names, or a part of it.
fn assert_quoted(document: &str, block: &Block) {
    let place = format!("{document}:{}", block.line);
    let (kind, path) = block.marker.as_ref().unwrap_or_else(|| panic!("{place}: which file is this block?"));
    let file =
        fs::read_to_string(workspace_dir().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    match kind.as_str() {
        "whole" => assert_eq!(block.text.trim_end(), file.trim_end(), "{place} is not {path}"),
        "part" => assert!(file.contains(&block.text), "{place} is not in {path}:\n{}", block.text),
        other => panic!("{place}: `{other}` is neither `whole` nor `part`"),
    }
}

/// The blocks of Rust in the guide are documentation tests.
#[test]
fn every_other_block_of_the_guide_is_a_file_of_the_repository() {
    let mut quoted = 0;
    for entry in fs::read_dir(workspace_dir().join(GUIDE)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".md") {
            continue;
        }
        let page = format!("{GUIDE}/{name}");
        for block in blocks(&text(&page)) {
            if !["", "no_run"].contains(&block.language.as_str()) {
                assert_quoted(&page, &block);
                quoted += 1;
            }
        }
    }
    assert!(quoted >= 12, "only {quoted} blocks are quoted");
}

#[test]
fn the_first_agent_has_at_most_forty_lines() {
    let agent = readme().into_iter().find(|block| block.language == "rust").unwrap();
    assert!(agent.text.lines().count() <= 40, "{} lines", agent.text.lines().count());
}

#[test]
fn every_command_works() {
    let mut tried = 0;
    let mut server = None;
    let outside = folder_without(&["my-agent"]);
    let mut seen = BTreeSet::new();
    for (document, block) in all_blocks().filter(|(_, block)| block.language == "console") {
        // Two documents may begin with the same commands.
        if !seen.insert(block.text.clone()) {
            continue;
        }
        // A new project, if the block makes one.
        let mut project = None;
        for command in block.text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let words: Vec<&str> = command.split_whitespace().collect();
            match words.as_slice() {
                // This test runs as part of it.
                ["cargo", "test"] => {}
                ["cargo", "run", "-p", "agui-codegen", "--", "generate", rest @ ..] => {
                    generated_is_fresh(rest);
                }
                ["cargo", "run", "-p", example] => server = Some(ExampleServer::start(example)),
                ["cargo", "run", "-p", "agui-cli", "--", "inspect", _] => {
                    let server = server.as_ref().expect("a server before `inspect`");
                    let mut inspect = Command::new(built("agui-cli"));
                    inspect.args(["inspect", &format!("{}/", server.url())]);
                    let started = ExampleServer::spawn("agui-cli inspect", inspect, Duration::from_secs(60));
                    drop(started.unwrap_or_else(|cause| panic!("{cause}")));
                }
                ["cargo", "install", "--path", package, options @ ..] => {
                    let package = outside.path.join(package);
                    is_installable(&package, options)
                        .unwrap_or_else(|why| panic!("{document}:{}: {command}: {why}", block.line));
                }
                ["agui-codegen", "new", ..] => {
                    let program = Command::new(built("agui-codegen"));
                    let _ = outside.run(program, &outside.path, &words[1..]).assert_success();
                }
                ["cd", folder] => {
                    let folder = outside.path.join(folder);
                    // The versions the workspace was tested with.
                    fs::copy(workspace_dir().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
                    project = Some(folder);
                }
                ["agui-codegen", "dev"] => is_developed(project.as_ref().expect("`cd` before `dev`")),
                ["agui-codegen", arguments @ ..] if project.is_some() => {
                    let program = Command::new(built("agui-codegen"));
                    let _ = outside.run(program, project.as_ref().unwrap(), arguments).assert_success();
                }
                ["cargo", "run"] => {
                    let folder = project.as_ref().expect("`cd` before `cargo run`");
                    let _ = outside.cargo(folder, &["build", "--quiet"]).assert_success();
                    let program = Command::new(target_dir().join("debug").join(folder.file_name().unwrap()));
                    let started = ExampleServer::spawn("my-agent", program, Duration::from_secs(60));
                    drop(started.unwrap_or_else(|cause| panic!("{cause}")));
                }
                // Here, `cargo run` runs the program that it installs.
                ["agui-codegen", "generate", rest @ ..] => generated_is_fresh(rest),
                ["curl", ..] => is_answered(command, server.as_ref().expect("a server before `curl`")),
                _ => panic!("{document}:{}: nothing tries `{command}`", block.line),
            }
            tried += 1;
        }
    }
    assert!(tried >= 3, "only {tried} commands in the documents");
}

/// Says why a package cannot be installed with `options`: it has no program, or not the feature.
fn is_installable(package: &Path, options: &[&str]) -> Result<(), String> {
    if !package.join("src/main.rs").is_file() {
        return Err("there is no program".to_owned());
    }
    let manifest = fs::read_to_string(package.join("Cargo.toml")).map_err(|error| error.to_string())?;
    match options {
        [] => Ok(()),
        ["--features", feature] if manifest.contains(&format!("\n{feature} = [")) => Ok(()),
        _ => Err("the package has not these options".to_owned()),
    }
}

/// One command starts all of a project with a page, and ends it.
fn is_developed(project: &Path) {
    match Pages::ready() {
        Ok(pages) => pages.install(&project.join("web")),
        Err(missing) => return missing.skip("every_command_works, `agui-codegen dev`"),
    }
    let mut dev = Developing::start(&built("agui-codegen"), project);
    let screen = dev.says("Ctrl-C ends all of it");
    let [agent, page] = ["agent ", "page "].map(|name| Developing::address(&screen, name));
    dev.end("INT", &[&agent, &page]);
}

/// The server started last streams a run to its end.
fn is_answered(command: &str, server: &ExampleServer) {
    if Command::new("curl").arg("--version").output().is_err() {
        let missing = Missing { what: "no `curl`".to_owned(), how_to_get_it: "install curl".to_owned() };
        return missing.skip("every_command_works, `curl`");
    }
    let here = "http://127.0.0.1:8000/";
    assert!(command.contains(here), "{command}");
    let command = command.replace(here, &format!("{}/", server.url()));
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    for needed in [r#"data: {"type":"RUN_STARTED""#, r#"data: {"type":"RUN_FINISHED""#] {
        assert!(answer.contains(needed), "{command}:\n{answer}");
    }
}

#[test]
fn the_compiler_says_what_is_quoted() {
    let text = text("README.md");
    let rows: Vec<_> = text.lines().filter(|line| line.ends_with(".stderr) |")).collect();
    assert!(rows.len() >= 3, "only {} mistakes", rows.len());
    for row in rows {
        let (quote, file) = row.rsplit_once("](").unwrap();
        let quote = quote.split_once("| [").expect("a row is `| mistake | [headline](file) |`").1;
        let file = file.trim_end_matches(") |");
        let said =
            fs::read_to_string(workspace_dir().join(file)).unwrap_or_else(|why| panic!("{file}: {why}"));
        let mut headlines = said
            .lines()
            .filter(|line| line.starts_with("error"))
            .filter_map(|line| line.split_once(": ").map(|(_, headline)| headline));
        assert!(headlines.any(|headline| headline == quote), "`{quote}` is not said in {file}:\n{said}");
    }
}

/// The README's dependencies are sufficient for the README's agent, in a package outside of this workspace, and the compiler does not
/// warn. An error of its tool stands in the terminal.
#[test]
fn the_dependencies_are_enough() {
    let outside = folder_without(&["project"]);
    let folder = outside.path.join("project");
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::create_dir_all(folder.join("web/dist")).unwrap();
    let copied = [
        ("tests/tests/project/Cargo.toml", "Cargo.toml"),
        ("examples/desk/src/main.rs", "src/main.rs"),
        ("examples/desk/src/page.rs", "src/page.rs"),
        ("examples/desk/web/index.html", "web/index.html"),
        ("examples/desk/web/dist/app.css", "web/dist/app.css"),
        ("examples/desk/web/dist/app.js", "web/dist/app.js"),
        ("examples/desk/src/shop.rs", "src/shop.rs"),
        ("examples/desk/src/script.rs", "src/script.rs"),
        // The versions of the workspace, and no need for a network.
        ("Cargo.lock", "Cargo.lock"),
    ];
    for (from, to) in copied {
        fs::copy(workspace_dir().join(from), folder.join(to)).unwrap();
    }
    let built = outside.cargo(&folder, &["build", "--quiet"]).assert_success();
    assert_eq!(built.stderr, "", "the compiler warns a reader");

    let main = folder.join("src/main.rs");
    let text = fs::read_to_string(&main).unwrap();
    let (before, after) = text.split_once("Result<Order, Refused> {\n").unwrap();
    let locked = "    if number > 0 {\n        return Err(\"the till is locked\".into());\n    }\n";
    fs::write(&main, format!("{before}Result<Order, Stop> {{\n{locked}{after}")).unwrap();
    let _ = outside.cargo(&folder, &["build", "--quiet"]).assert_success();
    let mut program = Command::new(target_dir().join("debug/project"));
    program.current_dir(&folder).env_remove("AGUI_MODEL").env_remove("RUST_LOG");
    let server = ExampleServer::spawn("project", program, Duration::from_secs(60));
    let server = server.unwrap_or_else(|cause| panic!("{cause}"));
    let documents: Vec<_> = all_blocks().map(|(_, block)| block).collect();
    let ask = documents.iter().flat_map(Block::commands).find(|command| command.starts_with("curl"));
    is_answered(ask.expect("a document asks the agent"), &server);
    new::has_said(&server, "order", "the till is locked");
}

/// With the program of the other tests, because a build with other features would replace their file; and with the features that
/// `cargo test` gives the crates.
fn generated_is_fresh(rest: &[&str]) {
    let output = Command::new(built("agui-codegen"))
        .current_dir(workspace_dir())
        .args(["generate", "--check", "--workspace", "--locked"])
        .args(rest.iter().filter(|option| **option != "--check"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "agui-codegen generate --check {}:\n{}{}",
        rest.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
