//! Arguments of 128 bits, as a model writes them: a number that is no integer is a wrong argument, and not its first digits.

use std::num::NonZeroU128;

use agui_runtime::prelude::*;
use agui_runtime::testing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Wei(u128);

/// Pays.
#[tool]
async fn pay(
    amount: u128,
    change: Option<i128>,
    tip: Option<Wei>,
    step: Option<NonZeroU128>,
    list: Option<Vec<u128>>,
) -> String {
    format!("{amount} {change:?} {:?} {step:?} {list:?}", tip.map(|tip| tip.0))
}

/// Pays what it must.
#[agent(tools = [pay])]
async fn payer(run: &mut Run<Payer>, input: Input<Payer>) -> Result<(), Stop> {
    let mut call = run.open_call("pay").await?;
    call.push(input.user_text().unwrap_or_default()).await;
    match call.end() {
        Ok(ready) => drop(run.dispatch(vec![ready]).await),
        Err(error) => drop(run.say(format!("refused: {error}")).await),
    }
    Ok(())
}

#[test]
fn a_number_that_is_no_integer_is_a_wrong_argument() {
    let said = |arguments: &str| {
        let events = futures::executor::block_on(testing::run(Payer::new(), testing::input(arguments)));
        serde_json::to_string(&events).unwrap()
    };
    for refused in [
        r#"{"amount":1e18}"#,
        r#"{"amount":2.9}"#,
        r#"{"amount":1,"change":-2.5}"#,
        r#"{"amount":1,"tip":3e2}"#,
        r#"{"amount":1,"step":4.4}"#,
        r#"{"amount":1,"list":[1.5]}"#,
    ] {
        let events = said(refused);
        assert!(
            !events.contains("None None None") && events.contains("expected `,` or "),
            "{refused}: {events}"
        );
    }
    let paid = said(r#"{"amount":340282366920938463463374607431768211455,"change":-2}"#);
    assert!(paid.contains("340282366920938463463374607431768211455 Some(-2) None None None"), "{paid}");
}
