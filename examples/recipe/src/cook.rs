//! The cook: reads a wish, talks, and edits the recipe while talking; or lets a model do it.

use std::sync::LazyLock;
use std::time::Duration;

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cookbook;
use crate::recipe::{Cents, Diet, Ingredient, Order, Recipe};
use crate::shop::{Shop, price};
use crate::talk::{Talker, talk, write_recipe};
use crate::wish::Wish;

/// Asks the person to confirm before anything is ordered.
#[tool(frontend)]
pub async fn confirm_order(
    /// The total price.
    total: Cents,
    /// The names of the items to order.
    items: Vec<String>,
) -> Confirmation;

/// The answer of the user to an order.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// True to order.
    pub approved: bool,
    /// A word to the shop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Something is in the pan: the page may sizzle.
#[derive(CustomEvent, Serialize, JsonSchema, Clone, Debug)]
pub struct Sizzle {
    /// The ingredient in the pan.
    pub ingredient: String,
}

/// Cooks with you: keeps the recipe on the page, prices it, orders it.
#[agent(state = Recipe, tools = [price, write_recipe, confirm_order], events = [Sizzle])]
pub async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop, talker: &Talker) -> Result<(), Stop> {
    let recipe = run.state().adopt_or_snapshot(&input).await?;
    if let Some(answer) = input.frontend_result::<confirm_order>()? {
        return close_order(run, recipe, shop, answer).await;
    }
    if let Talker::Model(model) = talker {
        return talk(run, recipe, model).await;
    }
    let wish = Wish::read(&input.user_text().unwrap_or_default());
    let nothing_yet = recipe.read(|now| now.ingredients.is_empty())?;
    match wish {
        Wish::Cook { dish, servings, diet } => start_dish(run, recipe, dish, servings, diet).await,
        Wish::Burn => burn(run).await,
        Wish::Unclear => offer(run, "").await,
        _ if nothing_yet => offer(run, "There is nothing on the stove yet. ").await,
        Wish::Serve(servings) => scale(run, recipe, servings).await,
        Wish::Scale { times, over } => {
            let servings = recipe.read(|now| now.servings.saturating_mul(times) / over)?;
            scale(run, recipe, servings).await
        }
        Wish::Suit(diet) => adapt(run, recipe, diet).await,
        Wish::Add { name, amount } => add(run, recipe, name, amount).await,
        Wish::Without(name) => leave_out(run, recipe, name).await,
        Wish::Price => ask_prices(run, recipe).await.map(drop),
        Wish::Order => propose_order(run, recipe).await,
    }
}

async fn offer(run: &Run<Cook>, why: &str) -> Result<(), Stop> {
    let dishes: Vec<_> = cookbook::titles().map(str::to_lowercase).collect();
    let mut text = run.message().await;
    say(&mut text, &format!("{why}I can cook {}. What would you like?", list(&dishes, "or"))).await;
    Ok(())
}

async fn burn(run: &Run<Cook>) -> Result<(), Stop> {
    let mut text = run.message().await;
    say(&mut text, "Is something burning? I should").await;
    Err(Stop::error("The kitchen is on fire.").with_code("KITCHEN_FIRE"))
}

async fn start_dish(
    run: &Run<Cook>,
    recipe: &StateHandle<Recipe>,
    dish: Recipe,
    servings: Option<u32>,
    diet: Option<Diet>,
) -> Result<(), Stop> {
    // "Make the risotto vegan" means the recipe on the page, with all its changes.
    let known = recipe.read(|now| now.title == dish.title && !now.ingredients.is_empty())?;
    if !known || (servings.is_none() && diet.is_none()) {
        write_down(run, recipe, dish, servings.is_none()).await?;
    }
    if let Some(servings) = servings {
        scale(run, recipe, servings).await?;
    }
    match diet {
        Some(diet) => adapt(run, recipe, diet).await,
        None => Ok(()),
    }
}

async fn write_down(
    run: &Run<Cook>,
    recipe: &StateHandle<Recipe>,
    dish: Recipe,
    ask_for_servings: bool,
) -> Result<(), Stop> {
    let mut text = run.message().await;
    say(&mut text, &format!("{} it is! First the shopping list.", dish.title)).await;
    recipe.update(|now| *now = Recipe { ingredients: vec![], steps: vec![], ..dish.clone() }).await?;
    for ingredient in dish.ingredients {
        run.custom(Sizzle { ingredient: ingredient.name.clone() }).await?;
        recipe.update(|now| now.ingredients.push(ingredient)).await?;
        pause(A_LINE).await;
    }
    say(&mut text, " And this is how it goes.").await;
    for step in dish.steps {
        recipe.update(|now| now.steps.push(step)).await?;
        pause(A_LINE).await;
    }
    if ask_for_servings {
        say(&mut text, &format!(" This feeds {}. For how many shall I cook?", dish.servings)).await;
    }
    Ok(())
}

async fn scale(run: &Run<Cook>, recipe: &StateHandle<Recipe>, servings: u32) -> Result<(), Stop> {
    const MOST: u32 = 50;
    let mut text = run.message().await;
    if !(1..=MOST).contains(&servings) {
        say(&mut text, &format!("My pots are good for one to {MOST} people.")).await;
        return Ok(());
    }
    recipe.update(|now| now.serve(servings)).await?;
    say(&mut text, &format!("Enough for {servings} now.")).await;
    Ok(())
}

async fn adapt(run: &Run<Cook>, recipe: &StateHandle<Recipe>, diet: Diet) -> Result<(), Stop> {
    let (was, swaps) = recipe.read(|now| {
        let swap = |ingredient: &Ingredient| {
            cookbook::substitute(&ingredient.name, diet).map(|other| (ingredient.name.clone(), other))
        };
        (now.diet, now.ingredients.iter().filter_map(swap).collect::<Vec<_>>())
    })?;
    let mut text = run.message().await;
    if swaps.is_empty() && was >= diet {
        say(&mut text, &format!("It is {was} already.")).await;
        return Ok(());
    }
    if swaps.is_empty() {
        say(&mut text, &format!("Nothing to change, it is {diet} as it is.")).await;
    }
    for (at, (from, to)) in swaps.into_iter().enumerate() {
        let space = if at == 0 { "" } else { " " };
        say(&mut text, &format!("{space}{} instead of {from}.", sentence(to))).await;
        recipe.update(|now| now.swap(&from, to)).await?;
        pause(A_LINE).await;
    }
    recipe.update(|now| now.diet = was.max(diet)).await?;
    Ok(())
}

async fn add(
    run: &Run<Cook>,
    recipe: &StateHandle<Recipe>,
    name: String,
    amount: Option<(f64, String)>,
) -> Result<(), Stop> {
    let diet = recipe.read(|now| now.diet)?;
    let mut text = run.message().await;
    let name = match cookbook::substitute(&name, diet) {
        Some(other) => {
            say(&mut text, &sentence(&format!("{name} is not {diet}, so {other} goes in."))).await;
            other.to_owned()
        }
        None => {
            say(&mut text, &sentence(&format!("{name} goes in."))).await;
            name
        }
    };
    run.custom(Sizzle { ingredient: name.clone() }).await?;
    recipe
        .update(|now| {
            now.add(match amount {
                Some((amount, unit)) => Ingredient { name, amount, unit, price: None },
                None => cookbook::portion(&name, now.servings.max(1)),
            });
        })
        .await?;
    Ok(())
}

async fn leave_out(run: &Run<Cook>, recipe: &StateHandle<Recipe>, name: String) -> Result<(), Stop> {
    let gone = recipe.update(|now| now.remove(&name)).await?;
    let mut text = run.message().await;
    let answer = if gone { format!("No more {name}.") } else { format!("There is no {name} in it.") };
    say(&mut text, &answer).await;
    Ok(())
}

/// Asks the shop for every missing price; returns the names of ingredients that it does not have.
async fn ask_prices(run: &Run<Cook>, recipe: &StateHandle<Recipe>) -> Result<Vec<String>, Stop> {
    let _asking = run.step("prices").await;
    let missing = recipe.read(|now| {
        let unpriced = now.ingredients.iter().filter(|ingredient| ingredient.price.is_none());
        unpriced.map(|ingredient| (ingredient.name.clone(), ingredient.amount)).collect::<Vec<_>>()
    })?;
    let mut unavailable = Vec::new();
    for (name, amount) in missing {
        let call = run.call(price { name: name.clone(), amount }).await?;
        pause(A_LINE).await;
        if call.run().await.is_err() {
            unavailable.push(name);
        }
    }
    let (total, servings) = recipe.read(|now| (now.total(), now.servings))?;
    let mut text = run.message().await;
    say(&mut text, &format!("Together that is {total} for {servings}.")).await;
    if !unavailable.is_empty() {
        say(&mut text, &format!(" The shop has no {}.", list(&unavailable, "or"))).await;
    }
    Ok(unavailable)
}

async fn propose_order(run: &Run<Cook>, recipe: &StateHandle<Recipe>) -> Result<(), Stop> {
    if let Some(Order::Placed { number, .. }) = recipe.read(|now| now.order.clone())? {
        let mut text = run.message().await;
        say(&mut text, &format!("That is ordered already, number {number}. Change it and I order again."))
            .await;
        return Ok(());
    }
    let unavailable = ask_prices(run, recipe).await?;
    let (total, items) = recipe.read(|now| {
        let names = now.ingredients.iter().map(|ingredient| ingredient.name.clone());
        (now.total(), names.filter(|name| !unavailable.contains(name)).collect::<Vec<_>>())
    })?;
    if items.is_empty() {
        run.say("So there is nothing to order.").await;
        return Ok(());
    }
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
    let Some(Order::Proposed { total }) = recipe.read(|now| now.order.clone())? else {
        say(&mut text, "There is nothing to confirm any more.").await;
        return Ok(());
    };
    if !answer.approved {
        recipe.update(|now| now.order = Some(Order::Declined)).await?;
        say(&mut text, "All right, nothing was ordered.").await;
        return Ok(());
    }
    let number = shop.order();
    recipe.update(|now| now.order = Some(Order::Placed { total, number })).await?;
    say(&mut text, &format!("Ordered, number {number}. It will be at your door in half an hour.")).await;
    if let Some(note) = answer.note {
        say(&mut text, &format!(" I passed on your note: “{note}”")).await;
    }
    Ok(())
}

const A_WORD: Duration = Duration::from_millis(30);
const A_LINE: Duration = Duration::from_millis(120);

/// Says a sentence word by word, as a model would.
async fn say(text: &mut TextMessage<'_>, sentence: &str) {
    for word in sentence.split_inclusive(' ') {
        text.push(word).await;
        pause(A_WORD).await;
    }
}

/// Waits for a time, times `RECIPE_PACE`, a number from 0 to 1: people want to watch, tests do not.
async fn pause(time: Duration) {
    static PACE: LazyLock<f64> = LazyLock::new(|| {
        let said = std::env::var("RECIPE_PACE").ok().and_then(|said| said.parse().ok());
        said.filter(|pace| (0.0..=1.0).contains(pace)).unwrap_or(1.0)
    });
    tokio::time::sleep(time.mul_f64(*PACE)).await;
}

/// `a`, `a or b`, `a, b or c`.
fn list(names: &[String], conjunction: &str) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} {conjunction} {last}", first.join(", ")),
        _ => names.concat(),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
