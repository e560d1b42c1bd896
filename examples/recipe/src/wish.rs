//! What a person wants, read from their words. A model would do this better; this needs no key and no network.

use crate::cookbook;
use crate::recipe::{Diet, Recipe};

/// One thing the cook can do.
#[derive(Debug, PartialEq)]
pub enum Wish {
    /// Cook this dish.
    Cook(Recipe),
    /// Feed this many.
    Serve(u32),
    /// Make it fit a diet.
    Suit(Diet),
    /// Put an ingredient in.
    Add(String),
    /// Take an ingredient out.
    Without(String),
    /// Ask the shop for prices.
    Price,
    /// Order everything.
    Order,
    /// Fail, to see what failing looks like.
    Burn,
    /// Something else.
    Unclear,
}

impl Wish {
    /// Reads a sentence; the first thing understood wins.
    pub fn read(text: &str) -> Self {
        let text = text.to_lowercase();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
        if has(&["burn", "fire"]) {
            Self::Burn
        } else if has(&["order", "buy"]) {
            Self::Order
        } else if has(&["price", "prices", "cost", "costs", "much"]) {
            Self::Price
        } else if has(&["vegan"]) {
            Self::Suit(Diet::Vegan)
        } else if has(&["vegetarian", "veggie"]) {
            Self::Suit(Diet::Vegetarian)
        } else if let Some(name) = after(&words, &["add", "more"]) {
            Self::Add(name)
        } else if let Some(name) = after(&words, &["without", "remove", "no"]) {
            Self::Without(name)
        } else if let Some(recipe) = cookbook::find(&words) {
            Self::Cook(recipe)
        } else if let Some(servings) = words.iter().find_map(|word| number(word)) {
            Self::Serve(servings)
        } else {
            Self::Unclear
        }
    }
}

fn after(words: &[&str], verbs: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| verbs.contains(word))?;
    let rest: Vec<&str> =
        words.iter().skip(at + 1).copied().filter(|word| !["some", "the", "a", "please"].contains(word)).collect();
    (!rest.is_empty()).then(|| rest.join(" "))
}

fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 8] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    let spelled = WORDS.iter().zip(1..).find(|(name, _)| **name == word).map(|(_, number)| number);
    spelled.or_else(|| word.parse().ok()).filter(|number| (1..=50).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_wishes() {
        let titled = |text: &str| match Wish::read(text) {
            Wish::Cook(recipe) => recipe.title,
            other => panic!("{text:?} was read as {other:?}"),
        };
        assert_eq!(titled("Let's cook a risotto!"), "Mushroom risotto");
        assert_eq!(titled("something sweet"), "Pancakes");
        assert_eq!(Wish::read("for six people please"), Wish::Serve(6));
        assert_eq!(Wish::read("12"), Wish::Serve(12));
        assert_eq!(Wish::read("Make it vegan"), Wish::Suit(Diet::Vegan));
        assert_eq!(Wish::read("add some basil, please"), Wish::Add("basil".to_owned()));
        assert_eq!(Wish::read("without the onion"), Wish::Without("onion".to_owned()));
        assert_eq!(Wish::read("How much is it?"), Wish::Price);
        assert_eq!(Wish::read("Order it"), Wish::Order);
        assert_eq!(Wish::read("hm"), Wish::Unclear);
        assert_eq!(Wish::read(""), Wish::Unclear);
    }
}
