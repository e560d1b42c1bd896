//! The text that is shown for a name.

use crate::{session, word};

/// Asks about a word, and expects these lines in what is shown.
fn check(around: &str, of: &str, expected: &[&str]) {
    let shown = session().hover(word(around, of));
    for line in expected {
        assert!(shown.contains(line), "`{of}` in `{around}`: no `{line}` in\n{shown}");
    }
    assert!(!shown.contains("__Agui"), "`{of}` in `{around}` shows generated names:\n{shown}");
}

#[test]
fn a_tool_in_a_list_shows_its_signature_and_its_description() {
    let signature = "pub async fn price(prices: &Prices, wanted: Item) -> u32";
    check("tools = [price,", "price", &[signature, "Looks up what something costs."]);
    check(
        "confirm, count,",
        "count",
        &["pub async fn count(name: String) -> usize", "Counts what is in stock."],
    );
    check("refund, confirm,", "confirm", &["pub total: u32", "Asks the customer if that is all."]);
}

#[test]
fn an_argument_shows_its_type() {
    check("if wanted.name", "wanted", &["wanted: Item"]);
    check("price { wanted: rice", "wanted", &["pub wanted: Item"]);
}

#[test]
fn the_type_of_an_agent_shows_its_description_and_its_dependencies() {
    let expected = ["pub struct Clerk", "prices: Prices", "Sells things."];
    check("run: &mut Run<Clerk>", "Clerk", &expected);
    check("open() -> Clerk", "Clerk", &expected);
    check("stock::weigh, Packer]", "Packer", &["pub struct Packer", "Packs what was bought."]);
}
