//! The inspector in a browser: the tour's page with every agent, its copies as commands, fixtures and Rust tests, and
//! `agui-cli inspect` with hostile servers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    BrowserReport, Chromium, ExampleServer, Node, artefact, built, finish, tests_dir, workspace_dir,
};
use serde_json::{Map, Value, json};

use crate::evil_server::{self, MARKUP};
use crate::project::folder_without;

const LIMIT: Duration = Duration::from_secs(60);

/// The agents whose runs are copied: text, odd characters, media, a failure, numbers and patches, chunks.
const COPIED: [&str; 6] =
    ["/lab/text", "/lab/unicode", "/lab/tool_result_parts", "/lab/error", "/lab/state", "/lab/text_chunks"];

fn pictures(names: &[&str]) -> Value {
    let paths =
        names.iter().map(|name| ((*name).to_owned(), json!(artefact(&format!("inspector-{name}.png")))));
    Value::Object(paths.collect::<Map<_, _>>())
}

fn assert_taken(pictures: &Value) {
    for (name, path) in pictures.as_object().unwrap() {
        let picture = fs::read(path.as_str().unwrap()).unwrap_or_default();
        assert!(picture.starts_with(b"\x89PNG"), "no picture {name}");
    }
}

#[test]
fn every_agent_of_the_tour_runs_in_the_page() {
    let (chromium, node) = (need!(Chromium::ready()), need!(Node::ready()));
    let server = ExampleServer::start_with("tour", &[("TOUR_PACE", "0.05")]);
    let pictures = pictures(&[
        "event",
        "state",
        "question",
        "help",
        "light",
        "dark",
        "phone-events-320",
        "phone-320",
        "phone-events-390",
        "phone-390",
    ]);
    let job = json!({ "pictures": pictures, "copy": COPIED });
    let report = chromium.browse("inspector", "inspector.mjs", server.url(), &job);
    report.assert_ok();
    assert_taken(&pictures);
    assert_eq!(report.value["agents"].as_array().unwrap().len(), 45);
    assert_copies_work(&node, &report);
    assert_recording_replays(report.value["recording"].as_str().unwrap());
}

fn assert_copies_work(node: &Node, report: &BrowserReport) {
    let copied = report.value["copied"].as_array().unwrap();
    assert_eq!(copied.len(), COPIED.len());
    let folder = agui_tests::outside::target_dir().join("outside/inspector");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    let mut tests = Vec::new();
    for copy in copied {
        let url = copy["url"].as_str().unwrap();
        let text = |form: &str| copy[form].as_str().unwrap_or_else(|| panic!("{url}: no {form}"));
        assert_command(url, text("curl"), &copy["types"]);
        let name = url.replace('/', "_");
        fs::write(folder.join(format!("run{name}.json")), text("fixture")).unwrap();
        tests.push((name, text("rust").to_owned()));
    }
    // The official client judges the fixtures, by the rules of the conformance streams.
    let mut judge = node.command(tests_dir().join("oracle/conformance.mjs"));
    judge.arg(&folder);
    let judged = finish(judge, "", LIMIT);
    assert!(judged.status.success(), "{judged}");
    assert!(judged.stdout.contains(&COPIED.len().to_string()), "{judged}");
    assert_tests_pass(&tests);
}

/// The copied command gets the same events from the same server.
fn assert_command(url: &str, command: &str, types: &Value) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    let printed = finish(shell, "", LIMIT).assert_success().stdout;
    let events = printed.lines().filter_map(|line| line.strip_prefix("data: "));
    let found: Vec<_> =
        events.map(|event| serde_json::from_str::<Value>(event).unwrap()["type"].clone()).collect();
    assert_eq!(Value::Array(found), *types, "{url}: {command}");
}

/// The copied tests compile without a warning and pass, in a project of a user.
fn assert_tests_pass(tests: &[(String, String)]) {
    const NAME: &str = "inspected";
    let outside = folder_without(&[NAME]);
    let project = outside.path.join(NAME);
    fs::create_dir_all(project.join("tests")).unwrap();
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("src/lib.rs"), "").unwrap();
    let readme = fs::read_to_string(tests_dir().join("tests/project/Cargo.toml")).unwrap();
    let (_, dependencies) = readme.split_once("[dependencies]").unwrap();
    let manifest = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]{dependencies}"
    );
    fs::write(project.join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace_dir().join("Cargo.lock"), project.join("Cargo.lock")).unwrap();
    let modules = tests.iter().map(|(name, test)| format!("mod run{name} {{\n{test}}}\n"));
    let all = format!("#![deny(warnings)]\n{}", modules.collect::<String>());
    fs::write(project.join("tests/copied.rs"), all).unwrap();
    let tested = outside.cargo(&project, &["test", "--test", "copied"]);
    assert!(tested.status.success(), "{tested}");
    assert!(tested.stdout.contains(&format!("{} passed", tests.len())), "{tested}");
}

/// `agui-cli` shows what the page has saved.
fn assert_recording_replays(recording: &str) {
    let path = artefact("inspector-saved.jsonl");
    fs::write(&path, recording).unwrap();
    let mut replay = Command::new(built("agui-cli"));
    replay.args(["chat", "--replay"]).arg(&path);
    let replayed = finish(replay, "", LIMIT).assert_success();
    assert_eq!(replayed.stdout.matches("Found it.").count(), 2, "{replayed}");
    assert!(replayed.stderr.contains("> Again"), "{replayed}");
}

#[test]
fn hostile_servers_are_shown_and_do_no_harm() {
    let chromium = need!(Chromium::ready());
    let evil = evil_server::start();
    let mut command = Command::new(built("agui-cli"));
    command.arg("inspect").args(evil.agents.values().filter_map(Value::as_str));
    let page = ExampleServer::spawn("agui-cli inspect", command, LIMIT).unwrap();
    let pictures = pictures(&["markup", "refused"]);
    let job = json!({ "pictures": pictures, "agents": evil.agents, "markup": MARKUP });
    let report = chromium.browse("inspector-evil", "inspector-evil.mjs", page.url(), &job);
    report.assert_ok();
    assert_taken(&pictures);
    assert!(report.value.as_u64().unwrap() < 30_000, "it took {} ms", report.value);
}

#[test]
fn the_page_is_for_people() {
    let chromium = need!(Chromium::ready());
    let evil = evil_server::start();
    let (cook, desk) =
        (ExampleServer::start_with("recipe", &[("RECIPE_PACE", "0.05")]), ExampleServer::start("desk"));
    let mut agents = evil.agents;
    agents.retain(|kind, _| ["few", "many", "messages", "gone", "hidden"].contains(&kind.as_str()));
    agents.insert("cook".to_owned(), json!(format!("{}/cook", cook.url())));
    agents.insert("desk".to_owned(), json!(format!("{}/", desk.url())));
    let mut command = Command::new(built("agui-cli"));
    command.arg("inspect").args(agents.values().filter_map(Value::as_str));
    let page = ExampleServer::spawn("agui-cli inspect", command, LIMIT).unwrap();
    let pictures = pictures(&["empty", "gone", "hidden", "asked", "tool"]);
    let job = json!({ "pictures": pictures, "agents": agents, "timeoutMs": 120_000 });
    let report = chromium.browse("inspector-use", "inspector-use.mjs", page.url(), &job);
    report.assert_ok();
    assert_taken(&pictures);
    println!("milliseconds for each frame: {}", report.value);
}

/// The picture of the README is one of an open conversation; with `AGUI_UPDATE=1` it is taken again.
#[test]
fn the_picture_of_the_readme_is_there() {
    let stored = workspace_dir().join("examples/inspector/pictures/inspector.png");
    if std::env::var_os("AGUI_UPDATE").is_some() {
        let chromium = need!(Chromium::ready());
        let server = ExampleServer::start_with("desk", &[]);
        let mut inspect = Command::new(built("agui-cli"));
        inspect.args(["inspect", &format!("{}/", server.url())]);
        let page = ExampleServer::spawn("agui-cli inspect", inspect, LIMIT).unwrap();
        let job = json!({ "pictures": { "readme": stored } });
        chromium.browse("inspector-readme", "inspector-readme.mjs", page.url(), &job).assert_ok();
    }
    assert_picture(&stored);
}

fn assert_picture(path: &Path) {
    let picture = fs::read(path).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(picture.len() < 200_000, "{} bytes are many for a clone", picture.len());
}
