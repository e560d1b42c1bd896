//! Backend call left to the client.
//!
//! error: `agui_runtime::Call<'_, Chef, price, ReadyPhase>` is not a call the user interface must answer
//! write: pass the call of a frontend tool that `run.call(..)` returned: one call, an array of calls, or a tuple of
//! calls

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let call = run.call(price { name: "rice".to_owned() }).await?;
    Err(Stop::await_frontend([call]))
}
