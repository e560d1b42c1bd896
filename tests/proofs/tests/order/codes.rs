//! The official client's messages and our rules have the same names.

use std::{collections::BTreeSet, fs};

use agui_runtime::order::{OrderRule, OrderStrictness};
use agui_tests::outside::tests_dir;

/// The client's messages about frames that are not events: with `null` for an absent member, or without a required one.
/// The reader refuses them, so our verifier never sees them. The programs that would send them are in `mistakes.rs`.
pub(crate) const NEVER_AN_EVENT: [&str; 4] =
    ["V_NULL_FIELD", "V_SUBAGENT_FIELD_MISSING", "V_SUBAGENT_INTERRUPT_IDS", "V_SUBAGENT_OUTCOME"];

#[test]
fn every_official_sentence_about_order_is_a_rule_of_ours() {
    let table = fs::read_to_string(tests_dir().join("oracle/codes.mjs")).unwrap();
    let official: BTreeSet<&str> = table
        .split('"')
        .filter(|text| text.starts_with("V_") && text.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        .collect();
    let ours = OrderRule::ALL
        .iter()
        .filter(|rule| rule.strictness() == OrderStrictness::Client)
        .map(|rule| rule.code());
    assert_eq!(official, ours.chain(NEVER_AN_EVENT).collect());
}
