//! The site, built by its one command: people use its pages in a browser, and its front page plays what the desk said.
//!
//! | module | subject |
//! |---|---|
//! | `recording` | the conversation of the front page, recorded again and compared |
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod recording;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Chromium, ExampleServer, Python, artefact, finish, target_dir, workspace_dir};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(600);

/// Pages that have every part of the design; the others are looked at in one form.
const KINDS: [&str; 9] = [
    "",
    "404.html",
    "docs/agui-codegen/",
    "docs/tool/",
    "examples/agui-cli/",
    "guide/tools/",
    "inspector/index.html",
    "project/figures/",
    "start/",
];

/// The folder with the site, which is built once.
fn site() -> &'static Path {
    static SITE: OnceLock<PathBuf> = OnceLock::new();
    SITE.get_or_init(|| {
        let folder = target_dir().join("outside/site");
        let mut build = Command::new(workspace_dir().join(".github/site/build"));
        build.arg("--into").arg(&folder);
        let _ = finish(build, "", LIMIT).assert_success();
        folder
    })
}

/// Any server of files will do.
fn served(python: &Python) -> ExampleServer {
    let mut server = python.module("http.server");
    server.env("PYTHONUNBUFFERED", "1").args(["--bind", "127.0.0.1", "--directory"]).arg(site()).arg("0");
    ExampleServer::spawn("http.server", server, LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
}

/// The addresses of the pages, without those that show a file of the repository.
fn pages() -> Vec<String> {
    fn add(folder: &Path, pages: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, pages);
            } else if path.extension().is_some_and(|ending| ending == "html") {
                let name = path.strip_prefix(site()).unwrap().to_str().unwrap().replace('\\', "/");
                pages.push(name.strip_suffix("index.html").map_or(name.clone(), str::to_owned));
            }
        }
    }
    let mut found = Vec::new();
    add(site(), &mut found);
    found.retain(|page| !page.starts_with("source/") && page != "inspector/");
    found.sort();
    found
}

/// The looks of a page: colours, and the width of the screen.
const LOOKS: [(&str, u32); 3] = [("light", 1280), ("dark", 1280), ("light", 390)];

#[test]
fn people_read_it_in_any_light_on_any_screen_and_by_keyboard() {
    let (chromium, python) = (need!(Chromium::ready()), need!(Python::ready()));
    let server = served(&python);
    let place = format!("{}/", server.url());
    let pages = pages();
    assert!(pages.len() > 50, "{pages:?}");
    // All pages in all looks take three minutes; here a third of them have their turn in one, beside those of each kind.
    let is_all = env::var("AGUI_SITE").is_ok_and(|what| what == "all");
    let mut jobs = Vec::new();
    for (at, (scheme, width)) in LOOKS.into_iter().enumerate() {
        let others =
            pages.iter().enumerate().filter(|(number, _)| is_all || number % (3 * LOOKS.len()) == at);
        let mut paths: Vec<&str> = others.map(|(_, page)| page.as_str()).chain(KINDS).collect();
        paths.sort_unstable();
        paths.dedup();
        let job = json!({ "scene": "looks", "paths": paths, "scheme": scheme, "width": width });
        jobs.push((format!("site-{scheme}-{width}"), job));
    }
    jobs.push(("site-keyboard".to_owned(), json!({ "scene": "keyboard" })));
    for (scheme, width) in [("light", 1280), ("dark", 390)] {
        let name = format!("site-plays-{width}");
        let picture = artefact(&format!("{name}-whole.png"));
        jobs.push((name, json!({ "scene": "plays", "scheme": scheme, "width": width, "picture": picture })));
    }
    let jobs: Vec<_> = jobs
        .into_iter()
        .map(|(name, mut job)| {
            job["site"] = json!(place);
            job["timeoutMs"] = json!(LIMIT.as_millis() as u64);
            (name, "about:blank".to_owned(), job)
        })
        .collect();
    let reports = chromium.browse_together("site.mjs", &jobs, LIMIT);
    for ((name, _, job), report) in jobs.iter().zip(&reports) {
        report.assert_ok();
        match job["scene"].as_str().unwrap() {
            "looks" => assert_eq!(report.value, json!([]), "{name}"),
            "plays" => assert_played(&report.value),
            _ => {}
        }
    }
}

/// The front page has played all that was recorded of a conversation that ends with a refund.
fn assert_played(played: &Value) {
    let types = |runs: &[&str]| -> Vec<String> {
        let lines = runs.iter().flat_map(|run| recording::lines(run));
        lines.filter_map(|line| line.get("type").and_then(Value::as_str).map(str::to_owned)).collect()
    };
    assert_eq!(played["asked"], json!(types(&["asked"])));
    assert_eq!(played["all"], json!(types(&["asked", "approved"])));
    assert_eq!(played["verdicts"], json!(["ok"]));
    assert_eq!(played["state"]["order"]["refunded"], 5900);
}

/// The parts of the build, beside a site with planted mistakes.
#[test]
fn a_dead_link_fails_the_build_and_hidden_lines_stay_hidden() {
    let _ = need!(Python::ready());
    let _ = site();
    let venvs = fs::read_dir(workspace_dir().join("target/outside")).unwrap();
    let generator = venvs
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name().unwrap().to_str().unwrap().starts_with("site-") && path.join("ready").exists()
        })
        .expect("the build has installed the generator");
    let mut tests = Command::new(generator.join("bin/python"));
    tests.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(workspace_dir().join(".github/site/hooks"));
    tests.args(["-m", "unittest", "--verbose", "site_tests"]);
    let finished = finish(tests, "", LIMIT).assert_success();
    assert!(finished.stderr.contains("Ran 5 tests"), "{finished}");
}

/// Coding assistants read Markdown: llms.txt lists a file for each page, and the skill is there.
#[test]
fn assistants_find_each_page_as_markdown() {
    let _ = need!(Python::ready());
    let list = fs::read_to_string(site().join("llms.txt")).unwrap();
    let files: Vec<&str> = list.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(files.len() > 45, "{list}");
    for file in files {
        let text = fs::read_to_string(site().join(file)).unwrap_or_else(|cause| panic!("{file}: {cause}"));
        assert!(text.starts_with("# ") || text.starts_with("---\n"), "{file} has no title");
    }
    assert_eq!(
        fs::read_to_string(site().join("SKILL.md")).unwrap(),
        fs::read_to_string(workspace_dir().join("agui-runtime/SKILL.md")).unwrap()
    );
}
