//! The cook's page: its TypeScript, its bundle, and a user's session in a browser.

use std::net::TcpListener;
use std::panic::resume_unwind;
use std::process::{self, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

use agui_tests::{
    folder::Folder,
    need,
    outside::{Chromium, ExampleServer, Generation, Node, Python, workspace_dir},
};
use serde_json::json;

use crate::page::Page;

const PAGE: Page = Page("recipe");

/// Returns true if the machine has a font for emoji. CI installs one.
fn has_emoji() -> bool {
    let listed = Command::new("fc-list").output().map(|output| output.stdout).unwrap_or_default();
    env::var_os("CI").is_some() || String::from_utf8_lossy(&listed).to_lowercase().contains("emoji")
}

#[test]
fn recipe_page() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("recipe");
    let names = [
        "streaming",
        "prices",
        "dialog",
        "ordered",
        "failed",
        "dark",
        "phone",
        "phone-changed",
        "recipe-390",
        "talk-390",
        "recipe-320",
        "talk-320",
        "dialog-390",
        "dialog-320",
    ];
    // A long conversation, on a machine that may be busy.
    let job = json!({ "timeoutMs": 120_000, "hasEmoji": has_emoji() });
    PAGE.browse(&chromium, "recipe.mjs", server.url(), &names, &job);
}

#[test]
fn recipe_page_in_trouble() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("recipe");
    PAGE.browse(&chromium, "recipe-trouble.mjs", server.url(), &[], &json!({}));
}

#[test]
fn recipe_page_loaded_again() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("recipe");
    PAGE.browse(&chromium, "recipe-reload.mjs", server.url(), &["reloaded", "answered"], &json!({}));
}

/// A free port that the system gives to no connection, so that it is still free for the next server.
fn unassigned_port() -> u16 {
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let first = 20_000 + (process::id() % 10_000) as u16;
    (first..32_000).find(is_free).expect("a free port")
}

/// The script asks for kills of the server by files.
#[test]
fn recipe_page_over_restarts() {
    let chromium = need!(Chromium::ready());
    let folder = Folder::new("recipe");
    let path = |name: &str, number: usize| folder.0.join(format!("{name}-{number}"));
    let kept = folder.0.display().to_string();
    let address = format!("127.0.0.1:{}", unassigned_port());
    let server = ExampleServer::start_with("recipe", &[("TMPDIR", &kept), ("AGUI_ADDR", &address)]);
    let url = server.url().to_owned();
    let is_over = AtomicBool::new(false);
    let kills = thread::scope(|scope| {
        let killing = scope.spawn(|| {
            let (mut server, mut kills) = (server, 0);
            while !is_over.load(Ordering::SeqCst) {
                if path("kill", kills).exists() {
                    drop(server);
                    server =
                        ExampleServer::start_with("recipe", &[("TMPDIR", &kept), ("AGUI_ADDR", &address)]);
                    fs::write(path("started", kills), "").unwrap();
                    kills += 1;
                }
                thread::sleep(Duration::from_millis(10));
            }
            kills
        });
        let browsed = scope
            .spawn(|| PAGE.browse(&chromium, "recipe-restart.mjs", &url, &[], &json!({ "folder": kept })))
            .join();
        is_over.store(true, Ordering::SeqCst);
        browsed.unwrap_or_else(|panic| resume_unwind(panic));
        killing.join().unwrap()
    });
    assert_eq!(kills, 3);
}

#[test]
fn bundle_is_fresh() {
    PAGE.assert_bundle_fresh(&need!(Node::ready()));
}

#[test]
fn page_type_checks() {
    let _ = PAGE.type_check(&need!(Node::ready())).assert_success();
}

/// The page is for the newer client; the generated code is for both, and for Python.
#[test]
fn generated_clients_type_check() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let examples = workspace_dir().join("examples");
    let clients = [
        "hello/ts/agui/hello",
        "shopper/ts/agui/shopper",
        "members/ts/agui/desk",
        "recipe/web/src/agui/cook",
        "tour/ts/agui/human_in_the_loop",
        "tour/ts/agui/plan_maker",
        "tour/ts/agui/shared_state",
    ];
    let clients = clients.map(|client| examples.join(client).join("client.ts"));
    for generation in Generation::ALL {
        let _ = node.type_check("examples", generation, &clients).assert_success();
    }
    for example in ["hello", "shopper", "members", "recipe", "tour"] {
        let _ = python.type_check(&examples.join(example).join("python"), &["agui"]).assert_success();
    }
}
