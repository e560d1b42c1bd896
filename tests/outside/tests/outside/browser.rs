//! A page in a real browser.

use std::fs;

use agui_tests::{
    need,
    outside::{BrowserReport, Chromium},
};
use serde_json::{Value, json};

use crate::{fixed_server::serve, streams};

fn browse(chromium: &Chromium, name: &str, job: &Value) -> BrowserReport {
    chromium.browse(&format!("self-test-{name}"), "self-test.mjs", &serve(streams::right), job)
}

#[test]
fn a_conversation_in_chromium_is_seen_and_pictured() {
    let chromium = need!(Chromium::ready());
    let report = browse(&chromium, "right", &json!({}));
    report.assert_ok();
    assert_eq!(report.value, json!("Hello naïve 日本語 🦀 \u{2028}\nworld"));
    let picture = fs::read(report.screenshot.unwrap()).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 2000, "{} bytes", picture.len());
}

#[test]
fn whatever_a_page_complains_about_is_trouble() {
    let chromium = need!(Chromium::ready());
    for (kind, text) in
        [("console.error", "deliberate"), ("exception", "Error: deliberate"), ("response", "/missing: 404")]
    {
        let report = browse(&chromium, kind, &json!({ "break": kind }));
        assert!(!report.ok, "{report:#?}");
        assert_eq!(report.failure, None);
        let found = report.trouble.iter().any(|trouble| trouble.kind == kind && trouble.text.contains(text));
        assert!(found, "{report:#?}");
    }
}

#[test]
fn trouble_made_on_purpose_must_come_and_no_other() {
    let chromium = need!(Chromium::ready());
    let job = |made: &str, expected: &str| json!({ "break": made, "expect": expected });
    browse(&chromium, "expected", &job("console.error", "console.error")).assert_ok();
    let report = browse(&chromium, "unexpected", &job("console.error", "exception"));
    let kinds: Vec<_> = report.trouble.iter().map(|trouble| trouble.kind.as_str()).collect();
    assert_eq!(kinds, ["console.error", "missing"], "{report:#?}");
    assert!(!report.ok);
}

#[test]
fn a_script_that_does_not_get_through_says_where_it_was() {
    let chromium = need!(Chromium::ready());
    let report = browse(&chromium, "form", &json!({ "break": "form", "stepMs": 500 }));
    assert!(!report.ok);
    assert!(report.failure.as_deref().is_some_and(|text| text.contains("Question")), "{report:#?}");
    assert!(report.screenshot.unwrap().exists(), "the last picture is worth most here");

    let report = browse(&chromium, "hang", &json!({ "break": "hang", "timeoutMs": 1000 }));
    assert!(!report.ok);
    assert!(
        report.failure.as_deref().is_some_and(|text| text.contains("did not end within 1000 ms")),
        "{report:#?}"
    );
}
