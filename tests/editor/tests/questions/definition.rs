//! The place to which a name leads: one, and the function of a tool or an agent.

use agui_editor::Definition;

use crate::{session, word};

/// Asks where a word is defined, and expects this one place.
fn check(around: &str, of: &str, file: &str, line: &str) {
    let found = session().definitions(word(around, of));
    let expected = [Definition { file: file.to_owned(), line: line.to_owned() }];
    assert_eq!(found, expected, "`{of}` in `{around}`");
}

const PRICE: &str = "pub async fn price(prices: &Prices, wanted: Item) -> u32 {";
const CLERK: &str = "pub async fn clerk(";
const PACKER: &str = "pub async fn packer(run: &mut Run<Packer>, _: Input<Packer>) -> Result<(), Stop> {";

#[test]
fn an_entry_of_the_tools_leads_to_its_function() {
    check("tools = [price,", "price", "lib.rs", PRICE);
    check(
        "price, add,",
        "add",
        "lib.rs",
        "pub async fn add(basket: &StateHandle<Basket>, item: Item) -> Result<(), StateError> {",
    );
    check("add, refund,", "refund", "lib.rs", "pub async fn refund(cents: u32) -> bool {");
    check("refund, confirm,", "confirm", "lib.rs", "pub async fn confirm(total: u32) -> bool;");
    check("confirm, count,", "count", "stock.rs", "pub async fn count(name: String) -> usize {");
    check("count, stock::weigh,", "weigh", "stock.rs", "pub async fn weigh(grams: u32) -> u32 {");
}

#[test]
fn an_agent_among_the_tools_leads_to_its_function() {
    check("stock::weigh, Packer]", "Packer", "lib.rs", PACKER);
}

#[test]
fn the_type_of_an_agent_leads_to_its_function() {
    check("run: &mut Run<Clerk>", "Clerk", "lib.rs", CLERK);
    check("input: Input<Clerk>", "Clerk", "lib.rs", CLERK);
    check("open() -> Clerk", "Clerk", "lib.rs", CLERK);
    check("    Clerk::new(", "Clerk", "lib.rs", CLERK);
    check("packer: &Arc<Packer>", "Packer", "lib.rs", PACKER);
}

#[test]
fn a_call_leads_to_the_function_of_the_tool() {
    check("run.call(price {", "price", "lib.rs", PRICE);
    check("price(&Prices {", "price", "lib.rs", PRICE);
    check("price { wanted: rice", "wanted", "lib.rs", PRICE);
}
