//! The dishes the cook knows.

use crate::recipe::{Diet, Ingredient, Recipe};

/// Amounts are for one person.
struct Dish {
    words: &'static [&'static str],
    title: &'static str,
    ingredients: &'static [(&'static str, f64, &'static str)],
    steps: &'static [&'static str],
}

const DISHES: [Dish; 3] = [
    Dish {
        words: &["risotto", "rice", "italian"],
        title: "Mushroom risotto",
        ingredients: &[
            ("onion", 0.5, ""),
            ("butter", 15.0, "g"),
            ("rice", 90.0, "g"),
            ("stock", 300.0, "ml"),
            ("mushroom", 80.0, "g"),
            ("parmesan", 25.0, "g"),
        ],
        steps: &[
            "Soften the onion without colour.",
            "Toast the rice until it clicks.",
            "Add the stock, a ladle at a time, stirring.",
            "Fry the mushrooms hard and fold them in.",
            "Off the heat, beat in the parmesan.",
        ],
    },
    Dish {
        words: &["pancake", "pancakes", "breakfast", "sweet"],
        title: "Pancakes",
        ingredients: &[("flour", 80.0, "g"), ("egg", 1.0, ""), ("milk", 150.0, "ml"), ("butter", 10.0, "g")],
        steps: &[
            "Whisk everything into a thin batter.",
            "Rest it for ten minutes.",
            "Fry in foaming butter.",
        ],
    },
    Dish {
        words: &["curry", "spicy", "chickpeas"],
        title: "Chickpea curry",
        ingredients: &[
            ("onion", 0.5, ""),
            ("curry powder", 5.0, "g"),
            ("tomato", 150.0, "g"),
            ("coconut milk", 100.0, "ml"),
            ("chickpea", 120.0, "g"),
        ],
        steps: &[
            "Brown the onion.",
            "Bloom the spices.",
            "Add tomato and coconut milk.",
            "Simmer with the chickpeas.",
        ],
    },
];

/// The ingredients that can be added to any dish, for one person.
const EXTRAS: [(&str, f64, &str); 6] = [
    ("basil", 0.5, ""),
    ("salt", 2.0, "g"),
    ("honey", 10.0, "g"),
    ("olive oil", 10.0, "g"),
    ("banana", 1.0, ""),
    ("saffron", 0.1, "g"),
];

/// The substitutes, each with the first diet that needs it.
const SWAPS: [(&str, &str, Diet); 5] = [
    ("parmesan", "nutritional yeast", Diet::Vegetarian),
    ("butter", "olive oil", Diet::Vegan),
    ("milk", "oat milk", Diet::Vegan),
    ("egg", "banana", Diet::Vegan),
    ("honey", "maple syrup", Diet::Vegan),
];

/// The dish that a sentence names, for two.
pub fn find(words: &[&str]) -> Option<Recipe> {
    let dish = DISHES.iter().find(|dish| words.iter().any(|word| dish.words.contains(word)))?;
    Some(Recipe {
        title: dish.title.to_owned(),
        servings: 2,
        diet: Diet::Everything,
        ingredients: dish.ingredients.iter().map(|listed| ingredient(listed, 2)).collect(),
        steps: dish.steps.iter().map(|&step| step.to_owned()).collect(),
        order: None,
    })
}

fn ingredient(&(name, amount, unit): &(&str, f64, &str), servings: u32) -> Ingredient {
    let amount = amount * f64::from(servings);
    Ingredient { name: name.to_owned(), amount, unit: unit.to_owned(), price: None }
}

/// The amount for some servings; one piece each of an unknown ingredient.
pub fn portion(name: &str, servings: u32) -> Ingredient {
    let listed = listed().find(|(known, ..)| *known == name);
    ingredient(listed.unwrap_or(&(name, 1.0, "")), servings)
}

/// The name in the books: `mushrooms` is `mushroom` here.
pub fn name_of(said: &str) -> &str {
    let endings = ["", "s", "es"].into_iter().filter_map(|ending| said.strip_suffix(ending));
    endings.into_iter().find(|name| listed().any(|(known, ..)| known == name)).unwrap_or(said)
}

fn listed() -> impl Iterator<Item = &'static (&'static str, f64, &'static str)> {
    DISHES.iter().flat_map(|dish| dish.ingredients).chain(&EXTRAS)
}

/// The titles of all dishes.
pub fn titles() -> impl Iterator<Item = &'static str> {
    DISHES.iter().map(|dish| dish.title)
}

/// A substitute for an ingredient that does not suit a diet.
pub fn substitute(name: &str, diet: Diet) -> Option<&'static str> {
    SWAPS.iter().find(|(from, _, needed)| *from == name && diet >= *needed).map(|&(_, to, _)| to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ingredients_go_by_one_name() {
        for (said, name) in [
            ("mushrooms", "mushroom"),
            ("tomatoes", "tomato"),
            ("chickpea", "chickpea"),
            ("coconut milk", "coconut milk"),
            ("hummus", "hummus"),
        ] {
            assert_eq!(name_of(said), name);
        }
        assert_eq!(portion("egg", 3).amount, 3.0);
        assert_eq!((portion("hummus", 3).amount, portion("hummus", 3).unit.as_str()), (3.0, ""));
    }

    #[test]
    fn substitutes_suit_the_diet() {
        for diet in [Diet::Everything, Diet::Vegetarian, Diet::Vegan] {
            for (from, to, needed) in SWAPS {
                assert_eq!(substitute(from, diet), (diet >= needed).then_some(to));
                assert_eq!(substitute(to, diet), None, "{to} would be swapped again");
            }
        }
    }
}
