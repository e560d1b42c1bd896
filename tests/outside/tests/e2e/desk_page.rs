//! The desk's page: its TypeScript, its bundle, and conversations of customers in a browser.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agui_tests::model_server::{Answer, Server};
use agui_tests::need;
use agui_tests::outside::{Chromium, ExampleServer, Node, target_dir};
use serde_json::json;

use crate::page::{Page, type_check};

const PAGE: Page = Page("desk");

#[test]
fn a_customer_gets_a_part_of_the_money_back() {
    let chromium = need!(Chromium::ready());
    let pictures =
        ["start", "desktop", "edited", "again", "done", "dark", "phone-320", "phone-390", "phone-done"];
    let server = ExampleServer::start("desk");
    PAGE.browse(&chromium, "desk.mjs", server.url(), &pictures, &json!({}));
}

#[test]
fn a_customer_refuses_by_the_keyboard() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("desk");
    PAGE.browse(&chromium, "desk-refuse.mjs", server.url(), &["refusing", "refused"], &json!({}));
}

#[test]
fn a_customer_finds_conversations_again() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start_with("desk", &[("AGUI_THREADS", "memory")]);
    PAGE.browse(&chromium, "desk-threads.mjs", server.url(), &["list", "phone"], &json!({}));
}

#[test]
fn a_late_title_is_listed_without_another_message() {
    let chromium = need!(Chromium::ready());
    let model = Server::start([
        Answer::turn(&["Good day."], &[]),
        // Six seconds together: the list was read several times before.
        Answer::turn(&["A ", "greeting"], &[]).paced(Duration::from_millis(1500)),
    ]);
    let variables = [("AGUI_THREADS", "memory"), ("AGUI_MODEL", &model.address())];
    let server = ExampleServer::start_with("desk", &variables);
    PAGE.browse(&chromium, "desk-titles.mjs", server.url(), &["titled"], &json!({}));
}

#[test]
fn text_streams_in_and_failures_can_be_tried_again() {
    let chromium = need!(Chromium::ready());
    let greeting = ["Good ", "day, ", "how can ", "I help ", "you with ", "your ", "order?"];
    let mut broken_off = Answer::turn(&["Your ket"], &[]);
    broken_off.pieces.truncate(1);
    let model = Server::start([
        Answer::turn(&greeting, &[]).paced(Duration::from_millis(80)),
        Answer::turn(&[], &[("order", json!({ "number": 8 }))]),
        broken_off,
        Answer::turn(&["Your kettle is broken: shall I refund it?"], &[]),
        Answer::turn(&[], &[("refund", json!({ "number": 8, "cents": 5900 }))]),
        Answer::turn(&["Done."], &[]),
        Answer::turn(&["You ", "are ", "welcome."], &[]).paced(Duration::from_secs(5)),
    ]);
    let server = ExampleServer::start_with("desk", &[("AGUI_MODEL", &model.address())]);
    PAGE.browse(&chromium, "desk-trouble.mjs", server.url(), &["failed"], &json!({}));
    // The try after the failure has the order, and not the half of a sentence.
    let asked: Vec<_> = model.requests().into_iter().map(|(_, body)| body["messages"].clone()).collect();
    let newest: Vec<_> = asked.iter().map(|messages| messages.as_array().unwrap().last()).collect();
    assert_eq!(asked.len(), 7, "{newest:#?}");
    assert_eq!(asked[3], asked[2]);
    // The refund was paid once.
    assert_eq!(asked[5].to_string().matches("refunded\\\":5900").count(), 1, "{:#}", asked[5]);
}

#[test]
fn the_bundle_is_fresh() {
    PAGE.assert_bundle_fresh(&need!(Node::ready()));
}

#[test]
fn the_page_type_checks() {
    let _ = PAGE.type_check(&need!(Node::ready())).assert_success();
}

/// The page uses the types that are generated from Rust: with other names in them it does not compile.
#[test]
fn a_renamed_field_does_not_type_check() {
    let node = need!(Node::ready());
    let changed = target_dir().join("outside/desk-renamed");
    for folder in ["web/src", "ts/agui", "ts/agui/desk"] {
        copy_files(&PAGE.path(folder), &changed.join(folder));
    }
    fs::copy(PAGE.path("web/tsconfig.json"), changed.join("web/tsconfig.json")).unwrap();
    let unchanged = type_check(&node, "desk-renamed", &changed.join("web"));
    assert!(unchanged.status.success(), "{unchanged}");
    let types = changed.join("ts/agui/desk/types.ts");
    let text = fs::read_to_string(&types).unwrap();
    for (name, other, places) in [
        ("refunded: number", "repaid: number", ["receipt.ts", "suggestions.ts"]),
        (
            "RefundArguments = {\n  number: number;\n  cents: number",
            "RefundArguments = {\n  number: number;\n  amount: number",
            ["question.ts", "tools.ts"],
        ),
        ("editedArgs?", "changedArgs?", ["conversation.ts", "question.ts"]),
    ] {
        assert!(text.contains(name), "{name}");
        fs::write(&types, text.replace(name, other)).unwrap();
        let checked = type_check(&node, "desk-renamed", &changed.join("web"));
        assert!(!checked.status.success(), "{name}: {checked}");
        for place in places {
            assert!(checked.stdout.contains(place), "{name} in {place}: {checked}");
        }
    }
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}
