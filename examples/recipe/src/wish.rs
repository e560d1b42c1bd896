//! What a person wants, read from their words. A model would do this better; this needs no key and no network.

use crate::cookbook;
use crate::recipe::{Diet, Recipe};

/// One thing the cook can do.
#[derive(Debug, PartialEq)]
pub enum Wish {
    /// Cook this dish, as it is in the book or made to fit.
    Cook {
        /// The dish, for two.
        dish: Recipe,
        /// For this many.
        servings: Option<u32>,
        /// To suit a diet.
        diet: Option<Diet>,
    },
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
        } else if let Some(name) = after(&words, &["add"]) {
            Self::Add(name)
        } else if let Some(name) = after(&words, &["without", "remove", "no"]) {
            Self::Without(name)
        } else if let Some(dish) = cookbook::find(&words) {
            Self::Cook { dish, servings: servings(&words), diet: diet(&words) }
        } else if let Some(diet) = diet(&words) {
            Self::Suit(diet)
        } else if let Some(servings) = servings(&words) {
            Self::Serve(servings)
        } else {
            Self::Unclear
        }
    }
}

fn after(words: &[&str], verbs: &[&str]) -> Option<String> {
    const FILLERS: [&str; 10] = ["some", "more", "the", "a", "an", "any", "please", "thanks", "thank", "you"];
    let at = words.iter().position(|word| verbs.contains(word))?;
    let rest: Vec<&str> = words.iter().skip(at + 1).copied().filter(|word| !FILLERS.contains(word)).collect();
    (!rest.is_empty()).then(|| cookbook::name_of(&rest.join(" ")).to_owned())
}

fn diet(words: &[&str]) -> Option<Diet> {
    words.iter().find_map(|word| match *word {
        "vegan" => Some(Diet::Vegan),
        "vegetarian" | "veggie" => Some(Diet::Vegetarian),
        _ => None,
    })
}

/// A number of people: `for six`, `12 people`, or nothing but a number.
fn servings(words: &[&str]) -> Option<u32> {
    words.iter().enumerate().find_map(|(at, word)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let about_people = words.len() == 1
            || before.is_some_and(|word| ["for", "of", "serve", "serves"].contains(word))
            || words
                .get(at + 1)
                .is_some_and(|word| ["people", "persons", "guests", "servings"].contains(word));
        number(word).filter(|_| about_people)
    })
}

fn number(word: &str) -> Option<u32> {
    const WORDS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let spelled = WORDS.iter().zip(1..).find(|(name, _)| **name == word).map(|(_, number)| number);
    spelled.or_else(|| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_wishes() {
        for (text, wish) in [
            ("for six people please", Wish::Serve(6)),
            ("12", Wish::Serve(12)),
            ("there are 0 guests", Wish::Serve(0)),
            ("I have 30 minutes", Wish::Unclear),
            ("Make it vegan", Wish::Suit(Diet::Vegan)),
            ("add some basil, please", Wish::Add("basil".to_owned())),
            ("Add more mushrooms!", Wish::Add("mushroom".to_owned())),
            ("add rice", Wish::Add("rice".to_owned())),
            ("without the onions", Wish::Without("onion".to_owned())),
            ("no, thank you", Wish::Unclear),
            ("How much is it?", Wish::Price),
            ("Order it", Wish::Order),
            ("burn it", Wish::Burn),
            ("hm", Wish::Unclear),
            ("", Wish::Unclear),
        ] {
            assert_eq!(Wish::read(text), wish, "{text:?}");
        }
    }

    #[test]
    fn a_dish_may_come_with_a_diet_and_a_number() {
        for (text, title, people, suits) in [
            ("Let's cook a risotto!", "Mushroom risotto", None, None),
            ("something sweet", "Pancakes", None, None),
            ("a vegan curry for four", "Chickpea curry", Some(4), Some(Diet::Vegan)),
        ] {
            let Wish::Cook { dish, servings, diet } = Wish::read(text) else { panic!("no dish in {text:?}") };
            assert_eq!((dish.title.as_str(), servings, diet), (title, people, suits));
        }
    }
}
