//! Completion inside of functions that are half written.

use agui_editor::after;

use crate::session;

/// Asks for completion behind `written`, in the place of a comment, and expects these names among the answers.
fn check(comment: &str, written: &str, expected: &[&str]) {
    let mut session = session();
    let (text, position) = after(&session.saved("lib.rs"), comment, written);
    let found = session.complete("lib.rs", &text, &position);
    let missing: Vec<_> = expected.iter().filter(|name| !found.contains(**name)).collect();
    assert!(missing.is_empty(), "`{written}` {comment}: {missing:?} are not among {found:?}");
}

#[test]
fn a_half_written_tool_knows_its_argument() {
    check("in the tool", "wanted.", &["name", "cents"]);
    check("in the tool", "let cents = wanted.", &["name", "cents"]);
}

#[test]
fn a_half_written_tool_knows_the_state() {
    check("in the tool with the state", "basket.", &["update", "read", "resend", "patch"]);
    check("in the tool with the state", "basket.update(|basket| basket.", &["items"]);
}

#[test]
fn a_half_written_agent_knows_its_run() {
    check(
        "in the agent",
        "run.",
        &["say", "message", "call", "open_call", "step", "reasoning", "think", "activity", "custom"],
    );
    check("in the agent", "run.say(\"Rice\").", &["await"]);
    check("in the agent", "prices.", &["rice"]);
    check("in the agent", "basket.read(|basket| basket.", &["items"]);
}

#[test]
fn a_half_written_call_knows_the_arguments_of_the_tool() {
    check("in the agent", "let call = run.call(price { ", &["wanted"]);
}
