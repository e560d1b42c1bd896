//! The cook: reads a wish, talks, and edits the recipe while talking.

use std::time::Duration;

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cookbook;
use crate::recipe::{Cents, Diet, Ingredient, Order, Recipe};
use crate::shop::{Shop, price};
use crate::wish::Wish;

/// Asks the person to confirm before anything is ordered.
#[tool(frontend)]
pub async fn confirm_order(
    /// What everything costs together.
    total: Cents,
    /// The names of what would be ordered.
    items: Vec<String>,
) -> Confirmation;

/// What the person says to an order.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// Whether to order.
    pub approved: bool,
    /// A word to the shop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Something is in the pan: the page may sizzle.
#[derive(CustomEvent, Serialize, JsonSchema, Clone, Debug)]
pub struct Sizzle {
    /// What is in the pan.
    pub ingredient: String,
}

/// Cooks with you: keeps the recipe on the page, prices it, orders it.
#[agent(state = Recipe, tools = [price, confirm_order], events = [Sizzle])]
pub async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop) -> Result<(), Stop> {
    let recipe = run.state().adopt_or_snapshot(&input).await?;
    if let Some(answer) = input.answer::<confirm_order>()? {
        return close_order(run, recipe, shop, answer).await;
    }
    match Wish::read(&input.user_text().unwrap_or_default()) {
        Wish::Cook(dish) => start_dish(run, recipe, dish).await,
        Wish::Serve(servings) => scale(run, recipe, servings).await,
        Wish::Suit(diet) => adapt(run, recipe, diet).await,
        Wish::Add(name) => add(run, recipe, name).await,
        Wish::Without(name) => leave_out(run, recipe, name).await,
        Wish::Price => ask_prices(run, recipe).await.map(drop),
        Wish::Order => propose_order(run, recipe).await,
        Wish::Burn => {
            let mut text = run.message().await;
            say(&mut text, "Is something burning? I should ").await;
            Err(Stop::error("the kitchen is on fire").with_code("KITCHEN_FIRE"))
        }
        Wish::Unclear => {
            let dishes: Vec<_> = cookbook::titles().collect();
            let mut text = run.message().await;
            say(&mut text, &format!("I can cook {}. What would you like?", dishes.join(", "))).await;
            Ok(())
        }
    }
}

async fn start_dish(run: &Run<Cook>, recipe: &StateHandle<Recipe>, dish: Recipe) -> Result<(), Stop> {
    let mut text = run.message().await;
    say(&mut text, &format!("{} it is! First the shopping list. ", dish.title)).await;
    recipe.update(|now| *now = Recipe { ingredients: vec![], steps: vec![], ..dish.clone() }).await?;
    for ingredient in dish.ingredients {
        run.custom(Sizzle { ingredient: ingredient.name.clone() }).await?;
        recipe.update(|now| now.ingredients.push(ingredient)).await?;
        pause().await;
    }
    say(&mut text, "And this is how it goes. ").await;
    for step in dish.steps {
        recipe.update(|now| now.steps.push(step)).await?;
        pause().await;
    }
    say(&mut text, "For how many people shall I cook?").await;
    Ok(())
}

async fn scale(run: &Run<Cook>, recipe: &StateHandle<Recipe>, servings: u32) -> Result<(), Stop> {
    recipe
        .update(|now| {
            let factor = f64::from(servings) / f64::from(now.servings.max(1));
            for ingredient in &mut now.ingredients {
                ingredient.amount *= factor;
                ingredient.price = None;
            }
            now.servings = servings;
            now.order = None;
        })
        .await?;
    let mut text = run.message().await;
    say(&mut text, &format!("Enough for {servings} now.")).await;
    Ok(())
}

async fn adapt(run: &Run<Cook>, recipe: &StateHandle<Recipe>, diet: Diet) -> Result<(), Stop> {
    let swaps = recipe.read(|now| {
        let swap = |ingredient: &Ingredient| {
            cookbook::substitute(&ingredient.name, diet).map(|other| (ingredient.name.clone(), other))
        };
        now.ingredients.iter().filter_map(swap).collect::<Vec<_>>()
    })?;
    let mut text = run.message().await;
    recipe.update(|now| now.diet = diet).await?;
    if swaps.is_empty() {
        say(&mut text, "Nothing to change, it suits them already.").await;
    }
    for (from, to) in swaps {
        say(&mut text, &format!("{to} instead of {from}. ")).await;
        recipe
            .update(|now| {
                for ingredient in now.ingredients.iter_mut().filter(|ingredient| ingredient.name == from) {
                    ingredient.name = to.to_owned();
                    ingredient.price = None;
                }
            })
            .await?;
    }
    Ok(())
}

async fn add(run: &Run<Cook>, recipe: &StateHandle<Recipe>, name: String) -> Result<(), Stop> {
    let mut text = run.message().await;
    say(&mut text, &format!("{name} goes in.")).await;
    recipe
        .update(|now| {
            let amount = f64::from(now.servings.max(1));
            now.ingredients.push(Ingredient { name, amount, unit: String::new(), price: None });
        })
        .await?;
    Ok(())
}

async fn leave_out(run: &Run<Cook>, recipe: &StateHandle<Recipe>, name: String) -> Result<(), Stop> {
    let gone = recipe
        .update(|now| {
            let before = now.ingredients.len();
            now.ingredients.retain(|ingredient| ingredient.name != name);
            before - now.ingredients.len()
        })
        .await?;
    let mut text = run.message().await;
    let answer = if gone > 0 { format!("No more {name}.") } else { format!("There is no {name} in it.") };
    say(&mut text, &answer).await;
    Ok(())
}

/// Asks the shop for every price that is missing; gives the names of what it does not have.
async fn ask_prices(run: &Run<Cook>, recipe: &StateHandle<Recipe>) -> Result<Vec<String>, Stop> {
    let _asking = run.step("prices").await;
    let missing = recipe.read(|now| {
        let unpriced = now.ingredients.iter().filter(|ingredient| ingredient.price.is_none());
        unpriced.map(|ingredient| (ingredient.name.clone(), ingredient.amount)).collect::<Vec<_>>()
    })?;
    let mut unavailable = Vec::new();
    for (name, amount) in missing {
        let call = run.call(price { name: name.clone(), amount }).await?;
        match call.run().await {
            Ok(cents) => {
                recipe
                    .update(|now| {
                        for ingredient in now.ingredients.iter_mut().filter(|other| other.name == name) {
                            ingredient.price = Some(cents);
                        }
                    })
                    .await?;
            }
            Err(_) => unavailable.push(name),
        }
        pause().await;
    }
    let total = recipe.read(Recipe::total)?;
    let mut text = run.message().await;
    say(&mut text, &format!("Together that is {total}.")).await;
    if !unavailable.is_empty() {
        say(&mut text, &format!(" The shop has no {}.", unavailable.join(", "))).await;
    }
    Ok(unavailable)
}

async fn propose_order(run: &Run<Cook>, recipe: &StateHandle<Recipe>) -> Result<(), Stop> {
    if recipe.read(|now| now.ingredients.is_empty())? {
        run.say("There is nothing to order yet. What shall we cook?").await;
        return Ok(());
    }
    let unavailable = ask_prices(run, recipe).await?;
    let (total, items) = recipe.read(|now| {
        let names = now.ingredients.iter().map(|ingredient| ingredient.name.clone());
        (now.total(), names.filter(|name| !unavailable.contains(name)).collect())
    })?;
    recipe.update(|now| now.order = Some(Order::Proposed { total })).await?;
    let call = run.call(confirm_order { total, items }).await?;
    Err(Stop::await_frontend([call]))
}

async fn close_order(
    run: &Run<Cook>,
    recipe: &StateHandle<Recipe>,
    shop: &Shop,
    answer: Confirmation,
) -> Result<(), Stop> {
    let mut text = run.message().await;
    if answer.approved {
        let number = shop.order();
        recipe.update(|now| now.order = Some(Order::Placed { total: now.total(), number })).await?;
        say(&mut text, &format!("Ordered, number {number}. It will be at your door in half an hour.")).await;
        if let Some(note) = answer.note {
            say(&mut text, &format!(" I passed on your note: {note}")).await;
        }
    } else {
        recipe.update(|now| now.order = Some(Order::Declined)).await?;
        say(&mut text, "All right, nothing was ordered.").await;
    }
    Ok(())
}

/// Says a sentence word by word, as a model would.
async fn say(text: &mut TextMessage<'_>, sentence: &str) {
    for word in sentence.split_inclusive(' ') {
        text.push(word).await;
        pause().await;
    }
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(25)).await;
}
