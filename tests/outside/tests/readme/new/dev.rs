//! `agui-codegen dev` in a new project: changes, mistakes, a crash, and the end of everything.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Pages, built, finish};
use serde_json::Value;

use super::super::developing::Developing;
use super::super::project::folder_without;
use super::combination::Combination;
use super::written;

/// The answer to a GET, or to a POST of `body`.
fn ask(url: &str, body: Option<&str>) -> String {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--max-time", "30", url]);
    if let Some(body) = body {
        curl.args(["-H", "content-type: application/json", "-d", body]);
    }
    finish(curl, "", Duration::from_secs(60)).assert_success().stdout
}

/// The events of a run in the thread of the test, in which the user says `text`.
fn say(agent: &str, run: u32, text: &str) -> String {
    run_with(agent, run, &format!(r#""messages":[{{"id":"m{run}","role":"user","content":"{text}"}}]"#))
}

/// The events of a run in which the user approves a call.
fn accept(agent: &str, run: u32, interrupt: &str) -> String {
    let entry =
        format!(r#"{{"interruptId":"{interrupt}","status":"resolved","payload":{{"approved":true}}}}"#);
    run_with(agent, run, &format!(r#""messages":[],"resume":[{entry}]"#))
}

fn run_with(agent: &str, run: u32, members: &str) -> String {
    ask(agent, Some(&format!(r#"{{"threadId":"t","runId":"{run}","protocolVersion":"1.0",{members}}}"#)))
}

fn values(events: &str) -> impl DoubleEndedIterator<Item = Value> {
    let frames = events.lines().filter_map(|line| line.strip_prefix("data: "));
    frames.map(|frame| serde_json::from_str(frame).unwrap())
}

/// The text that a run says, in however many events.
fn text(events: &str) -> String {
    let is_text = |event: &Value| event["type"] == "TEXT_MESSAGE_CONTENT";
    values(events).filter(is_text).map(|event| event["delta"].as_str().unwrap().to_owned()).collect()
}

/// The id of the interrupt that a run ends with.
fn interrupt_id(events: &str) -> String {
    let end = values(events).next_back().unwrap();
    end["outcome"]["interrupts"][0]["id"].as_str().unwrap_or_else(|| panic!("no interrupt: {end}")).to_owned()
}

/// Replaces a text in a file of the project.
fn change(project: &Path, file: &str, from: &str, to: &str) {
    let path = project.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no `{from}`");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_project_is_developed_with_one_command() {
    let pages = need!(Pages::ready());
    let name = "new-dev";
    let outside = folder_without(&[name]);
    let project = written(&outside, Combination { page: Some("page"), python: false, threads: true }, name);
    pages.install(&project.join("web"));
    let program = built("agui-codegen");
    let mut dev = Developing::start(&program, &project);

    // One screen: the agent, the page with its client, which knows the agent's address, and the inspector.
    let screen = dev.says("Ctrl-C ends all of it");
    let [agent, page, inspector] =
        ["agent ", "page ", "inspector "].map(|name| Developing::address(&screen, name));
    assert!(screen.lines().count() < 15, "{screen}");
    assert!(say(&agent, 1, "Buy rice").contains(r#""content":"Buy rice""#));
    assert!(ask(&format!("{page}/"), None).contains("dist/main.js"));
    assert!(ask(&format!("{page}/dist/main.js"), None).contains(&format!("{agent}/")));
    assert!(ask(&format!("{inspector}/inspector/agents"), None).contains(&agent));

    // A mistake: the first error only, and the old agent goes on.
    let fields = "    open: Vec<String>,\n";
    let wrong = format!("{fields}    done: Missing,\n    late: AlsoMissing,\n");
    change(&project, "src/agent.rs", fields, &wrong);
    let said = dev.says("waiting for a change");
    assert!(said.contains("`Missing`") && !said.contains("`AlsoMissing`"), "{said}");
    assert!(said.contains("more error") && said.contains("the old agent still runs"), "{said}");
    assert!(text(&say(&agent, 2, "Buy milk")).contains("Buy milk"));
    let interrupt = interrupt_id(&say(&agent, 3, "remove Buy milk"));

    // The change: a new agent at the same address, with the thread, and a client with the new member.
    change(&project, "src/agent.rs", &wrong, &format!("{fields}    #[serde(default)]\n    done: u32,\n"));
    let said = dev.says("restarted in");
    assert!(said.contains("assistant/types.ts") && !said.contains("error"), "{said}");
    let types = fs::read_to_string(project.join("web/src/agui/assistant/types.ts")).unwrap();
    assert!(types.contains("  done: number;"), "{types}");
    let answer = accept(&agent, 4, &interrupt);
    assert!(text(&answer).contains("On your list: Buy rice."), "the question is still open: {answer}");
    let answer = say(&agent, 5, "Buy tea");
    assert!(text(&answer).contains("Buy rice, Buy tea"), "the thread is kept: {answer}");

    // A crash is reported, and the next change starts the agent again.
    let begin = "async fn main() -> Result<(), agui_runtime::Error> {\n";
    let crash = format!("{begin}    std::process::exit(3);\n    #[allow(unreachable_code)]\n");
    change(&project, "src/main.rs", begin, &crash);
    let said = dev.says("the agent ended");
    assert!(said.contains("exit status: 3"), "{said}");
    change(&project, "src/main.rs", &crash, begin);
    let _ = dev.says("restarted in");
    assert!(text(&say(&agent, 6, "Rest")).contains("Buy tea, Rest"));

    dev.end("INT", &[&agent, &page, &inspector]);
}

/// While it builds for the first time, and without a page.
#[test]
fn a_signal_ends_a_build() {
    let name = "new-dev-ended";
    let outside = folder_without(&[name]);
    let project = written(&outside, Combination { page: None, python: false, threads: false }, name);
    // The build waits until it is ended.
    fs::write(
        project.join("build.rs"),
        "fn main() { std::thread::sleep(std::time::Duration::from_secs(900)); }\n",
    )
    .unwrap();
    let mut dev = Developing::start(&built("agui-codegen"), &project);
    let _ = dev.says(&format!("building {name}"));
    dev.end("TERM", &[]);
}
