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
            "Off the heat, beat in the cheese.",
        ],
    },
    Dish {
        words: &["pancake", "pancakes", "breakfast", "sweet"],
        title: "Pancakes",
        ingredients: &[("flour", 80.0, "g"), ("egg", 1.0, ""), ("milk", 150.0, "ml"), ("butter", 10.0, "g")],
        steps: &["Whisk everything into a thin batter.", "Rest it for ten minutes.", "Fry in foaming butter."],
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
        steps: &["Brown the onion.", "Bloom the spices.", "Add tomato and coconut milk.", "Simmer with the chickpeas."],
    },
];

/// What stands in for what, and from which diet on.
const SWAPS: [(&str, &str, Diet); 5] = [
    ("butter", "olive oil", Diet::Vegan),
    ("milk", "oat milk", Diet::Vegan),
    ("egg", "banana", Diet::Vegan),
    ("parmesan", "nutritional yeast", Diet::Vegetarian),
    ("honey", "maple syrup", Diet::Vegan),
];

/// The dish a sentence asks for, for two.
pub fn find(words: &[&str]) -> Option<Recipe> {
    let dish = DISHES.iter().find(|dish| words.iter().any(|word| dish.words.contains(word)))?;
    Some(Recipe {
        title: dish.title.to_owned(),
        servings: 2,
        diet: Diet::Everything,
        ingredients: dish
            .ingredients
            .iter()
            .map(|&(name, amount, unit)| Ingredient {
                name: name.to_owned(),
                amount: amount * 2.0,
                unit: unit.to_owned(),
                price: None,
            })
            .collect(),
        steps: dish.steps.iter().map(|&step| step.to_owned()).collect(),
        order: None,
    })
}

/// The titles of all dishes.
pub fn titles() -> impl Iterator<Item = &'static str> {
    DISHES.iter().map(|dish| dish.title)
}

/// What to use instead of an ingredient for a diet.
pub fn substitute(name: &str, diet: Diet) -> Option<&'static str> {
    SWAPS
        .iter()
        .find(|(from, _, needed)| *from == name && (*needed == diet || diet == Diet::Vegan))
        .map(|&(_, to, _)| to)
}
