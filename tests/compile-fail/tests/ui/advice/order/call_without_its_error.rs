//! Call without its error.
//!
//! error: no method named `run` found for enum `std::result::Result<T, E>` in the current scope

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>, shop: &Shop) {
    let cents = run.call(price { name: "rice".to_owned() }).await.run().await;
}
