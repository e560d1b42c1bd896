//! The wish of a user, read from their words. A model would do this better; this needs no key and no network.

use crate::cookbook;
use crate::recipe::{Diet, Recipe};

/// A request that the cook understands.
#[derive(Debug, PartialEq)]
pub enum Wish {
    /// Cook this dish, as it is in the book or adapted.
    Cook {
        /// The dish, for two.
        dish: Recipe,
        /// The number of people.
        servings: Option<u32>,
        /// To suit a diet.
        diet: Option<Diet>,
    },
    /// Change the number of people.
    Serve(u32),
    /// Multiply the number of people, and divide it.
    Scale {
        /// The factor.
        times: u32,
        /// The divisor.
        over: u32,
    },
    /// Adapt to a diet.
    Suit(Diet),
    /// Put an ingredient in.
    Add {
        /// Its name in the books.
        name: String,
        /// The amount and its unit, if the user said one.
        amount: Option<(f64, String)>,
    },
    /// Take an ingredient out.
    Without(String),
    /// Ask the shop for prices.
    Price,
    /// Order everything.
    Order,
    /// Fail, to show a failure.
    Burn,
    /// Something else.
    Unclear,
}

impl Wish {
    /// Reads a sentence; the first match wins.
    pub fn read(text: &str) -> Self {
        let text = text.to_lowercase();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
        if has(&["burn", "fire"]) {
            Self::Burn
        } else if has(&["order", "buy"]) {
            Self::Order
        } else if has(&["price", "prices", "cost", "costs", "much", "total", "sum"]) {
            Self::Price
        } else if let Some(rest) = after(&words, &["add"]) {
            let (amount, name) = amount(&rest);
            if name.is_empty() { Self::Unclear } else { Self::Add { name: name_of(name), amount } }
        } else if let Some(name) = after(&words, &["without", "remove", "no"]) {
            Self::Without(name_of(&name))
        } else if let Some((times, over)) = factor(&words) {
            Self::Scale { times, over }
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

/// Returns the words behind a verb, without those that say nothing.
fn after<'t>(words: &[&'t str], verbs: &[&str]) -> Option<Vec<&'t str>> {
    const FILLERS: [&str; 10] = ["some", "more", "the", "a", "an", "any", "please", "thanks", "thank", "you"];
    let at = words.iter().position(|word| verbs.contains(word))?;
    let rest: Vec<&str> = words.iter().skip(at + 1).copied().filter(|word| !FILLERS.contains(word)).collect();
    (!rest.is_empty()).then_some(rest)
}

fn name_of(words: &[&str]) -> String {
    cookbook::name_of(&words.join(" ")).to_owned()
}

/// Splits `2 cloves of garlic` and `200g rice` into an amount and the rest.
fn amount<'w, 't>(words: &'w [&'t str]) -> (Option<(f64, String)>, &'w [&'t str]) {
    let [first, rest @ ..] = words else { return (None, words) };
    let digits = first.len() - first.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, glued) = first.split_at(digits);
    let Some(count) = number(if count.is_empty() { first } else { count }) else { return (None, words) };
    let (unit, rest) = match (glued, rest) {
        (unit, rest) if !count_only(digits, unit) => (unit, rest),
        (_, [unit, rest @ ..])
            if rest.first().is_some_and(|next| *next == "of" || unit_of(unit).is_some()) =>
        {
            (*unit, rest)
        }
        (_, rest) => ("", rest),
    };
    let rest = rest.strip_prefix(&["of"]).unwrap_or(rest);
    let (unit, factor) = unit_of(unit).unwrap_or((unit.strip_suffix('s').unwrap_or(unit), 1));
    (Some((f64::from(count) * f64::from(factor), unit.to_owned())), rest)
}

/// Returns true if a word is a number and nothing else: spelled, or all digits.
fn count_only(digits: usize, glued: &str) -> bool {
    digits == 0 || glued.is_empty()
}

/// Returns the unit of the books, and how many of it are one of this unit.
fn unit_of(word: &str) -> Option<(&'static str, u32)> {
    Some(match word {
        "g" | "gram" | "grams" => ("g", 1),
        "kg" | "kilo" | "kilos" => ("g", 1000),
        "ml" => ("ml", 1),
        "l" | "litre" | "litres" | "liter" | "liters" => ("ml", 1000),
        "clove" | "cloves" => ("clove", 1),
        "cup" | "cups" => ("cup", 1),
        "pinch" | "pinches" => ("pinch", 1),
        "slice" | "slices" => ("slice", 1),
        "spoon" | "spoons" | "tablespoon" | "tablespoons" | "tbsp" => ("tbsp", 1),
        "teaspoon" | "teaspoons" | "tsp" => ("tsp", 1),
        _ => return None,
    })
}

/// Returns the factor and the divisor of `double it`.
fn factor(words: &[&str]) -> Option<(u32, u32)> {
    words.iter().find_map(|word| match *word {
        "double" | "twice" => Some((2, 1)),
        "triple" => Some((3, 1)),
        "half" | "halve" => Some((1, 2)),
        _ => None,
    })
}

fn diet(words: &[&str]) -> Option<Diet> {
    words.iter().find_map(|word| match *word {
        "vegan" => Some(Diet::Vegan),
        "vegetarian" | "veggie" => Some(Diet::Vegetarian),
        _ => None,
    })
}

/// A number of people: `for six`, `12 people`, or only a number.
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

    fn add(name: &str, amount: Option<(f64, &str)>) -> Wish {
        let amount = amount.map(|(count, unit)| (count, unit.to_owned()));
        Wish::Add { name: name.to_owned(), amount }
    }

    #[test]
    fn words_become_wishes() {
        for (text, wish) in [
            ("for six people please", Wish::Serve(6)),
            ("12", Wish::Serve(12)),
            ("there are 0 guests", Wish::Serve(0)),
            ("I have 30 minutes", Wish::Unclear),
            ("Make it vegan", Wish::Suit(Diet::Vegan)),
            ("add some basil, please", add("basil", None)),
            ("Add more mushrooms!", add("mushroom", None)),
            ("add rice", add("rice", None)),
            ("add 2 cloves of garlic", add("garlic", Some((2.0, "clove")))),
            ("add two eggs", add("egg", Some((2.0, "")))),
            ("add 200g rice", add("rice", Some((200.0, "g")))),
            ("add 1 kg of tomatoes", add("tomato", Some((1000.0, "g")))),
            ("add 3 sprigs of thyme", add("thyme", Some((3.0, "sprig")))),
            ("add coconut milk", add("coconut milk", None)),
            ("add 2", Wish::Unclear),
            ("add", Wish::Unclear),
            ("double it", Wish::Scale { times: 2, over: 1 }),
            ("half of that please", Wish::Scale { times: 1, over: 2 }),
            ("what's the total?", Wish::Price),
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
