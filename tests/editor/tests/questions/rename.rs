//! References to a tool, and what the program is once it has another name.

use std::collections::{BTreeMap, BTreeSet};

use agui_editor::{Place, compile};

use crate::{session, word};

/// Renames a word, compiles the result, and expects these lines to have the new name.
fn check(place: Place<'_>, name: &str, expected: &[&str]) {
    let files = session().rename(place, name);
    if let Err(errors) = compile(&files) {
        panic!("{place:?} as `{name}` does not compile:\n{errors}");
    }
    assert_eq!(lines(&files, name), expected, "{place:?}");
}

fn lines(files: &BTreeMap<String, String>, name: &str) -> Vec<String> {
    let has_name = |line: &&str| {
        line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
    };
    files.values().flat_map(|text| text.lines().filter(has_name).map(|line| line.trim().to_owned())).collect()
}

const COST: [&str; 4] = [
    "pub async fn cost(prices: &Prices, wanted: Item) -> u32 {",
    "#[agent(state = Basket, tools = [cost, add, refund, confirm, count, stock::weigh, Packer])]",
    "let cents = run.call(cost { wanted: rice }).await?.run().await;",
    "cost(&Prices { rice: 180 }, item).await",
];

#[test]
fn the_new_name_of_a_tool_is_in_lists_and_calls() {
    check(word("pub async fn price(", "price"), "cost", &COST);
}

#[test]
fn a_tool_can_be_renamed_in_the_list() {
    check(word("tools = [price,", "price"), "cost", &COST);
}

#[test]
fn the_new_name_of_a_tool_is_in_other_modules() {
    let expected = [
        "use stock::tally;",
        "#[agent(state = Basket, tools = [price, add, refund, confirm, tally, stock::weigh, Packer])]",
        "pub async fn tally(name: String) -> usize {",
    ];
    let place = Place { file: "stock.rs", around: "pub async fn count(", word: "count" };
    check(place, "tally", &expected);
}

#[test]
fn references_to_a_tool_are_its_function_lists_and_calls() {
    let found = session().references(word("pub async fn price(", "price"));
    let found: BTreeSet<_> = found.iter().map(|place| place.line.as_str()).collect();
    let price = COST.map(|line| line.replace("cost", "price"));
    assert_eq!(found, price.iter().map(String::as_str).collect());
}
