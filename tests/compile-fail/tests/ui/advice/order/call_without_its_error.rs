//! Call without its error.
//!
//! error: no method named `run` found for enum `std::result::Result<T, E>` in the current scope
//! write: use the `?` operator to extract the `agui_runtime::Call<'_, Chef, price, ReadyPhase>` value

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let cents = run.call(price { name: "rice".to_owned() }).await.run().await;
    Ok(())
}
