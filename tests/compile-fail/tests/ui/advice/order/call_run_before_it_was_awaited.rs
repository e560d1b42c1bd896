//! Call run before it was awaited.
//!
//! error: TOOL_CALL_RESULT before TOOL_CALL_START
//! write: await it first: `let call = run.call(..).await?;`, then `call.run().await` or `call.result(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>, shop: &Shop) {
    let cents = run.call(price { name: "rice".to_owned() }).run().await;
}
